import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { At } from '../kit/at.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSite } from '../shell/sites.ts'

/** The name of a partner of which a record keeps the id. */
export function PartnerName({ partnerId }: { partnerId: string }) {
  const may = useMay()
  const { data } = useQuery({
    ...read(useEnvironment(), 'readPartner', { path: { partnerId } }),
    enabled: may('readPartner'),
  })
  return <At to={`/partners/${partnerId}`}>{data?.name ?? partnerId}</At>
}

/** The name of a site of which a record keeps the number. */
export function SiteName({ siteId }: { siteId: number | null }) {
  const site = useSite(siteId)
  if (siteId === null) return '–'
  return site ? <At to={`/sites/${siteId}`}>{site.name}</At> : siteId
}
