import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call, type AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { Money } from '../kit/money.tsx'
import { Status } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSite } from '../shell/sites.ts'
import classes from './catalog.module.css'
import { inTurn } from './in-turn.ts'

/** What the list tells of a product beyond its own record. Only rows in view ask for it, and keep it for a minute. */

export type ProductDetail = AnswerOf<'readProduct'>
type Product = AnswerOf<'listProducts'>['products'][number]

/** undefined = it is being read; null = it cannot be read */
function useGlance(productId: string): ProductDetail | null | undefined {
  const environment = useEnvironment()
  const input = { path: { productId } }
  const { data, isError } = useQuery({
    ...read(environment, 'readProduct', input),
    queryFn: ({ signal }) => inTurn(signal, () => call('readProduct', environment, input, { signal })),
    staleTime: 60_000,
  })
  return data ?? (isError ? null : undefined)
}

/** A dash would say that there is none. */
function BeingRead() {
  return <Skeleton component="span" display="inline-block" height={8} width={48} role="img" aria-label="Loading" />
}

/** Small picture and name. */
export function PictureAndName({ product: { productId, name } }: { product: Product }) {
  return (
    <span className={classes.named}>
      <span className={classes.thumb} data-varies>
        <Picture productId={productId} />
      </span>
      {name}
    </span>
  )
}

function Picture({ productId }: { productId: string }) {
  const images = useGlance(productId)?.images ?? []
  const { url } = images.find(({ primary }) => primary) ?? images[0] ?? { url: null }
  return url === null ? null : <img src={url} alt="" loading="lazy" />
}

/** The lowest quantity's price of the product, of its first variant where only variants have prices. */
export function PriceFrom({ product: { productId, siteId } }: { product: Product }) {
  const currency = useSite(siteId)?.currency
  const glance = useGlance(productId)
  if (glance === undefined) return <BeingRead />
  return <Money amount={glance?.priceBreaks[0]?.unitPrice} currency={currency} />
}

export function StockOf({ product: { productId } }: { product: Product }) {
  const glance = useGlance(productId)
  if (glance === undefined) return <BeingRead />
  const variants = glance?.variants.filter(({ active }) => active) ?? []
  const counted = variants.flatMap(({ stockQuantity }) => stockQuantity ?? [])
  if (counted.length === 0) return <span>{variants.length > 0 ? 'Not counted' : '–'}</span>
  return <span className="numbers">{counted.reduce((sum, each) => sum + each, 0).toLocaleString('en-US')}</span>
}

/** Whether partners can order it; if not, the first reason. */
export function Orderable({ product: { productId, archivedOn } }: { product: Product }) {
  const environment = useEnvironment()
  const may = useMay()
  const input = { path: { productId } }
  const { data, isLoading } = useQuery({
    ...read(environment, 'readProductReadiness', input),
    queryFn: ({ signal }) => inTurn(signal, () => call('readProductReadiness', environment, input, { signal })),
    staleTime: 60_000,
    enabled: archivedOn === null && may('readProductReadiness'),
  })
  if (archivedOn !== null) return <Status value="ARCHIVED" />
  if (!data) return isLoading ? <BeingRead /> : null
  const missing = data.findings.find(({ gravity }) => gravity === 'MISSING')
  const says = data.ready ? 'Orderable' : (missing?.says ?? 'No')
  return (
    <span className={classes.orderable} title={says}>
      <Status value={data.ready ? 'ready' : 'blocked'} label={says} />
    </span>
  )
}
