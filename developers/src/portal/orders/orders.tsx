import { At } from '../address.tsx'
import type { AnswerOf } from '../api/client.ts'
import { useList } from '../api/queries.ts'
import { useEnvironment } from '../environment.ts'
import { Empty, Failed, Loading } from '../kit/loaded.tsx'
import { Page } from '../kit/page.tsx'
import { Status } from '../kit/status.tsx'
import { When } from '../kit/when.tsx'
import { countOf } from '../kit/words.ts'
import { Proof } from './proof.tsx'

type Order = AnswerOf<'listOrders'>['orders'][number]

/** The orders with a proof that somebody has to decide. */
export function Orders() {
  // Each order takes some calls more, and small tiers have few.
  const list = useList('listOrders', 'orders', { awaitingProof: true, limit: 10 })
  return (
    <Page title="Orders that wait" says="Their proofs wait for a decision. Nothing is printed before it is approved.">
      {list.error && <Failed error={list.error} retry={list.readAnew} />}
      {list.isLoading && !list.error && <Loading />}
      {!list.isLoading && !list.error && list.items.length === 0 && (
        <Empty title="Nothing waits for you">
          Orders come here as soon as a proof of theirs is there to be looked at.
        </Empty>
      )}
      {list.items.map((order) => (
        <OrderThatWaits key={order.orderNumber} order={order} />
      ))}
      {list.hasMore && (
        <button type="button" className="button" onClick={list.readMore} disabled={list.isReadingMore}>
          {list.isReadingMore ? 'Reading…' : 'Show older ones'}
        </button>
      )}
    </Page>
  )
}

function OrderThatWaits({ order }: { order: Order }) {
  const { orderNumber, partnerOrderId, placedOn, status } = order
  const isSandbox = useEnvironment() === 'sandbox'
  const lines = useList('listOrderItems', 'items', { orderNumber, limit: 200 })
  const pending = lines.items.filter(({ cancelled, proofStatus }) => !cancelled && proofStatus === 'PENDING_REVIEW')
  const declined = lines.items.filter(({ cancelled, proofStatus }) => !cancelled && proofStatus === 'DECLINED')
  return (
    <section className="card order" aria-labelledby={`order-${orderNumber}`}>
      <div className="head">
        <h2 id={`order-${orderNumber}`}>Order {orderNumber}</h2>
        <div className="row">
          <Status value={status} />
          {isSandbox && (
            <At page="world" filters={{ orderNumber: String(orderNumber) }}>
              Take a step
            </At>
          )}
        </div>
      </div>
      <p className="soft">
        {partnerOrderId !== null && (
          <>
            Yours: <bdi>{partnerOrderId}</bdi> ·{' '}
          </>
        )}
        Placed <When at={placedOn} zone /> · {order.totalPrice} {order.currency}
      </p>
      {lines.error && <Failed error={lines.error} retry={lines.readAnew} />}
      {lines.isLoading && !lines.error && <Loading />}
      {pending.map((line) => (
        <Proof key={line.itemNumber} line={line} />
      ))}
      {declined.length > 0 && (
        <p className="soft">
          {countOf(declined.length, 'line')} {declined.length === 1 ? 'was' : 'were'} declined and{' '}
          {declined.length === 1 ? 'waits' : 'wait'} for a new proof.
        </p>
      )}
    </section>
  )
}
