import { useMemo, useState } from 'react'
import { At, changedSearch, Go, useFilters, type Filters } from '../address.tsx'
import type { AnswerOf, InputOf } from '../api/client.ts'
import { eventTypes } from '../api/contract.gen.ts'
import { useChange, useList, useRead } from '../api/queries.ts'
import { useEnvironment } from '../environment.ts'
import { Beside } from '../kit/beside.tsx'
import { Copy } from '../kit/copy.tsx'
import { Facts } from '../kit/facts.tsx'
import { FilterChoice, FilterSwitch, FilterText } from '../kit/fields.tsx'
import { Empty, Loaded, Refused } from '../kit/loaded.tsx'
import { Section } from '../kit/page.tsx'
import { Status } from '../kit/status.tsx'
import { Table, type Column } from '../kit/table.tsx'
import { When, zoneName } from '../kit/when.tsx'
import { inWords } from '../kit/words.ts'
import { TimeFilter } from '../requests/time-filter.tsx'
import { timesOf } from '../requests/times.ts'
import { deliveryReason } from './delivery-reason.ts'

type Delivery = AnswerOf<'listWebhookDeliveries'>['webhookDeliveries'][number]
type DeliveryDetail = AnswerOf<'getWebhookDelivery'>

const outcomes = ['DELIVERED', 'FAILED', 'SKIPPED'] as const

function queryOf(filters: Filters): InputOf<'listWebhookDeliveries'> {
  const { endpointId, eventType, orderNumber } = filters
  const outcome = outcomes.find((each) => each === filters.outcome)
  return {
    ...(endpointId && { endpointId }),
    ...(outcome && { outcome }),
    ...(eventType && { eventType }),
    ...(orderNumber && /^[1-9]\d{0,14}$/.test(orderNumber) && { orderNumber: Number(orderNumber) }),
    ...timesOf(filters),
    limit: 50,
  }
}

/** What was sent, to whom, and what the receiver said. */
export function Deliveries() {
  const [filters, change] = useFilters()
  const { chosen, ...asked } = filters
  // A delivery has its outcome some seconds after it was made.
  const list = useList('listWebhookDeliveries', 'webhookDeliveries', () => queryOf(asked), {
    key: asked,
    keyOf: ({ deliveryId }) => deliveryId,
    every: 5_000,
  })
  return (
    <Section title="Deliveries">
      <div className="filters" role="search" aria-label="Filters">
        <FilterSwitch
          name="outcome"
          label="Outcome"
          choices={[
            ['', 'All'],
            ['FAILED', 'Failed'],
            ['DELIVERED', 'Delivered'],
            ['SKIPPED', 'Skipped'],
          ]}
        />
        <FilterChoice
          name="eventType"
          label="Event"
          choices={[['', 'All events'], ...eventTypes.map((type) => [type, type] as const)]}
        />
        <FilterText name="orderNumber" label="Order" placeholder="1000123" inputMode="numeric" />
        <TimeFilter kept="All times" />
        {asked.endpointId && (
          <button type="button" className="button" onClick={() => change({ endpointId: undefined })}>
            Only one endpoint ✕<span className="unseen">: show all</span>
          </button>
        )}
      </div>
      <Beside
        title={`Delivery ${chosen}`}
        of={chosen}
        detail={chosen && <Detail deliveryId={Number(chosen)} />}
        onClose={() => change({ chosen: undefined })}
      >
        <Table
          label="Deliveries"
          list={list}
          columns={columns()}
          keyOf={({ deliveryId }) => String(deliveryId)}
          isChosen={({ deliveryId }) => String(deliveryId) === chosen}
          empty={
            <Empty title={Object.keys(asked).length === 0 ? 'Nothing was sent yet' : 'No delivery matches'}>
              {Object.keys(asked).length === 0
                ? 'Each event of your orders is sent to each endpoint that asked for it.'
                : 'Take a filter away, or look further back.'}
            </Empty>
          }
        />
      </Beside>
    </Section>
  )
}

function columns(): readonly Column<Delivery>[] {
  return [
    {
      header: 'Event',
      cell: ({ deliveryId, type }) => (
        <Go className="choose" to={`${location.pathname}${changedSearch({ chosen: String(deliveryId) })}`}>
          {type}
        </Go>
      ),
    },
    { header: 'Outcome', cell: (delivery) => <Outcome delivery={delivery} /> },
    { header: 'Order', cell: orderOf },
    { header: `When (${zoneName()})`, cell: ({ createdOn }) => <When at={createdOn} /> },
    { header: 'To', isMinor: true, cell: ({ endpointUrl }) => <span className="long">{endpointUrl}</span> },
  ]
}

function orderOf({ isTestPing, orderNumber }: Delivery): string {
  if (isTestPing) return 'Test ping'
  return orderNumber === 0 ? '–' : String(orderNumber)
}

