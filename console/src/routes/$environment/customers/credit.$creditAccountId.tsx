import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { read } from '../../../api/queries.ts'
import { CreditView } from '../../../customers/credit-view.tsx'
import { Loaded } from '../../../kit/loaded.tsx'
import { InZone } from '../../../kit/when.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { useSite } from '../../../shell/sites.ts'

export const Route = createFileRoute('/$environment/customers/credit/$creditAccountId')({ component: CreditPage })

function CreditPage() {
  const creditAccountId = Number(Route.useParams().creditAccountId)
  const account = useQuery(
    read(useEnvironment(), 'readCreditAccount', { path: { creditAccountId } }, { live: ['order'] }),
  )
  const zone = useSite(account.data?.siteId)?.timeZone
  return (
    <InZone value={zone}>
      <Loaded query={account}>{(found) => <CreditView key={found.creditAccountId} account={found} />}</Loaded>
    </InZone>
  )
}
