import { useInfiniteQuery } from '@tanstack/react-query'
import type { AnswerOf, QueryOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { FilterBar, FilterChoice, FilterText, queryFrom, useUrlState } from '../kit/filters.tsx'
import { Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSiteFilter, useSites } from '../shell/sites.ts'
import { activeChoices, Active } from './active.tsx'
import { useDivisionChoices } from './divisions-of-site.ts'
import { nameOf } from './texts.ts'

type User = AnswerOf<'listUsers'>['users'][number]

/** Users of the shop sites, found by the beginning of their username or e-mail address. */
export function UserList({ divisionId, fit = false }: { divisionId?: number; fit?: boolean }) {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const [state] = useUrlState()
  const query = (
    divisionId === undefined
      ? { ...queryFrom(state, ['username', 'email', 'active', 'divisionId']), siteId }
      : { divisionId }
  ) as QueryOf<'listUsers'>
  const users = usePages(useInfiniteQuery(list(environment, 'listUsers', { query })), 'users')
  const divisions = useDivisionChoices(siteId)
  const sites = useSites()
  const columns: readonly Column<User>[] = [
    { id: 'name', header: 'Name', cell: nameOf },
    { id: 'username', header: 'Username', hideBelow: 'md', cell: ({ username }) => username ?? '–' },
    { id: 'email', header: 'E-mail', hideBelow: 'sm', cell: ({ email }) => email ?? '–' },
    { id: 'company', header: 'Company', hideBelow: 'md', cell: ({ company }) => company ?? '–' },
    {
      id: 'site',
      header: 'Site',
      width: 180,
      hideBelow: 'md',
      cell: ({ siteId: of }) => sites.find((site) => site.siteId === of)?.name ?? of,
    },
    { id: 'active', header: 'State', width: 100, cell: ({ active }) => <Active is={active} /> },
    {
      id: 'orders',
      header: 'Orders',
      width: 150,
      hideBelow: 'md',
      cell: ({ isOrderingUser, ordersRequireApproval }) =>
        isOrderingUser ? (
          <Status value="ORDERING" tone="info" label="For partners" />
        ) : ordersRequireApproval ? (
          'Need approval'
        ) : (
          '–'
        ),
    },
    {
      id: 'signin',
      header: 'Last sign-in',
      width: 130,
      hideBelow: 'md',
      cell: ({ lastSigninOn }) => <When at={lastSigninOn} />,
    },
  ]
  return (
    <>
      {divisionId === undefined && (
        <FilterBar>
          <FilterText name="username" label="Username begins with" width={190} />
          <FilterText name="email" label="E-mail begins with" width={190} />
          <FilterChoice name="active" label="State" data={activeChoices} width={120} />
          {siteId !== undefined && <FilterChoice name="divisionId" label="Division" data={divisions} width={220} />}
        </FilterBar>
      )}
      <DataTable
        label="Users"
        query={users}
        columns={columns}
        fit={fit}
        rowKey={({ userId }) => String(userId)}
        linkOf={({ userId }) => `/customers/${userId}`}
        empty={
          divisionId === undefined ? (
            <Empty title="No users match">Take a filter away, or look in all sites.</Empty>
          ) : (
            <Empty title="Nobody is in this division">
              Name the division on a user's page to put the user into it.
            </Empty>
          )
        }
      />
    </>
  )
}
