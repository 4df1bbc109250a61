import { useInfiniteQuery } from '@tanstack/react-query'
import type { QueryOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { FilterBar, FilterText, queryFrom, useUrlState } from '../kit/filters.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { Partner } from './partner.ts'

const columns: readonly Column<Partner>[] = [
  { id: 'name', header: 'Partner', cell: ({ name }) => name },
  { id: 'state', header: 'State', width: 110, cell: (partner) => <Status value={stateOf(partner)} /> },
  {
    id: 'method',
    header: 'Signs in by',
    width: 130,
    hideBelow: 'sm',
    cell: ({ machineMethod }) => (machineMethod === 'MTLS' ? 'Certificate' : 'Client secret'),
  },
  { id: 'tier', header: 'Tier', width: 110, hideBelow: 'sm', cell: ({ tier }) => inWords(tier) },
  { id: 'sites', header: 'Sites', width: 70, align: 'end', hideBelow: 'md', cell: ({ siteIds }) => siteIds.length },
  {
    id: 'created',
    header: 'Since',
    width: 120,
    hideBelow: 'md',
    cell: ({ createdOn }) => <When at={createdOn} short />,
  },
]

export function stateOf({ disabledOn, mergedInto }: Partner): string {
  if (mergedInto !== null) return 'MERGED'
  return disabledOn === null ? 'ACTIVE' : 'DISABLED'
}

export function PartnerList() {
  const environment = useEnvironment()
  const [state] = useUrlState()
  const query = queryFrom(state, ['q']) as QueryOf<'listPartners'>
  const partners = usePages(
    useInfiniteQuery(list(environment, 'listPartners', { query }, { live: ['partner'] })),
    'partners',
  )
  return (
    <>
      <FilterBar>
        <FilterText name="q" label="Name begins with" width={220} />
      </FilterBar>
      <DataTable
        label="Partners"
        query={partners}
        columns={columns}
        rowKey={({ partnerId }) => partnerId}
        linkOf={({ partnerId }) => `/partners/${partnerId}`}
        empty={<Empty title="No partner matches">Begin the onboarding of a new one with the button above.</Empty>}
      />
    </>
  )
}
