import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { Status } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'
import classes from './catalog.module.css'
import type { ProductDetail } from './product-glance.tsx'

type Finding = AnswerOf<'readProductReadiness'>['findings'][number]

const gravityLabels = { MISSING: 'Missing', WARNING: 'Warning', HINT: 'Hint' } as const

/** Whether partners can order the product, and each thing that is missing with a link to where it is mended. */
export function Readiness({ product }: { product: ProductDetail }) {
  const environment = useEnvironment()
  const { productId } = product
  const { data } = useQuery(
    read(environment, 'readProductReadiness', { path: { productId } }, { live: ['product', 'variant'] }),
  )
  if (!data || data.findings.length === 0) return null
  return (
    <ul className={classes.findings} aria-label="What is missing">
      {data.findings.map((finding) => (
        <li key={`${finding.code} ${finding.says}`}>
          <Status
            value={finding.gravity}
            tone={finding.gravity === 'MISSING' ? 'bad' : finding.gravity === 'WARNING' ? 'warn' : 'info'}
            label={`${gravityLabels[finding.gravity]}: ${finding.says}`}
          />
          <Mend finding={finding} product={product} />
        </li>
      ))}
    </ul>
  )
}

function Mend({ finding: { operation }, product }: { finding: Finding; product: ProductDetail }) {
  const place = places[operation]?.(product)
  if (!place) return null
  const [to, label] = place
  return (
    <Text size="sm" component="span">
      <At to={to} underline="always">
        {label}
      </At>
    </Text>
  )
}

/** Where the operation that mends a finding is done. */
const places: Readonly<Record<string, (product: ProductDetail) => readonly [to: string, label: string]>> = {
  changeProduct: ({ productId }) => [`/catalog/${productId}?tab=general`, 'Mend it under General'],
  setProductSegments: ({ productId }) => [`/catalog/${productId}?tab=sites`, 'Choose segments'],
  createVariant: ({ productId }) => [`/catalog/${productId}?tab=variants`, 'Add a variant'],
  replacePrices: ({ productId }) => [`/catalog/${productId}?tab=prices`, 'Set prices'],
  adjustStock: ({ productId }) => [`/stock?productId=${productId}`, 'Look at the stock'],
  changeFulfilmentCenter: centerOf,
  replaceShippingZones: centerOf,
  replaceShippingRates: ({ siteId }) => [`/sites/${siteId}?tab=delivery`, 'Mend it under Delivery'],
  setOrderingUser: siteOf,
  changeSite: siteOf,
  createShippingService: ({ siteId }) => [`/sites/${siteId}?tab=delivery`, 'Mend it under Delivery'],
  changeShippingService: ({ siteId }) => [`/sites/${siteId}?tab=delivery`, 'Mend it under Delivery'],
  replaceTaxes: ({ siteId }) => [`/sites/${siteId}?tab=taxes`, 'Mend it under Taxes'],
}

function centerOf({ fulfilmentCenterId, siteId }: ProductDetail) {
  return fulfilmentCenterId === null
    ? siteOf({ siteId })
    : ([`/fulfilment-centers/${fulfilmentCenterId}`, 'Open the fulfilment center'] as const)
}

function siteOf({ siteId }: Pick<ProductDetail, 'siteId'>) {
  return [`/sites/${siteId}`, 'Open the site'] as const
}
