import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { revisionOf } from '../../../api/api.ts'
import { read } from '../../../api/queries.ts'
import { Loaded } from '../../../kit/loaded.tsx'
import { NotThere } from '../../../kit/not-there.tsx'
import { InZone } from '../../../kit/when.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { CenterView } from '../../../sites/center-view.tsx'

export const Route = createFileRoute('/$environment/fulfilment-centers/$fulfilmentCenterId')({ component: CenterPage })

function CenterPage() {
  const environment = useEnvironment()
  const fulfilmentCenterId = Number(Route.useParams().fulfilmentCenterId)
  const centers = useQuery(read(environment, 'listFulfilmentCenters', {}))
  const inUse = centers.data?.fulfilmentCenters.find((center) => center.fulfilmentCenterId === fulfilmentCenterId)
  const archive = useQuery({
    ...read(environment, 'listFulfilmentCenters', { query: { archived: true } }),
    enabled: centers.data !== undefined && !inUse,
  })
  const archived = archive.data?.fulfilmentCenters.find((center) => center.fulfilmentCenterId === fulfilmentCenterId)
  const found = inUse ?? archived
  if (found) {
    return (
      <InZone value={found.timeZone}>
        <CenterView key={fulfilmentCenterId} center={found} revision={inUse ? revisionOf(centers.data) : undefined} />
      </InZone>
    )
  }
  return <Loaded query={centers.data ? archive : centers}>{() => <NotThere />}</Loaded>
}
