import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { read } from '../../../api/queries.ts'
import { DivisionView } from '../../../customers/division-view.tsx'
import { Loaded } from '../../../kit/loaded.tsx'
import { InZone } from '../../../kit/when.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { useSite } from '../../../shell/sites.ts'

export const Route = createFileRoute('/$environment/customers/divisions/$divisionId')({ component: DivisionPage })

function DivisionPage() {
  const divisionId = Number(Route.useParams().divisionId)
  const division = useQuery(read(useEnvironment(), 'readDivision', { path: { divisionId } }))
  const zone = useSite(division.data?.siteId)?.timeZone
  return (
    <InZone value={zone}>
      <Loaded query={division}>{(found) => <DivisionView key={found.divisionId} division={found} />}</Loaded>
    </InZone>
  )
}
