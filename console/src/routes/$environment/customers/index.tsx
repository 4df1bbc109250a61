import { Button } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { useMay } from '../../../api/session.ts'
import { CreditList } from '../../../customers/credit-list.tsx'
import { DivisionTree } from '../../../customers/division-tree.tsx'
import { NewCredit } from '../../../customers/new-credit.tsx'
import { NewDivision } from '../../../customers/new-division.tsx'
import { NewSegment } from '../../../customers/new-segment.tsx'
import { NewUser } from '../../../customers/new-user.tsx'
import { SegmentList } from '../../../customers/segment-list.tsx'
import { UserList } from '../../../customers/user-list.tsx'
import { useGo } from '../../../kit/at.tsx'
import { useUrlState } from '../../../kit/filters.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { PageTabs, type PageTab } from '../../../kit/tabs.tsx'
import { asking, Verbs, type Verb } from '../../../kit/verbs.tsx'

export const Route = createFileRoute('/$environment/customers/')({ component: CustomersPage })

const tabs: readonly PageTab[] = [
  { name: 'users', label: 'Users', needs: 'listUsers', shows: () => <UserList /> },
  { name: 'divisions', label: 'Divisions', needs: 'listDivisions', shows: () => <DivisionTree /> },
  { name: 'segments', label: 'Segments', needs: 'listSegments', shows: () => <SegmentList /> },
  { name: 'credit', label: 'Credit', needs: 'listCreditAccounts', shows: () => <CreditList /> },
]

/** What may be added on each tab. */
const additions: Readonly<Record<string, Verb>> = {
  users: asking('createUser', 'New user…', (close) => <NewUser close={close} />),
  divisions: asking('createDivision', 'New division…', (close) => <NewDivision close={close} />),
  segments: asking('createSegment', 'New segment…', (close) => <NewSegment close={close} />),
  credit: asking('openCreditAccount', 'Open an account…', (close) => <NewCredit close={close} />),
}

function CustomersPage() {
  const [{ tab = 'users' }] = useUrlState()
  const go = useGo()
  const may = useMay()
  const addition = additions[tab] ?? additions['users']!
  return (
    <>
      <PageHead
        title="Customers"
        actions={
          <>
            {tab === 'users' && may('exportUsers') && (
              <Button variant="default" onClick={() => go('/customers/files')}>
                CSV files
              </Button>
            )}
            <Verbs key={tab} verbs={[addition]} />
          </>
        }
      />
      <PageTabs label="Customers" fill tabs={tabs} />
    </>
  )
}
