import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { DataTable, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { FilterBar, FilterChoice, useUrlState } from '../kit/filters.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { PageBody } from '../kit/page-body.tsx'
import { Status } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'

export type Center = AnswerOf<'listFulfilmentCenters'>['fulfilmentCenters'][number]

const columns: readonly Column<Center>[] = [
  { id: 'name', header: 'Plant', cell: ({ name }) => name },
  {
    id: 'where',
    header: 'Where',
    cell: ({ address, stateCode, postalCode, countryCode }) =>
      [address?.city, stateCode, postalCode, countryCode].filter(Boolean).join(' '),
  },
  { id: 'zone', header: 'Time zone', hideBelow: 'md', cell: ({ timeZone }) => timeZone },
  { id: 'cutOff', header: 'Cut-off', width: 90, hideBelow: 'sm', cell: ({ cutOffHour }) => `${cutOffHour}:00` },
  {
    id: 'priceable',
    header: 'Delivery',
    width: 160,
    hideBelow: 'sm',
    cell: ({ priceable, archivedOn }) =>
      archivedOn !== null ? (
        <Status value="ARCHIVED" />
      ) : priceable ? (
        <Status value="ready" label="Priced" />
      ) : (
        <Status value="WARNING" label="Not priced" />
      ),
  },
]

/** The plants from which goods leave. They serve all sites. */
export function CenterList() {
  const [state] = useUrlState()
  const query = state['archived'] === 'true' ? { query: { archived: true } } : {}
  const centers = useQuery(read(useEnvironment(), 'listFulfilmentCenters', query))
  return (
    <>
      <FilterBar>
        <FilterChoice name="archived" label="In use" data={[{ value: 'true', label: 'Archived' }]} />
      </FilterBar>
      <PageBody>
        <Loaded query={centers}>
          {({ fulfilmentCenters }) => (
            <DataTable
              label="Plants"
              fit
              rows={fulfilmentCenters}
              columns={columns}
              rowKey={({ fulfilmentCenterId }) => String(fulfilmentCenterId)}
              linkOf={({ fulfilmentCenterId }) => `/fulfilment-centers/${fulfilmentCenterId}`}
              empty={<Empty title="No plants">Goods leave from a plant. Begin with "New plant".</Empty>}
            />
          )}
        </Loaded>
      </PageBody>
    </>
  )
}
