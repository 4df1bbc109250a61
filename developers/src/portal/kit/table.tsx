import type { ReactNode } from 'react'
import type { Listed } from '../api/queries.ts'
import { Failed, Loading } from './loaded.tsx'

export type Column<Item> = {
  header: string
  cell: (item: Item) => ReactNode
  /** for numbers */
  align?: 'end'
  /** left out where the page is narrow */
  isMinor?: boolean
}

/** A list as a table. The first column links to the record; all of a row can be pressed. */
export function Table<Item>({
  label,
  list,
  columns,
  keyOf,
  isChosen,
  empty,
}: {
  label: string
  list: Listed<Item>
  columns: readonly Column<Item>[]
  keyOf: (item: Item) => string
  /** whether it is the one that is shown beside the list */
  isChosen?: (item: Item) => boolean
  empty: ReactNode
}) {
  const { items, error } = list
  if (items.length === 0) {
    if (error) return <Failed error={error} retry={list.readAnew} />
    return list.isLoading ? <Loading /> : empty
  }
  return (
    <>
      {error && <Failed error={error} retry={list.readAnew} />}
      <div className="scroll" role="region" aria-label={label} tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              {columns.map(({ header, align, isMinor }) => (
                <th key={header} scope="col" data-align={align} data-minor={isMinor}>
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={keyOf(item)} data-chosen={isChosen?.(item) || undefined}>
                {columns.map(({ header, cell, align, isMinor }) => (
                  <td key={header} data-align={align} data-minor={isMinor}>
                    {cell(item)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {list.hasMore && (
        <p>
          <button type="button" className="button" onClick={list.readMore} disabled={list.isReadingMore}>
            {list.isReadingMore ? 'Reading…' : 'Show older ones'}
          </button>
        </p>
      )}
    </>
  )
}
