import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { read } from '../../../api/queries.ts'
import { Loaded } from '../../../kit/loaded.tsx'
import { InZone } from '../../../kit/when.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { SiteView } from '../../../sites/site-view.tsx'

export const Route = createFileRoute('/$environment/sites/$siteId')({ component: SitePage })

function SitePage() {
  const siteId = Number(Route.useParams().siteId)
  const site = useQuery(read(useEnvironment(), 'readSite', { path: { siteId } }))
  return (
    <InZone value={site.data?.timeZone}>
      <Loaded query={site}>{(found) => <SiteView key={found.siteId} site={found} />}</Loaded>
    </InZone>
  )
}
