import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { CsvExchange } from '../csv/csv-exchange.tsx'
import { At, useGo } from '../kit/at.tsx'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { Section } from '../kit/section.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { placeOfStep, type Begun } from './steps.ts'
import { withWayBack } from './way-back.tsx'

type Product = AnswerOf<'listProducts'>['products'][number]

const columns: readonly Column<Product>[] = [
  { id: 'name', header: 'Product', cell: ({ name }) => name },
  { id: 'code', header: 'Code', width: 140, cell: ({ code }) => code },
  { id: 'type', header: 'Made', width: 120, hideBelow: 'sm', cell: ({ serviceType }) => inWords(serviceType) },
  {
    id: 'active',
    header: 'State',
    width: 110,
    cell: ({ active }) => <Status value={active ? 'ACTIVE' : 'INACTIVE'} />,
  },
]

/** What the site sells: one by one, or from a file. */
export function ProductsStep({ begun }: { begun: Begun }) {
  const go = useGo()
  const { siteId } = begun
  const products = usePages(
    useInfiniteQuery({
      ...list(useEnvironment(), 'listProducts', { query: { siteId } }),
      enabled: siteId !== undefined,
    }),
    'products',
  )
  if (siteId === undefined)
    return <Empty title="Choose the site first" action={<At to={placeOfStep('site', begun)}>Go to the site</At>} />
  return (
    <>
      <Section
        title="Products"
        actions={
          <>
            <Button
              variant="default"
              onClick={() => go(withWayBack(`/catalog/new?site=${siteId}`, placeOfStep('products', begun)))}
            >
              New product
            </Button>
            <Button onClick={() => go(placeOfStep('partner', begun))}>Next: partner</Button>
          </>
        }
      >
        <DataTable
          label="Products"
          fit
          query={products}
          columns={columns}
          rowKey={({ productId }) => productId}
          linkOf={({ productId }) => withWayBack(`/catalog/${productId}`, placeOfStep('products', begun))}
          empty={<Empty title="The site sells nothing yet">Make a product, or bring many from a file below.</Empty>}
        />
        <p>
          A product of another site can be sold here too: share it on its own page, under Segments and shares.{' '}
          <At to={withWayBack('/catalog', placeOfStep('products', begun))}>Look in the catalog</At>
        </p>
      </Section>
      <Section title="Products from a file">
        <CsvExchange kind="products" id={siteId} />
      </Section>
      <Section title="Prices from a file">
        <CsvExchange kind="prices" id={siteId} />
      </Section>
    </>
  )
}
