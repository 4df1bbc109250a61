import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf, QueryOf } from '../api/api.ts'
import { list, read } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { Beside } from '../kit/beside.tsx'
import { DataTable, usePages, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { Facts } from '../kit/facts.tsx'
import { FilterBar, queryFrom, TimeFilter, useUrlState } from '../kit/filters.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Section } from '../kit/section.tsx'
import { Status } from '../kit/status.tsx'
import { verb, Verbs } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import { PingOutcome } from '../partners/test-ping.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { PartnerFilter } from '../shell/record-filters.tsx'
import { useSiteFilter } from '../shell/sites.ts'
import { deliveryReason } from './delivery-reason.ts'
import { Json } from './submission-detail.tsx'
import { withChosen } from './with-chosen.ts'

type Delivery = AnswerOf<'listFailedDeliveries'>['deliveries'][number]

const columns: readonly Column<Delivery>[] = [
  { id: 'on', header: 'When', width: 150, cell: ({ createdOn, siteId }) => <When at={createdOn} siteId={siteId} /> },
  { id: 'type', header: 'Event', cell: ({ type, isTestPing }) => (isTestPing ? 'Test ping' : type) },
  {
    id: 'order',
    header: 'Order',
    width: 110,
    cell: ({ orderNumber, isTestPing }) => (isTestPing ? '–' : orderNumber),
  },
  { id: 'partner', header: 'Partner', width: 190, hideBelow: 'sm', cell: ({ partnerName }) => partnerName },
  { id: 'endpoint', header: 'Endpoint', hideBelow: 'md', cell: ({ endpointUrl }) => endpointUrl },
  {
    id: 'answer',
    header: 'Answer',
    width: 90,
    align: 'end',
    hideBelow: 'md',
    cell: ({ responseStatus }) => responseStatus ?? 'none',
  },
  { id: 'reason', header: 'Why', width: 280, hideBelow: 'sm', cell: ({ reason }) => reason && deliveryReason(reason) },
]

/** Webhooks that did not arrive. */
export function DeliveryList() {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const [state, set] = useUrlState()
  const query = { ...queryFrom(state, ['partnerId', 'from', 'to']), siteId } as QueryOf<'listFailedDeliveries'>
  const deliveries = usePages(useInfiniteQuery(list(environment, 'listFailedDeliveries', { query })), 'deliveries')
  return (
    <>
      <FilterBar>
        <PartnerFilter />
        <TimeFilter />
      </FilterBar>
      <Beside
        title={state.chosen && 'Delivery'}
        of={state.chosen}
        detail={state.chosen && <DeliveryDetail key={state.chosen} deliveryId={Number(state.chosen)} />}
        onClose={() => set({ chosen: undefined })}
      >
        <DataTable
          label="Failed deliveries"
          query={deliveries}
          columns={columns}
          rowKey={({ deliveryId }) => String(deliveryId)}
          linkOf={({ deliveryId }) => withChosen(state, String(deliveryId))}
          current={state.chosen}
          empty={
            <Empty title="Every webhook arrived">
              Those that arrived are listed at their order and their endpoint.
            </Empty>
          }
        />
      </Beside>
    </>
  )
}

export function DeliveryDetail({ deliveryId }: { deliveryId: number }) {
  const [pinged, setPinged] = useState<number>()
  const delivery = useQuery(read(useEnvironment(), 'readDelivery', { path: { deliveryId } }))
  return (
    <Loaded query={delivery}>
      {(told) => (
        <>
          <Facts
            facts={[
              [
                'Outcome',
                <Status
                  key="outcome"
                  value={told.outcome ?? 'queued'}
                  label={told.outcome === null ? 'Waiting' : undefined}
                />,
              ],
              ['Why', told.reason && deliveryReason(told.reason)],
              [
                'Partner',
                <At key="partner" to={`/partners/${told.partnerId}`}>
                  {told.partnerName}
                </At>,
              ],
              [
                'Endpoint',
                <At key="endpoint" to={`/partners/${told.partnerId}?tab=webhooks&endpoint=${told.endpointId}`}>
                  {told.endpointUrl}
                </At>,
              ],
              ['Event', told.isTestPing ? 'Test ping' : told.type],
              [
                'Event id',
                <span key="event" data-varies>
                  {told.eventId}
                </span>,
              ],
              [
                'Order',
                told.isTestPing ? (
                  'none, it is a test ping'
                ) : (
                  <At key="order" to={`/orders/${told.orderNumber}`}>
                    {told.orderNumber}
                  </At>
                ),
              ],
              ['Sent', <When key="sent" at={told.attemptedOn} siteId={told.siteId} />],
              ['Took', told.durationMilliseconds === null ? null : `${told.durationMilliseconds} ms`],
              ['Answered', told.responseStatus],
            ]}
          />
          <Verbs
            verbs={[
              verb(
                'sendTestPing',
                'Send a test ping to the endpoint',
                { path: { endpointId: told.endpointId } },
                { quiet: true, onDone: ({ deliveryId: ping }) => setPinged(ping) },
              ),
            ]}
          />
          {pinged !== undefined && <PingOutcome key={pinged} deliveryId={pinged} />}
          <Section title="What was sent">
            <Json value={pretty(told.body)} />
          </Section>
          {told.responseExcerpt && (
            <Section title="What came back">
              <Json value={told.responseExcerpt} />
            </Section>
          )}
        </>
      )}
    </Loaded>
  )
}

function pretty(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
