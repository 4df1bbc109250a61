import { useInfiniteQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { Active } from '../customers/active.tsx'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Status } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'

type Site = AnswerOf<'listSites'>['sites'][number]

const columns: readonly Column<Site>[] = [
  { id: 'name', header: 'Site', cell: ({ name }) => name },
  { id: 'siteId', header: 'Number', width: 80, hideBelow: 'sm', cell: ({ siteId }) => siteId },
  { id: 'url', header: 'Address', hideBelow: 'md', cell: ({ url }) => url.replace(/^https?:\/\//, '') },
  { id: 'country', header: 'Country', width: 80, hideBelow: 'md', cell: ({ countryCode }) => countryCode },
  { id: 'currency', header: 'Currency', width: 80, hideBelow: 'md', cell: ({ currency }) => currency },
  {
    id: 'ordering',
    header: 'Partners order for',
    hideBelow: 'sm',
    cell: ({ orderingUser }) =>
      orderingUser === null ? (
        <Status value="MISSING" label="Nobody" />
      ) : (
        (orderingUser.username ?? `User ${orderingUser.userId}`)
      ),
  },
  { id: 'active', header: 'State', width: 100, cell: ({ active }) => <Active is={active} /> },
]

export function SiteList() {
  const sites = usePages(useInfiniteQuery(list(useEnvironment(), 'listSites', {})), 'sites')
  return (
    <PageBody>
      <DataTable
        label="Sites"
        fit
        query={sites}
        columns={columns}
        rowKey={({ siteId }) => String(siteId)}
        linkOf={({ siteId }) => `/sites/${siteId}`}
        empty={<Empty title="No sites yet">A site is a shop with its own prices, users and delivery.</Empty>}
      />
    </PageBody>
  )
}
