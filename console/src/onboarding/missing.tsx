import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { countOf } from '../kit/number.ts'
import { Status } from '../kit/status.tsx'
import { PartnerReadiness } from '../partners/readiness.tsx'
import classes from '../partners/partners.module.css'
import { useEnvironment } from '../shell/environment.ts'
import { placeOfStep, type Begun, type Step } from './steps.ts'

/** What keeps orders out at this point, with the step in which it is mended. */
export function Missing({ begun }: { begun: Begun }) {
  const { siteId, partnerId } = begun
  if (siteId === undefined && partnerId === undefined) return <p>Begin with a site: a new one, or one that is there.</p>
  return (
    <>
      {siteId !== undefined && <OfSite siteId={siteId} begun={begun} />}
      {partnerId === undefined ? <p>There is no partner yet.</p> : <PartnerReadiness partnerId={partnerId} />}
    </>
  )
}

function OfSite({ siteId, begun }: { siteId: number; begun: Begun }) {
  const readiness = useQuery(read(useEnvironment(), 'readSiteReadiness', { path: { siteId } }))
  return (
    <Loaded query={readiness}>
      {({ ready, findings, products }) => (
        <>
          <p>
            <Status value={ready ? 'ready' : 'MISSING'} label={ready ? 'The site is ready' : 'The site is not ready'} />{' '}
            · {products.ready} of {countOf(products.checked, 'product')} can be ordered
          </p>
          <ul className={classes.findings}>
            {findings.map(({ code, gravity, says, operation }) => (
              <li key={`${code} ${says}`}>
                <Status value={gravity} tone={gravity === 'HINT' ? 'info' : undefined} />
                <span>{says}</span>
                <At to={placeOfStep(stepOf(operation), begun)}>Go there</At>
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  )
}

function stepOf(operation: string): Step {
  if (/Site|OrderingUser/.test(operation)) return 'site'
  return /Shipping|Zones|Tax|FulfilmentCenter|Rates/.test(operation) ? 'delivery' : 'products'
}
