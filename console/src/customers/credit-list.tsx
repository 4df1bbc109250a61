import { useInfiniteQuery } from '@tanstack/react-query'
import type { AnswerOf, QueryOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { FilterBar, FilterChoice, queryFrom, useUrlState } from '../kit/filters.tsx'
import { Money } from '../kit/money.tsx'
import { Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSiteFilter, useSites } from '../shell/sites.ts'
import { Active, activeChoices } from './active.tsx'
import { DivisionName, UserName } from './names.tsx'

export type CreditAccount = AnswerOf<'listCreditAccounts'>['creditAccounts'][number]

/** What an account is called: its template, else its number. */
export function nameOfCredit({ creditAccountId, templateName }: CreditAccount): string {
  return templateName ?? `Credit ${creditAccountId}`
}

/** For whom the account is. */
export function Holder({ account: { userId, divisionId } }: { account: CreditAccount }) {
  if (userId !== null) return <UserName userId={userId} />
  return divisionId !== null && <DivisionName divisionId={divisionId} />
}

/** Whether orders draw on it now: an account that is in use may have ended, or not begun. */
export function CreditState({ account: { active, startsOn, stopsOn } }: { account: CreditAccount }) {
  const now = Date.now()
  if (active && stopsOn !== null && Date.parse(stopsOn) <= now) return <Status value="INACTIVE" label="Ended" />
  if (active && startsOn !== null && Date.parse(startsOn) > now) return <Status value="INACTIVE" label="Not begun" />
  return <Active is={active} />
}

/** Credit accounts, all or those of a holder. */
export function CreditList({ of, fit = false }: { of?: { userId: number } | { divisionId: number }; fit?: boolean }) {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const [state] = useUrlState()
  const sites = useSites()
  const query = (of ?? { ...queryFrom(state, ['active']), siteId }) as QueryOf<'listCreditAccounts'>
  const accounts = usePages(useInfiniteQuery(list(environment, 'listCreditAccounts', { query })), 'creditAccounts')
  const siteOf = (account: CreditAccount) => sites.find((site) => site.siteId === account.siteId)
  const columns: readonly Column<CreditAccount>[] = [
    { id: 'name', header: 'Account', cell: nameOfCredit },
    ...(of
      ? []
      : ([
          {
            id: 'holder',
            header: 'Holder',
            width: 180,
            cell: (account) => <Holder account={account} />,
          },
          { id: 'site', header: 'Site', hideBelow: 'md', cell: (account) => siteOf(account)?.name ?? account.siteId },
        ] satisfies Column<CreditAccount>[])),
    {
      id: 'balance',
      header: 'Balance',
      align: 'end',
      width: 120,
      cell: (account) => <Money amount={account.currentBalance} currency={siteOf(account)?.currency} />,
    },
    {
      id: 'amount',
      header: 'Opened with',
      align: 'end',
      width: 120,
      hideBelow: 'md',
      cell: (account) => <Money amount={account.amount} currency={siteOf(account)?.currency} />,
    },
    {
      id: 'active',
      header: 'State',
      width: 100,
      hideBelow: 'sm',
      cell: (account) => <CreditState account={account} />,
    },
    {
      id: 'stops',
      header: 'Ends',
      width: 110,
      hideBelow: 'md',
      cell: ({ stopsOn }) => <When at={stopsOn} short />,
    },
  ]
  return (
    <>
      {!of && (
        <FilterBar>
          <FilterChoice name="active" label="State" data={activeChoices} width={120} />
        </FilterBar>
      )}
      <DataTable
        label="Credit accounts"
        fit={fit}
        query={accounts}
        columns={columns}
        rowKey={({ creditAccountId }) => String(creditAccountId)}
        linkOf={({ creditAccountId }) => `/customers/credit/${creditAccountId}`}
        empty={
          of ? (
            <p>No credit account.</p>
          ) : (
            <Empty title="No credit accounts match">Take a filter away, or look in all sites.</Empty>
          )
        }
      />
    </>
  )
}
