import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { read } from '../../../api/queries.ts'
import { At } from '../../../kit/at.tsx'
import { Amounts, Facts } from '../../../kit/facts.tsx'
import { useUrlState } from '../../../kit/filters.tsx'
import { Loaded } from '../../../kit/loaded.tsx'
import { Money } from '../../../kit/money.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { inWords, Status } from '../../../kit/status.tsx'
import { InZone, When } from '../../../kit/when.tsx'
import { Address } from '../../../orders/address.tsx'
import { useOrderMoney, useSeesMoney } from '../../../orders/money-of-order.ts'
import { OrderHistory } from '../../../orders/order-history.tsx'
import { OrderLines } from '../../../orders/order-lines.tsx'
import { OrderMoney } from '../../../orders/order-money.tsx'
import { OrderNotes } from '../../../orders/order-notes.tsx'
import { OrderReturns } from '../../../orders/order-returns.tsx'
import { OrderShipments } from '../../../orders/order-shipments.tsx'
import { OrderVerbs } from '../../../orders/order-verbs.tsx'
import classes from '../../../orders/order.module.css'
import type { Order } from '../../../orders/order.ts'
import { useEnvironment } from '../../../shell/environment.ts'
import { OwnClock } from '../../../simulator/own-clock.tsx'
import { useSite } from '../../../shell/sites.ts'

export const Route = createFileRoute('/$environment/orders/$orderNumber')({ component: OrderPage })

/** What is it, where is it, and what may I do? */
function OrderPage() {
  const { orderNumber } = Route.useParams()
  const environment = useEnvironment()
  const order = useQuery(
    read(
      environment,
      'readOrder',
      { path: { orderNumber: Number(orderNumber) } },
      { live: ['order', 'line', 'shipment', 'inspection'] },
    ),
  )
  return <Loaded query={order}>{(told) => <OneOrder order={told} />}</Loaded>
}

const tabs = ['lines', 'shipments', 'money', 'returns', 'notes', 'history']

function OneOrder({ order }: { order: Order }) {
  const site = useSite(order.siteId)
  const seesMoney = useSeesMoney()
  const [{ tab: asked = 'lines' }, set] = useUrlState()
  // A tab that is none, or not for the person, is the first.
  const tab = tabs.includes(asked) && (asked !== 'money' || seesMoney) ? asked : 'lines'
  return (
    <InZone value={site?.timeZone}>
      <PageHead
        title={`Order ${order.orderNumber}`}
        status={
          <>
            <Status value={order.status} />
            <OwnClock partnerId={order.partnerId} />
          </>
        }
        about={
          <>
            {order.partnerId ? <At to={`/partners/${order.partnerId}`}>{order.partnerName}</At> : 'No partner'}
            {order.partnerOrderId && ` · their number ${order.partnerOrderId}`} · {site?.name ?? `site ${order.siteId}`}{' '}
            · placed <When at={order.placedOn} />
          </>
        }
        above={<At to="/orders">Orders</At>}
        actions={<OrderVerbs order={order} />}
      />
      <div className={classes.page}>
        <Tabs
          value={tab}
          onChange={(value) => set({ tab: value === 'lines' ? undefined : (value ?? undefined) })}
          className={classes.tabs}
        >
          <Tabs.List className="no-print">
            <Tabs.Tab value="lines">Lines ({order.lines.length})</Tabs.Tab>
            <Tabs.Tab value="shipments">Shipments ({order.shipments.length})</Tabs.Tab>
            {seesMoney && <Tabs.Tab value="money">Money</Tabs.Tab>}
            <Tabs.Tab value="returns">Returns</Tabs.Tab>
            <Tabs.Tab value="notes">Notes ({order.notes.length})</Tabs.Tab>
            <Tabs.Tab value="history">History</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="lines">
            <OrderLines order={order} />
          </Tabs.Panel>
          <Tabs.Panel value="shipments">
            <OrderShipments order={order} />
          </Tabs.Panel>
          {seesMoney && (
            <Tabs.Panel value="money">
              <OrderMoney order={order} />
            </Tabs.Panel>
          )}
          <Tabs.Panel value="returns">
            <OrderReturns order={order} />
          </Tabs.Panel>
          <Tabs.Panel value="notes">
            <OrderNotes order={order} />
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <OrderHistory order={order} />
          </Tabs.Panel>
        </Tabs>
        <aside className={classes.aside} aria-label="About the order">
          <AboutOrder order={order} seesMoney={seesMoney} />
        </aside>
      </div>
    </InZone>
  )
}

function AboutOrder({ order, seesMoney }: { order: Order; seesMoney: boolean }) {
  const decision = order.decisions.at(-1)
  return (
    <>
      <Facts
        facts={[
          ...(decision
            ? ([
                [
                  inWords(decision.kind),
                  [decision.reason?.label, decision.comment, decision.actorId].filter(Boolean).join(' · '),
                ],
              ] as const)
            : []),
          ['Ships to', <Address key="to" place={order.shipTo} />],
          ...(order.shipTo?.email ? ([['E-mail', order.shipTo.email]] as const) : []),
          ['Delivery', order.shippingMethod ?? 'none'],
          ...(order.purchaseOrderNumber ? ([['Purchase order', order.purchaseOrderNumber]] as const) : []),
          [
            'Ordered by',
            order.userId === null ? (
              'nobody known'
            ) : (
              <At key="user" to={`/customers/${order.userId}`}>
                User {order.userId}
              </At>
            ),
          ],
          ...(order.divisionId === null
            ? []
            : ([
                [
                  'Division',
                  <At key="division" to={`/customers/divisions/${order.divisionId}`}>
                    {order.divisionId}
                  </At>,
                ],
              ] as const)),
          ...(order.submissionId
            ? ([
                [
                  'Submission',
                  <At key="submission" to={`/support/submissions/${order.submissionId}`}>
                    As it was sent
                  </At>,
                ],
              ] as const)
            : []),
          ['Shipped', `${order.shippedItemCount} of ${order.itemCount} lines`],
        ]}
      />
      {seesMoney && <OrderTotals order={order} />}
    </>
  )
}

function OrderTotals({ order }: { order: Order }) {
  const { data: money } = useOrderMoney(order)
  const amount = (value: string | null) => <Money amount={value} currency={order.currency} />
  return (
    <Amounts
      facts={[
        ['Items', amount(order.itemTotal)],
        ['Discount', amount(order.discountTotal)],
        ['Handling', amount(order.handlingTotal)],
        ['Shipping', amount(order.shippingTotal)],
        ['Tax', amount(order.taxTotal)],
        ['Credit', amount(order.creditApplied)],
        ['Total', <strong key="total">{amount(order.totalPrice)}</strong>],
        ...(money && Number(money.refunded) !== 0
          ? ([
              ['Refunded', amount(`-${money.refunded}`)],
              ['After refunds', amount(money.left)],
            ] as const)
          : []),
      ]}
    />
  )
}
