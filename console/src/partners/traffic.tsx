import { useInfiniteQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { FilterBar, FilterChoice, useUrlState } from '../kit/filters.tsx'
import { Money } from '../kit/money.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { Partner } from './partner.ts'
import { SlownessFilter } from '../support/slowness-filter.tsx'

type LoggedRequest = AnswerOf<'listRequests'>['requests'][number]
type Submission = AnswerOf<'listSubmissions'>['submissions'][number]
type Order = AnswerOf<'listOrders'>['orders'][number]
type StatusClass = '2xx' | '3xx' | '4xx' | '5xx'

const requestColumns: readonly Column<LoggedRequest>[] = [
  { id: 'operation', header: 'Call', cell: ({ operation, method, path }) => operation ?? `${method} ${path}` },
  {
    id: 'status',
    header: 'Answer',
    width: 190,
    cell: ({ status, code }) => (
      <Status
        value={String(status)}
        tone={status < 400 ? 'good' : 'bad'}
        label={code === null ? String(status) : `${status} ${code}`}
      />
    ),
  },
  {
    id: 'time',
    header: 'Took',
    width: 90,
    align: 'end',
    hideBelow: 'sm',
    cell: ({ milliseconds }) => `${Math.round(milliseconds)} ms`,
  },
  { id: 'on', header: 'When', width: 140, cell: ({ recordedOn, siteId }) => <When at={recordedOn} siteId={siteId} /> },
]

/** The calls of the partner; what went wrong is one choice away. */
export function PartnerRequests({ partner }: { partner: Partner }) {
  const [{ statusClass, slowerThan }] = useUrlState()
  const query = {
    partnerId: partner.partnerId,
    statusClass: statusClass as StatusClass | undefined,
    slowerThan: slowerThan ? Number(slowerThan) : undefined,
  }
  const requests = usePages(useInfiniteQuery(list(useEnvironment(), 'listRequests', { query })), 'requests')
  return (
    <>
      <FilterBar>
        <FilterChoice
          name="statusClass"
          label="Answer"
          data={[
            { value: '4xx', label: 'Refused (4xx)' },
            { value: '5xx', label: 'Failed (5xx)' },
            { value: '2xx', label: 'Done (2xx)' },
          ]}
        />
        <SlownessFilter />
      </FilterBar>
      <DataTable
        label="Calls"
        query={requests}
        columns={requestColumns}
        rowKey={({ requestId, operation, recordedOn }) => `${requestId} ${operation} ${recordedOn}`}
        linkOf={({ requestId }) => `/support/requests/${requestId}`}
        empty={<Empty title="No call matches">Calls of the last 14 days are kept.</Empty>}
      />
    </>
  )
}

const submissionColumns: readonly Column<Submission>[] = [
  { id: 'number', header: 'Their number', cell: ({ partnerOrderId }) => partnerOrderId },
  { id: 'status', header: 'Status', width: 120, cell: ({ status }) => <Status value={status} /> },
  { id: 'reasons', header: 'Rejected for', hideBelow: 'sm', cell: ({ reasons }) => reasons.map(inWords).join(', ') },
  { id: 'on', header: 'Sent', width: 140, cell: ({ createdOn, siteId }) => <When at={createdOn} siteId={siteId} /> },
]

export function PartnerSubmissions({ partner }: { partner: Partner }) {
  const [{ status }] = useUrlState()
  const query = { partnerId: partner.partnerId, status: status as Submission['status'] | undefined }
  const submissions = usePages(
    useInfiniteQuery(list(useEnvironment(), 'listSubmissions', { query }, { live: ['submission', 'order'] })),
    'submissions',
  )
  return (
    <>
      <FilterBar>
        <FilterChoice
          name="status"
          label="Status"
          data={['queued', 'processing', 'completed', 'failed'].map((value) => ({ value, label: inWords(value) }))}
        />
      </FilterBar>
      <DataTable
        label="Submissions"
        query={submissions}
        columns={submissionColumns}
        rowKey={({ submissionId }) => submissionId}
        linkOf={({ submissionId }) => `/support/submissions/${submissionId}`}
        empty={<Empty title="Nothing was sent yet">Orders that the partner sends appear here.</Empty>}
      />
    </>
  )
}

const orderColumns: readonly Column<Order>[] = [
  { id: 'number', header: 'Order', width: 110, cell: ({ orderNumber }) => orderNumber },
  { id: 'status', header: 'Status', width: 150, cell: ({ status }) => <Status value={status} /> },
  { id: 'theirs', header: 'Their number', cell: ({ partnerOrderId }) => partnerOrderId },
  {
    id: 'total',
    header: 'Total',
    width: 110,
    align: 'end',
    cell: ({ totalPrice, currency }) => <Money amount={totalPrice} currency={currency} />,
  },
  {
    id: 'placed',
    header: 'Placed',
    width: 140,
    cell: ({ placedOn, siteId }) => <When at={placedOn} siteId={siteId} />,
  },
]

export function PartnerOrders({ partner }: { partner: Partner }) {
  const orders = usePages(
    useInfiniteQuery(
      list(useEnvironment(), 'listOrders', { query: { partnerId: partner.partnerId } }, { live: ['order'] }),
    ),
    'orders',
  )
  return (
    <DataTable
      label="Orders"
      query={orders}
      columns={orderColumns}
      rowKey={({ orderNumber }) => String(orderNumber)}
      linkOf={({ orderNumber }) => `/orders/${orderNumber}`}
      empty={<Empty title="There are no orders yet">See “Readiness” for what keeps them out.</Empty>}
    />
  )
}
