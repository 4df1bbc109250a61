import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { Empty } from '../kit/empty.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { countOf } from '../kit/number.ts'
import { PageBody } from '../kit/page-body.tsx'
import { Section } from '../kit/section.tsx'
import { Status } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'
import classes from './sites.module.css'

/** What keeps orders out, with the place where it is mended. */
export function SiteReadiness({ siteId }: { siteId: number }) {
  const readiness = useQuery(read(useEnvironment(), 'readSiteReadiness', { path: { siteId } }))
  return (
    <PageBody>
      <Loaded query={readiness}>
        {({ findings, products }) => (
          <Section title="Readiness">
            <p>
              {products.more ? 'Of the first' : 'Of'} {countOf(products.checked, 'product')}, {products.ready} can be
              ordered. <At to={`/catalog?site=${siteId}`}>Go to the products</At>
            </p>
            {findings.length === 0 ? (
              <Empty title="Nothing is missing">Orders can come in.</Empty>
            ) : (
              <ul className={classes.findings}>
                {findings.map(({ code, gravity, says, operation }) => (
                  <li key={`${code} ${says}`}>
                    <Status value={gravity} />
                    <span>{says}</span>
                    <Mend operation={operation} siteId={siteId} says={says} />
                  </li>
                ))}
              </ul>
            )}
          </Section>
        )}
      </Loaded>
    </PageBody>
  )
}

/** Where each operation that mends something is done. */
const places: Readonly<Record<string, string>> = {
  setOrderingUser: '',
  changeSite: '',
  createShippingService: '?tab=delivery',
  changeShippingService: '?tab=delivery',
  replaceShippingRates: '?tab=delivery',
  replaceTaxes: '?tab=taxes',
}

/** A link to where a finding of a site is mended. */
export function Mend({ operation, siteId, says }: { operation: string; siteId: number; says: string }) {
  const productId = /\bSL[OS]_\d+/.exec(says)?.[0]
  if (productId !== undefined) return <At to={`/catalog/${productId}`}>Go to the product</At>
  if (operation in places) return <At to={`/sites/${siteId}${places[operation]}`}>Mend it</At>
  if (operation.includes('FulfilmentCenter') || operation.includes('Zones')) {
    return <At to="/sites?tab=plants">Go to the plants</At>
  }
  return <At to={`/catalog?site=${siteId}`}>Go to the products</At>
}
