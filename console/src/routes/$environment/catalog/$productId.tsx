import { Alert, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { read } from '../../../api/queries.ts'
import { useMay } from '../../../api/session.ts'
import classes from '../../../catalog/catalog.module.css'
import { Discounts } from '../../../catalog/discounts.tsx'
import { Images } from '../../../catalog/images.tsx'
import { PriceGrid } from '../../../catalog/price-grid.tsx'
import { ProductForm } from '../../../catalog/product-form.tsx'
import { Orderable, type ProductDetail } from '../../../catalog/product-glance.tsx'
import { Readiness } from '../../../catalog/readiness.tsx'
import { SegmentsAndShares } from '../../../catalog/segments-and-shares.tsx'
import { Variants } from '../../../catalog/variants.tsx'
import { At, useGo } from '../../../kit/at.tsx'
import { useUrlState } from '../../../kit/filters.tsx'
import { Form, useForm } from '../../../kit/form.tsx'
import { Loaded } from '../../../kit/loaded.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { Status } from '../../../kit/status.tsx'
import { asking, verb, Verbs } from '../../../kit/verbs.tsx'
import { InZone, When } from '../../../kit/when.tsx'
import { WayBack } from '../../../onboarding/way-back.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { useSite } from '../../../shell/sites.ts'

export const Route = createFileRoute('/$environment/catalog/$productId')({ component: ProductPage })

function ProductPage() {
  const environment = useEnvironment()
  const { productId } = Route.useParams()
  const query = useQuery(read(environment, 'readProduct', { path: { productId } }, { live: ['product', 'variant'] }))
  return <Loaded query={query}>{(product) => <Product key={productId} product={product} />}</Loaded>
}

const tabs = [
  { id: 'general', name: 'General' },
  { id: 'variants', name: 'Variants' },
  { id: 'prices', name: 'Prices' },
  { id: 'images', name: 'Images' },
  { id: 'sites', name: 'Segments and shares' },
] as const

function Product({ product }: { product: ProductDetail }) {
  const { productId, name, code, siteId, serviceType, active, archivedOn, warnings } = product
  const may = useMay()
  const site = useSite(siteId)
  const [state, set] = useUrlState()
  const offered = tabs.filter(({ id }) => id !== 'prices' || may('readPrices'))
  const tab = offered.find(({ id }) => id === state.tab)?.id ?? 'general'
  const path = { productId }
  return (
    <InZone value={site?.timeZone}>
      <PageHead
        title={name}
        above={
          <>
            <WayBack />
            <At to="/catalog">Catalog</At>
          </>
        }
        status={
          <>
            <Status value={archivedOn !== null ? 'ARCHIVED' : active ? 'ACTIVE' : 'INACTIVE'} />
            {archivedOn === null && <Orderable product={product} />}
          </>
        }
        about={
          <>
            {productId} · {code} · {serviceType === 'POD' ? 'On demand' : 'Stock'} · {site?.name ?? `Site ${siteId}`} ·
            changed <When at={product.updatedOn} />
          </>
        }
        actions={
          <Verbs
            first={0}
            verbs={[
              verb('archiveProduct', `Archive ${name}`, { path }, { hidden: archivedOn !== null }),
              verb('restoreProduct', `Restore ${name}`, { path }, { hidden: archivedOn === null }),
              asking('deleteProduct', 'Delete…', (close) => <Deleting product={product} close={close} />, {
                danger: true,
              }),
            ]}
          />
        }
      />
      <div className={classes.page}>
        {archivedOn === null && <Readiness product={product} />}
        {warnings.map((warning) => (
          <Alert key={warning} color="yellow" p="xs" mb="xs">
            {warning}
          </Alert>
        ))}
        <Tabs value={tab} onChange={(value) => set({ tab: value ?? undefined }, true)}>
          <Tabs.List aria-label="Parts of the product" mb="xs">
            {offered.map((each) => (
              <Tabs.Tab key={each.id} value={each.id}>
                {each.name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={tab}>
            {tab === 'general' && <ProductForm product={product} />}
            {tab === 'variants' && <Variants product={product} />}
            {tab === 'prices' && (
              <>
                <PriceGrid product={product} />
                <Discounts product={product} />
              </>
            )}
            {tab === 'images' && <Images productId={productId} name={name} />}
            {tab === 'sites' && <SegmentsAndShares product={product} />}
          </Tabs.Panel>
        </Tabs>
      </div>
    </InZone>
  )
}

function Deleting({ product: { productId, name }, close }: { product: ProductDetail; close: () => void }) {
  const go = useGo()
  const form = useForm('deleteProduct', {
    initial: {},
    input: () => ({ path: { productId } }),
    onDone: () => go('/catalog'),
  })
  return (
    <Form form={form} submit={`Delete ${name}`} danger onCancel={close}>
      <Text size="sm">
        Only a product that no order and no share names can be deleted. Archive it instead to take it out of use.
      </Text>
    </Form>
  )
}
