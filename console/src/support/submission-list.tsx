import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { AnswerOf, QueryOf } from '../api/api.ts'
import { list, read } from '../api/queries.ts'
import { Beside } from '../kit/beside.tsx'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { FilterBar, FilterChoice, FilterText, queryFrom, TimeFilter, useUrlState } from '../kit/filters.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { PartnerFilter } from '../shell/record-filters.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSiteFilter } from '../shell/sites.ts'
import { SubmissionDetail } from './submission-detail.tsx'
import { withChosen } from './with-chosen.ts'

type Submission = AnswerOf<'listSubmissions'>['submissions'][number]

const columns: readonly Column<Submission>[] = [
  { id: 'on', header: 'Sent', width: 150, cell: ({ createdOn, siteId }) => <When at={createdOn} siteId={siteId} /> },
  { id: 'status', header: 'Status', width: 120, cell: ({ status }) => <Status value={status} /> },
  { id: 'partner', header: 'Partner', hideBelow: 'sm', cell: ({ partnerName }) => partnerName },
  { id: 'number', header: 'Their number', cell: ({ partnerOrderId }) => partnerOrderId },
  { id: 'reasons', header: 'Rejected for', hideBelow: 'md', cell: ({ reasons }) => reasons.map(inWords).join(', ') },
]

const filters = ['partnerId', 'status', 'reason', 'from', 'to', 'partnerOrderId']

/** What partners sent, and what came of it. */
export function SubmissionList() {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const [state, set] = useUrlState()
  const query = { ...queryFrom(state, filters), siteId } as QueryOf<'listSubmissions'>
  const submissions = usePages(
    useInfiniteQuery(list(environment, 'listSubmissions', { query }, { live: ['submission', 'order'] })),
    'submissions',
  )
  const reasons = useQuery(read(environment, 'countSubmissionReasons', { query: { siteId } }))
  return (
    <>
      <FilterBar>
        <FilterChoice
          name="status"
          label="Status"
          data={['failed', 'completed', 'queued', 'processing'].map((value) => ({ value, label: inWords(value) }))}
        />
        <FilterChoice
          name="reason"
          label="Rejected for"
          width={240}
          data={(reasons.data?.reasons ?? []).flatMap(({ reason, submissions: count }) =>
            reason === null ? [] : [{ value: reason, label: `${inWords(reason)} (${count})` }],
          )}
        />
        <PartnerFilter />
        <FilterText name="partnerOrderId" label="Their number" />
        <TimeFilter />
      </FilterBar>
      <Beside
        title={state.chosen && 'Submission'}
        of={state.chosen}
        detail={state.chosen && <SubmissionDetail submissionId={state.chosen} />}
        onClose={() => set({ chosen: undefined })}
      >
        <DataTable
          label="Submissions"
          query={submissions}
          columns={columns}
          rowKey={({ submissionId }) => submissionId}
          linkOf={({ submissionId }) => withChosen(state, submissionId)}
          current={state.chosen}
          empty={<Empty title="No submission matches">Take a filter away, or look in all sites.</Empty>}
        />
      </Beside>
    </>
  )
}
