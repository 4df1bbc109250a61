import type { ReactNode } from 'react'
import type { Listed } from '../api/queries.ts'
import { Empty, Failed, Loading } from './loaded.tsx'

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
    if (list.isLoading) return <Loading />
    // A page looks at so many records, of which none may fit.
    return list.hasMore ? <LookFurther list={list} /> : empty
  }
  return (
    <>
      {error && <Failed error={error} retry={list.readAnew} />}
      <div className="scroll" role="group" aria-label={label} tabIndex={0}>
        <table className="table list-table">
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
                  <td key={header} data-header={header} data-align={align} data-minor={isMinor}>
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

function LookFurther({
  list: { isReadingMore, readMore },
}: {
  list: Pick<Listed<unknown>, 'isReadingMore' | 'readMore'>
}) {
  return (
    <Empty title="Nothing found so far">
      Not everything was looked at yet.{' '}
      <button type="button" className="button small" onClick={readMore} disabled={isReadingMore}>
        {isReadingMore ? 'Looking…' : 'Look further back'}
      </button>
    </Empty>
  )
}
