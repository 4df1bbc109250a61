import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { AnswerOf, QueryOf } from '../../../api/api.ts'
import { list } from '../../../api/queries.ts'
import { useMay } from '../../../api/session.ts'
import { Orderable, PictureAndName, PriceFrom, StockOf } from '../../../catalog/product-glance.tsx'
import { useGo } from '../../../kit/at.tsx'
import { DataTable, usePages, type Column } from '../../../kit/data-table.tsx'
import { Empty } from '../../../kit/empty.tsx'
import { FilterBar, FilterChoice, FilterText, queryFrom, useUrlState } from '../../../kit/filters.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { inWords, Status } from '../../../kit/status.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { useSite, useSiteFilter } from '../../../shell/sites.ts'

export const Route = createFileRoute('/$environment/catalog/')({ component: CatalogPage })

type Product = AnswerOf<'listProducts'>['products'][number]

const columns: readonly Column<Product>[] = [
  { id: 'name', header: 'Product', cell: (product) => <PictureAndName product={product} /> },
  { id: 'code', header: 'Code', width: 150, hideBelow: 'sm', cell: ({ code }) => code },
  { id: 'site', header: 'Site', hideBelow: 'md', cell: ({ siteId }) => <SiteName siteId={siteId} /> },
  {
    id: 'type',
    header: 'Type',
    width: 90,
    hideBelow: 'md',
    cell: ({ serviceType }) => (serviceType === 'POD' ? 'On demand' : 'Stock'),
  },
  {
    id: 'price',
    header: 'Price from',
    width: 100,
    align: 'end',
    hideBelow: 'sm',
    cell: (product) => <PriceFrom product={product} />,
  },
  {
    id: 'stock',
    header: 'Stock',
    width: 100,
    align: 'end',
    hideBelow: 'md',
    cell: (product) => <StockOf product={product} />,
  },
  {
    id: 'visibility',
    header: 'Seen by',
    width: 100,
    hideBelow: 'md',
    cell: ({ visibility }) => seenBy[visibility],
  },
  {
    id: 'active',
    header: 'State',
    width: 100,
    hideBelow: 'sm',
    cell: ({ active }) => <Status value={active ? 'ACTIVE' : 'INACTIVE'} />,
  },
  { id: 'orderable', header: 'Orderable', width: 260, cell: (product) => <Orderable product={product} /> },
]

const columnsOfSite = columns.filter(({ id }) => id !== 'site')

function SiteName({ siteId }: { siteId: number }) {
  return useSite(siteId)?.name ?? `Site ${siteId}`
}

const seenBy: Readonly<Record<Product['visibility'], string>> = {
  PUBLIC: 'Everyone',
  SEGMENTS: 'Segments',
  HIDDEN: 'Nobody',
}

function CatalogPage() {
  const environment = useEnvironment()
  const may = useMay()
  const go = useGo()
  const siteId = useSiteFilter()
  const [state] = useUrlState()
  const query = { ...queryFrom(state, ['q', 'serviceType', 'active', 'archived']), siteId } as QueryOf<'listProducts'>
  const products = usePages(
    useInfiniteQuery(list(environment, 'listProducts', { query }, { live: ['product'] })),
    'products',
  )
  return (
    <>
      <PageHead
        title="Catalog"
        actions={
          <>
            <Button variant="default" onClick={() => go('/catalog/files')}>
              CSV files
            </Button>
            {may('createProduct') && <Button onClick={() => go('/catalog/new')}>New product</Button>}
          </>
        }
      />
      <FilterBar>
        <FilterText name="q" label="Name or code" width={200} />
        <FilterChoice
          name="serviceType"
          label="Type"
          data={[
            { value: 'STOCK', label: 'Stock' },
            { value: 'POD', label: 'On demand' },
          ]}
        />
        <FilterChoice
          name="active"
          label="State"
          data={[
            { value: 'true', label: inWords('ACTIVE') },
            { value: 'false', label: inWords('INACTIVE') },
          ]}
        />
        <FilterChoice name="archived" label="Archive" data={[{ value: 'true', label: 'Archived only' }]} />
      </FilterBar>
      <DataTable
        label="Products"
        query={products}
        columns={siteId === undefined ? columns : columnsOfSite}
        rowKey={({ productId }) => productId}
        linkOf={({ productId }) => `/catalog/${productId}`}
        empty={<Empty title="No products match">Take a filter away, look in all sites, or make a new product.</Empty>}
      />
    </>
  )
}
