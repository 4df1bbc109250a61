import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { read } from '../../../api/queries.ts'
import { At } from '../../../kit/at.tsx'
import { Loaded } from '../../../kit/loaded.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { inWords, Status } from '../../../kit/status.tsx'
import { PageTabs, type PageTab } from '../../../kit/tabs.tsx'
import { PartnerBrand } from '../../../partners/brand.tsx'
import { Credentials } from '../../../partners/credentials.tsx'
import { Grants } from '../../../partners/grants.tsx'
import { PartnerOverview } from '../../../partners/overview.tsx'
import { stateOf } from '../../../partners/partner-list.tsx'
import { PartnerVerbs } from '../../../partners/partner-verbs.tsx'
import type { Partner } from '../../../partners/partner.ts'
import { People } from '../../../partners/people.tsx'
import { PartnerOrders, PartnerRequests, PartnerSubmissions } from '../../../partners/traffic.tsx'
import { Webhooks } from '../../../partners/webhooks.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { OwnClock } from '../../../simulator/own-clock.tsx'

export const Route = createFileRoute('/$environment/partners/$partnerId')({ component: PartnerPage })

function PartnerPage() {
  const { partnerId } = Route.useParams()
  const partner = useQuery(read(useEnvironment(), 'readPartner', { path: { partnerId } }, { live: ['partner'] }))
  return (
    <Loaded query={partner}>
      {(told) => (
        <>
          <PageHead
            title={told.name}
            status={
              <>
                <Status value={stateOf(told)} />
                <OwnClock partnerId={partnerId} />
              </>
            }
            about={`${inWords(told.tier)} · ${told.siteIds.length === 1 ? 'one site' : `${told.siteIds.length} sites`}`}
            above={<At to="/partners">Partners</At>}
            actions={<PartnerVerbs partner={told} />}
          />
          <PageTabs label="Parts of the partner" tabs={tabsOf(told)} />
        </>
      )}
    </Loaded>
  )
}

function tabsOf(partner: Partner): readonly PageTab[] {
  return [
    { name: 'overview', label: 'Overview', shows: () => <PartnerOverview partner={partner} /> },
    { name: 'grants', label: 'Grants', needs: 'setGrantedSites', shows: () => <Grants partner={partner} /> },
    {
      name: 'credentials',
      label: 'Credentials',
      needs: 'listAppClients',
      shows: () => <Credentials partner={partner} />,
    },
    { name: 'people', label: 'People', needs: 'listPeople', shows: () => <People partner={partner} /> },
    { name: 'webhooks', label: 'Webhooks', needs: 'listEndpoints', shows: () => <Webhooks partner={partner} /> },
    { name: 'requests', label: 'Calls', needs: 'listRequests', shows: () => <PartnerRequests partner={partner} /> },
    {
      name: 'submissions',
      label: 'Submissions',
      needs: 'listSubmissions',
      shows: () => <PartnerSubmissions partner={partner} />,
    },
    { name: 'orders', label: 'Orders', needs: 'listOrders', shows: () => <PartnerOrders partner={partner} /> },
    {
      name: 'brand',
      label: 'Brand and alerts',
      needs: 'readPartnerBrand',
      shows: () => <PartnerBrand partner={partner} />,
    },
  ]
}
