import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { AnswerOf, QueryOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { Beside } from '../kit/beside.tsx'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { FilterBar, FilterChoice, FilterText, queryFrom, TimeFilter, useUrlState } from '../kit/filters.tsx'
import { Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { PartnerFilter } from '../shell/record-filters.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSiteFilter } from '../shell/sites.ts'
import { RequestDetail } from './request-detail.tsx'
import { withChosen } from './with-chosen.ts'
import { SlownessFilter } from './slowness-filter.tsx'

export type LoggedRequest = AnswerOf<'listRequests'>['requests'][number]

const columns: readonly Column<LoggedRequest>[] = [
  { id: 'on', header: 'When', width: 150, cell: ({ recordedOn, siteId }) => <When at={recordedOn} siteId={siteId} /> },
  { id: 'operation', header: 'Call', cell: ({ operation, method, path }) => operation ?? `${method} ${path}` },
  { id: 'status', header: 'Answer', width: 220, cell: (request) => <AnswerGiven request={request} /> },
  {
    id: 'took',
    header: 'Took',
    width: 80,
    align: 'end',
    hideBelow: 'sm',
    cell: ({ milliseconds }) => `${Math.round(milliseconds)} ms`,
  },
  { id: 'credential', header: 'Credential', width: 200, hideBelow: 'md', cell: ({ credential }) => credential },
]

export function AnswerGiven({ request: { status, code } }: { request: Pick<LoggedRequest, 'status' | 'code'> }) {
  return (
    <Status
      value={String(status)}
      tone={status < 400 ? 'good' : 'bad'}
      label={code === null ? String(status) : `${status} ${code}`}
    />
  )
}

const filters = ['partnerId', 'operation', 'statusClass', 'code', 'credential', 'slowerThan', 'from', 'to']

/** The calls of partners in the last 14 days. */
export function RequestList() {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const [state, set] = useUrlState()
  const query = { ...queryFrom(state, filters), siteId } as QueryOf<'listRequests'>
  const requests = usePages(useInfiniteQuery(list(environment, 'listRequests', { query })), 'requests')
  return (
    <>
      <FilterBar>
        <FilterChoice
          name="statusClass"
          label="Answer"
          data={[
            { value: '5xx', label: 'Failed (5xx)' },
            { value: '4xx', label: 'Refused (4xx)' },
            { value: '2xx', label: 'Done (2xx)' },
          ]}
        />
        <PartnerFilter />
        <FilterText name="operation" label="Operation, as in submitOrder" width={200} />
        <FilterText name="code" label="Problem code" />
        <FilterText name="credential" label="Client id or serial number" width={190} />
        <SlownessFilter />
        <TimeFilter />
      </FilterBar>
      <Beside
        title={state.chosen && 'Request'}
        of={state.chosen}
        detail={
          state.chosen && (
            <>
              <Text size="sm" data-varies>
                {state.chosen}
              </Text>
              <RequestDetail requestId={state.chosen} />
            </>
          )
        }
        onClose={() => set({ chosen: undefined })}
      >
        <DataTable
          label="Requests"
          query={requests}
          columns={columns}
          rowKey={({ requestId, operation, recordedOn }) => `${requestId} ${operation} ${recordedOn}`}
          linkOf={({ requestId }) => withChosen(state, requestId)}
          empty={
            <Empty title="No call matches">Calls are kept for 14 days. Take a filter away, or look in all sites.</Empty>
          }
        />
      </Beside>
    </>
  )
}
