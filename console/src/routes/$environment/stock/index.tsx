import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { QueryOf } from '../../../api/api.ts'
import { list } from '../../../api/queries.ts'
import { At, useGo } from '../../../kit/at.tsx'
import { Beside } from '../../../kit/beside.tsx'
import { DataTable, usePages, type Column } from '../../../kit/data-table.tsx'
import { Empty } from '../../../kit/empty.tsx'
import { FilterBar, FilterChoice, FilterText, queryFrom, useUrlState } from '../../../kit/filters.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { Status } from '../../../kit/status.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { useSiteFilter } from '../../../shell/sites.ts'
import { StockDetail, type Level } from '../../../stock/stock-detail.tsx'

export const Route = createFileRoute('/$environment/stock/')({ component: StockPage })

const shown = (value: number | null) => (value === null ? '–' : value.toLocaleString('en-US'))
const keyOf = ({ variantId }: Level) => String(variantId)

const columns: readonly Column<Level>[] = [
  { id: 'sku', header: 'SKU', width: 190, cell: ({ sku, variantId }) => sku ?? `Variant ${variantId}` },
  {
    id: 'product',
    header: 'Product',
    hideBelow: 'sm',
    cell: ({ productName, choices }) => [productName, ...choices].join(' / '),
  },
  { id: 'free', header: 'Free', width: 90, align: 'end', cell: ({ stockQuantity }) => shown(stockQuantity) },
  {
    id: 'reserved',
    header: 'Reserved',
    width: 90,
    align: 'end',
    hideBelow: 'md',
    cell: ({ reserved }) => shown(reserved),
  },
  { id: 'onHand', header: 'On hand', width: 90, align: 'end', hideBelow: 'sm', cell: ({ onHand }) => shown(onHand) },
  {
    id: 'shelf',
    header: 'Shelf',
    width: 130,
    hideBelow: 'md',
    cell: (level) => <Shelves level={level} />,
  },
  { id: 'state', header: 'State', width: 130, cell: (level) => <StockState level={level} /> },
]

/** Beside the detail of a variant there is room for what tells it from others. */
const besideDetail = new Set(['sku', 'product', 'free', 'state'])
const fewColumns = columns.filter(({ id }) => besideDetail.has(id))

/** Where the pieces lie; of a variant that lies nowhere, where it is kept. */
function Shelves({ level: { location, shelves, onNoShelf } }: { level: Level }) {
  if (shelves.length === 0) return <span>{location ?? '–'}</span>
  if (shelves.length === 1 && !onNoShelf) return <span>{shelves[0]!.shelf}</span>
  const places = shelves.map(({ shelf, pieces }) => `${shelf}: ${pieces.toLocaleString('en-US')}`)
  const all = [...places, ...(onNoShelf ? [`none: ${onNoShelf.toLocaleString('en-US')}`] : [])].join(', ')
  return <span title={all}>{all}</span>
}

function StockState({ level: { stockQuantity, low } }: { level: Level }) {
  if (stockQuantity === null) return <Status value="idle" tone="idle" label="Not counted" />
  if (stockQuantity < 0) return <Status value="error" label="Owes pieces" />
  return low ? <Status value="warning" label="Low" /> : <Status value="ready" label="Enough" />
}

function StockPage() {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const go = useGo()
  const [state, set] = useUrlState()
  const query = {
    ...queryFrom(state, ['sku', 'shelf', 'low', 'belowZero', 'productId']),
    siteId,
  } as QueryOf<'listStock'>
  const levels = usePages(
    useInfiniteQuery(list(environment, 'listStock', { query }, { live: ['variant', 'order'] })),
    'variants',
  )
  const chosen = levels.rows?.find((level) => keyOf(level) === state.variant)
  return (
    <>
      <PageHead
        title="Stock"
        about={
          state.productId && (
            <>
              Variants of{' '}
              <At to={`/catalog/${state.productId}`} underline="always">
                {state.productId}
              </At>
            </>
          )
        }
        actions={
          <Button variant="default" onClick={() => go('/stock/counts')}>
            Counts
          </Button>
        }
      />
      <FilterBar>
        <FilterText name="sku" label="SKU" />
        <FilterText name="shelf" label="Shelf" width={120} />
        <FilterChoice name="low" label="Low" data={[{ value: 'true', label: 'Low only' }]} />
        <FilterChoice name="belowZero" label="Owed" data={[{ value: 'true', label: 'Below zero only' }]} />
        {state.productId && (
          <Button variant="subtle" color="gray" onClick={() => set({ productId: undefined })}>
            All products
          </Button>
        )}
      </FilterBar>
      <Beside
        title={chosen && (chosen.sku ?? chosen.productName)}
        detail={chosen && <StockDetail key={keyOf(chosen)} level={chosen} />}
        onClose={() => set({ variant: undefined })}
      >
        <DataTable
          label="Stock"
          query={levels}
          columns={chosen ? fewColumns : columns}
          rowKey={keyOf}
          linkOf={(level) => `/stock?${new URLSearchParams({ ...definedOf(state), variant: keyOf(level) }).toString()}`}
          current={chosen && keyOf(chosen)}
          empty={<Empty title="No variants match">Take a filter away, or look in all sites.</Empty>}
        />
      </Beside>
    </>
  )
}

/** The filters of the page, which stay as another variant is chosen. */
function definedOf(state: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(state).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
