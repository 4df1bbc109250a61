import { Button } from '@mantine/core'
import { At, useGo } from '../kit/at.tsx'
import { Empty } from '../kit/empty.tsx'
import { Section } from '../kit/section.tsx'
import { useSite } from '../shell/sites.ts'
import { SiteDelivery } from '../sites/site-delivery.tsx'
import { SiteTaxes } from '../sites/tax-table.tsx'
import { placeOfStep, type Begun } from './steps.ts'

/** By whom goods are delivered, at which rates, and what taxes are charged. */
export function DeliveryStep({ begun }: { begun: Begun }) {
  const go = useGo()
  const site = useSite(begun.siteId)
  if (begun.siteId === undefined)
    return <Empty title="Choose the site first" action={<At to={placeOfStep('site', begun)}>Go to the site</At>} />
  return (
    <>
      <Section
        title="Delivery"
        actions={<Button onClick={() => go(placeOfStep('products', begun))}>Next: products</Button>}
      >
        <p>
          Goods leave from a plant, whose zones say how far a destination is.{' '}
          <At to="/sites?tab=plants">Look at the plants</At>
        </p>
      </Section>
      <SiteDelivery siteId={begun.siteId} />
      {site && <SiteTaxes siteId={begun.siteId} taxBy={site.taxBy} />}
    </>
  )
}
