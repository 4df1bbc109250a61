import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { Empty } from '../kit/empty.tsx'
import { Facts } from '../kit/facts.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Section } from '../kit/section.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSite, useSites } from '../shell/sites.ts'
import { AddressTest } from '../sites/address-test.tsx'
import { placeOfStep, type Begun } from './steps.ts'

/** Whether an order would go through, and what the partner's developers need. */
export function CheckStep({ begun }: { begun: Begun }) {
  const site = useSite(begun.siteId)
  return (
    <>
      {site ? (
        <AddressTest site={site} />
      ) : (
        <Empty title="Choose the site first" action={<At to={placeOfStep('site', begun)}>Go to the site</At>} />
      )}
      {begun.partnerId === undefined ? (
        <Empty title="There is no partner yet" action={<At to={placeOfStep('partner', begun)}>Go to the partner</At>} />
      ) : (
        <HandOver partnerId={begun.partnerId} />
      )}
    </>
  )
}

function HandOver({ partnerId }: { partnerId: string }) {
  const environment = useEnvironment()
  const partner = useQuery(read(environment, 'readPartner', { path: { partnerId } }))
  const sites = useSites()
  const nameOf = (siteId: number) => sites.find((site) => site.siteId === siteId)?.name ?? 'Site'
  return (
    <Section title="For the partner’s developers">
      <Loaded query={partner}>
        {(told) => (
          <Facts
            facts={[
              ['Partner', told.name],
              [
                'Partner id',
                <span key="id" data-varies>
                  {told.partnerId}
                </span>,
              ],
              ['Sites', told.siteIds.map((siteId) => `${nameOf(siteId)} (${siteId})`).join(', ')],
              ['Environment', environment],
              [
                'Credential',
                told.machineMethod === 'BEARER'
                  ? 'its client id, and the secret that was shown once'
                  : 'its own certificate',
              ],
              [
                'Documents',
                <a key="documents" href={environment === 'sandbox' ? '/sandbox/docs' : '/docs'}>
                  The partner API
                </a>,
              ],
            ]}
          />
        )}
      </Loaded>
      <p>
        <At to={`/partners/${partnerId}`}>Open the partner</At>
      </p>
    </Section>
  )
}
