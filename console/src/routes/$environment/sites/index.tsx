import { createFileRoute } from '@tanstack/react-router'
import { useUrlState } from '../../../kit/filters.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { PageTabs, type PageTab } from '../../../kit/tabs.tsx'
import { asking, Verbs, type Verb } from '../../../kit/verbs.tsx'
import { CenterList } from '../../../sites/center-list.tsx'
import { CopySite } from '../../../sites/copy-site.tsx'
import { NewCenter } from '../../../sites/new-center.tsx'
import { NewSite } from '../../../sites/new-site.tsx'
import { ReasonLists } from '../../../sites/reason-lists.tsx'
import { SiteList } from '../../../sites/site-list.tsx'

export const Route = createFileRoute('/$environment/sites/')({ component: SitesPage })

const tabs: readonly PageTab[] = [
  { name: 'sites', label: 'Sites', needs: 'listSites', shows: () => <SiteList /> },
  { name: 'plants', label: 'Plants', needs: 'listFulfilmentCenters', shows: () => <CenterList /> },
  { name: 'reasons', label: 'Reasons', needs: 'readReasons', shows: () => <ReasonLists /> },
]

const additions: Readonly<Record<string, readonly Verb[]>> = {
  sites: [
    asking('createSite', 'New site…', (close) => <NewSite close={close} />),
    asking('copySite', 'Copy a site…', (close) => <CopySite close={close} />),
  ],
  plants: [asking('createFulfilmentCenter', 'New plant…', (close) => <NewCenter close={close} />)],
}

function SitesPage() {
  const [{ tab = 'sites' }] = useUrlState()
  return (
    <>
      <PageHead title="Sites" actions={<Verbs key={tab} verbs={additions[tab] ?? []} />} />
      <PageTabs label="Sites" tabs={tabs} />
    </>
  )
}
