import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { read } from '../../../api/queries.ts'
import { SegmentView } from '../../../customers/segment-view.tsx'
import { Loaded } from '../../../kit/loaded.tsx'
import { InZone } from '../../../kit/when.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { useSite } from '../../../shell/sites.ts'

export const Route = createFileRoute('/$environment/customers/segments/$segmentId')({ component: SegmentPage })

function SegmentPage() {
  const segmentId = Number(Route.useParams().segmentId)
  const segment = useQuery(read(useEnvironment(), 'readSegment', { path: { segmentId } }))
  const zone = useSite(segment.data?.siteId)?.timeZone
  return (
    <InZone value={zone}>
      <Loaded query={segment}>{(found) => <SegmentView key={found.segmentId} segment={found} />}</Loaded>
    </InZone>
  )
}