function Outcome({ delivery: { outcome, responseStatus, reason } }: { delivery: Delivery }) {
  if (outcome === null) return <Status value="waits" tone="info" label="Under way" />
  const why = responseStatus ?? (reason === null ? null : inWords(reason))
  return <Status value={outcome} label={`${inWords(outcome)}${why === null ? '' : `: ${why}`}`} />
}

function Detail({ deliveryId }: { deliveryId: number }) {
  const delivery = useRead('getWebhookDelivery', { deliveryId })
  return <Loaded query={delivery}>{(known) => <Shown delivery={known} />}</Loaded>
}

function Shown({ delivery }: { delivery: DeliveryDetail }) {
  const isSandbox = useEnvironment() === 'sandbox'
  const { endpointUrl, eventId, orderNumber, responseExcerpt, durationMilliseconds } = delivery
  return (
    <>
      {isSandbox && <Resend delivery={delivery} />}
      <Facts
        facts={[
          ['Event', delivery.isTestPing ? `${delivery.type} (a test ping)` : delivery.type],
          ['Outcome', <Outcome key="outcome" delivery={delivery} />],
          ['Why', delivery.reason !== null && deliveryReason(delivery.reason, delivery.responseStatus)],
          ['Answered', delivery.responseStatus],
          ['Took', durationMilliseconds !== null && `${durationMilliseconds} ms`],
          ['Made', <When key="made" at={delivery.createdOn} zone />],
          ['Attempted', delivery.attemptedOn && <When key="attempted" at={delivery.attemptedOn} zone />],
          [
            'To',
            <At key="to" page="webhooks" filters={{ endpointId: delivery.endpointId }} className="long">
              {endpointUrl}
            </At>,
          ],
          [
            'Order',
            orderNumber !== 0 && (
              <At key="order" page="webhooks" filters={{ orderNumber: String(orderNumber) }}>
                {orderNumber}
              </At>
            ),
          ],
          [
            'Event id',
            <span key="id">
              <code>{eventId}</code> <Copy text={eventId} what="the event id" />
            </span>,
          ],
        ]}
      />
      <Sent delivery={delivery} />
      {responseExcerpt !== null && (
        <>
          <h3>What the receiver answered</h3>
          <pre tabIndex={0} aria-label="What the receiver answered" dir="auto">
            {responseExcerpt === '' ? '(nothing)' : responseExcerpt}
          </pre>
        </>
      )}
    </>
  )
}

/** The very bytes, since a signature covers them; laid out only for reading. */
function Sent({ delivery: { headers, body } }: { delivery: DeliveryDetail }) {
  const [isLaidOut, setIsLaidOut] = useState(true)
  const laidOut = useMemo(() => {
    try {
      return JSON.stringify(JSON.parse(body), null, 2)
    } catch {
      return body
    }
  }, [body])
  return (
    <>
      <h3>Headers sent</h3>
      {headers.length === 0 ? (
        <p className="soft">It was never sent.</p>
      ) : (
        <div className="scroll" role="group" aria-label="Headers sent" tabIndex={0}>
          <table className="table">
            <thead className="unseen">
              <tr>
                <th scope="col">Header</th>
                <th scope="col">Value</th>
              </tr>
            </thead>
            <tbody>
              {headers.map(({ name, value }) => (
                <tr key={name}>
                  <td>
                    <code>{name}</code>
                  </td>
                  <td>{value === null ? <span className="soft">not kept</span> : <code>{value}</code>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="head">
        <h3>Body sent</h3>
        <div className="row">
          <button
            type="button"
            className="button small"
            aria-pressed={!isLaidOut}
            onClick={() => setIsLaidOut(!isLaidOut)}
          >
            As sent
          </button>
          <Copy text={body} what="the body as it was sent" />
        </div>
      </div>
      <pre tabIndex={0} aria-label="Body sent" data-wrap={!isLaidOut || undefined}>
        {isLaidOut ? laidOut : body}
      </pre>
      <p className="soft">{new TextEncoder().encode(body).length} bytes. The signature covers them as sent.</p>
    </>
  )
}

function Resend({ delivery: { deliveryId, outcome } }: { delivery: DeliveryDetail }) {
  const [, change] = useFilters()
  const resend = useChange('resendDelivery')
  const again = resend.data
  return (
    <>
      <div className="row">
        <button
          type="button"
          className="button"
          aria-disabled={resend.isPending || outcome === null}
          onClick={() => outcome !== null && resend.mutate({ deliveryId })}
        >
          {resend.isPending ? 'One moment…' : 'Send it again'}
        </button>
        {again && (
          <span role="status">
            Sent again as{' '}
            <a
              href={changedSearch({ chosen: String(again.deliveryId) })}
              onClick={(event) => {
                event.preventDefault()
                change({ chosen: String(again.deliveryId) }, 'push')
              }}
            >
              delivery {again.deliveryId}
            </a>
            .
          </span>
        )}
      </div>
      <Refused error={resend.error} />
    </>
  )
}
