import { Button, Group } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { list } from '../api/queries.ts'
import { Amounts } from '../kit/facts.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Money } from '../kit/money.tsx'
import { Section } from '../kit/section.tsx'
import { inWords } from '../kit/status.tsx'
import { asking, Verbs } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { usePrint } from './documents.tsx'
import { changeInWords } from './history-words.ts'
import { IssueInvoice } from './issue-invoice.tsx'
import { inPieces, useOrderMoney, type OrderMoney as Told, type RefundedLine } from './money-of-order.ts'
import classes from './order.module.css'
import type { Order } from './order.ts'
import { Refund } from './refund.tsx'

/** The order in money, as a ledger: what was charged, what was given back, what is left. */
export function OrderMoney({ order }: { order: Order }) {
  const money = useOrderMoney(order)
  return (
    <Loaded query={money}>
      {(told) => (
        <>
          <Section
            title="Ledger"
            actions={
              <Verbs
                first={2}
                label="More for the money"
                verbs={[
                  asking('refundOrder', 'Refund…', (close) => <Refund order={order} money={told} close={close} />),
                  asking('issueInvoice', 'Issue an invoice…', (close) => (
                    <IssueInvoice order={order} money={told} close={close} />
                  )),
                ]}
              />
            }
          >
            <Amounts
              facts={[
                ['Charged', <Money key="charged" amount={told.charged} currency={told.currency} />],
                ['Of that from credit', <Money key="credit" amount={told.creditApplied} currency={told.currency} />],
                ['Paid outside', <Money key="outside" amount={told.paidOutside} currency={told.currency} />],
                ['Refunded', <Money key="refunded" amount={told.refunded} currency={told.currency} />],
                ...(told.owedOutside
                  ? ([
                      ['Owed to the customer', <Money key="owed" amount={told.owedOutside} currency={told.currency} />],
                    ] as const)
                  : []),
                ['Left to refund', <Money key="left" amount={told.left} currency={told.currency} />],
              ]}
            />
            <Movements money={told} />
          </Section>
          <Invoices order={order} />
        </>
      )}
    </Loaded>
  )
}

function Movements({ money: { movements, currency } }: { money: Told }) {
  return (
    <div className={classes.scroll} tabIndex={0} role="group" aria-label="Movements">
      <table className={classes.ledger}>
        <thead>
          <tr>
            {['What', 'Items', 'Discount', 'Handling', 'Shipping', 'Tax', 'Total', 'Credit'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {movements.map((movement, at) => (
            <tr key={movement.movementId ?? `placed ${at}`}>
              <td>
                {inWords(movement.kind)}
                <div className={classes.soft}>
                  {movement.kind === 'PLACED' ? null : `${changeInWords(movement.cause)} · `}
                  <When at={movement.recordedOn} /> {movement.actorId && `· ${movement.actorId}`}
                </div>
                {movement.refund && (
                  <div className={classes.soft}>
                    {[
                      ...movement.refund.lines.map(goodsOf),
                      movement.refund.reason && inWords(movement.refund.reason),
                      movement.refund.comment,
                      movement.refund.reference,
                      movement.refund.outsideReference,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </div>
                )}
              </td>
              {[
                movement.items,
                movement.discount,
                movement.handling,
                movement.shipping,
                movement.tax,
                movement.total,
                movement.credit,
              ].map((amount, column) => (
                <td key={column}>
                  <Money amount={amount} currency={currency} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** "2 pieces of line 1", of which the amount stands in its column. */
function goodsOf({ lineNumber, pieces }: RefundedLine): string {
  return pieces === 0 ? `line ${lineNumber}` : `${inPieces(pieces)} of line ${lineNumber}`
}

function Invoices({ order }: { order: Order }) {
  const environment = useEnvironment()
  const invoices = useInfiniteQuery(
    list(environment, 'listOrderInvoices', { path: { orderNumber: order.orderNumber } }, { live: ['order'] }),
  )
  const draw = usePrint('drawInvoice')
  const all = invoices.data?.pages.flatMap((page) => page.invoices) ?? []
  if (all.length === 0) return null
  return (
    <Section title="Invoices and credit notes">
      <ul className={classes.notes}>
        {all.map((invoice) => (
          <li key={invoice.invoiceNumber}>
            <Group gap="sm">
              <span>
                {inWords(invoice.kind)} {invoice.invoiceNumber} ·{' '}
                <Money amount={invoice.total} currency={invoice.currency} /> · <When at={invoice.issuedOn} />
              </span>
              <Button
                variant="default"
                loading={draw.isPending}
                onClick={() => draw.mutate({ siteId: invoice.siteId, invoiceNumber: invoice.invoiceNumber })}
              >
                Print
              </Button>
            </Group>
          </li>
        ))}
      </ul>
    </Section>
  )
}
