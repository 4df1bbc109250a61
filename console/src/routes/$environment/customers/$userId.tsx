import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { read } from '../../../api/queries.ts'
import { UserView } from '../../../customers/user-view.tsx'
import { Loaded } from '../../../kit/loaded.tsx'
import { InZone } from '../../../kit/when.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { useSite } from '../../../shell/sites.ts'

export const Route = createFileRoute('/$environment/customers/$userId')({ component: UserPage })

function UserPage() {
  const userId = Number(Route.useParams().userId)
  const user = useQuery(read(useEnvironment(), 'readUser', { path: { userId } }))
  const zone = useSite(user.data?.siteId)?.timeZone
  return (
    <InZone value={zone}>
      <Loaded query={user}>{(found) => <UserView key={found.userId} user={found} />}</Loaded>
    </InZone>
  )
}
