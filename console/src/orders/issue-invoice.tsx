import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { Form, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { moneyText, sumOf } from '../kit/money.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { OrderMoney } from './money-of-order.ts'
import type { Order } from './order.ts'

type Asked = { order: Order; money: OrderMoney; close: () => void }

/** Says first what will be issued. A document that went out under a number cannot be taken back. */
export function IssueInvoice({ order, money, close }: Asked) {
  const path = { orderNumber: order.orderNumber }
  const issued = useQuery(read(useEnvironment(), 'listOrderInvoices', { path, query: { limit: 200 } }))
  return (
    <Loaded query={issued}>
      {({ invoices }) => {
        const amounts = invoices.map(({ kind, total }) => (kind === 'INVOICE' ? total : `-${total}`))
        // The first has all that the order costs, each further one what has changed since.
        const open = invoices.length === 0 ? money.charged : money.left && sumOf([money.left, `-${sumOf(amounts)}`])
        return <Issue order={order} open={open} close={close} />
      }}
    </Loaded>
  )
}

/** @param open what the documents of the order do not contain yet; null = the order has no price */
function Issue({ order, open, close }: { order: Order; open: string | null; close: () => void }) {
  const form = useForm('issueInvoice', {
    initial: {},
    input: () => ({ path: { orderNumber: order.orderNumber } }),
    onDone: close,
  })
  const isCredit = open !== null && open.startsWith('-')
  const isNothing = open !== null && Number(open) === 0
  const what = isCredit ? 'credit note' : 'invoice'
  const amount = open === null ? 'what it costs' : moneyText(isCredit ? open.slice(1) : open, order.currency)
  return (
    <Form
      form={form}
      submit={isNothing ? 'Issue all the same' : `Issue the ${what}${open === null ? '' : ` over ${amount}`}`}
      onCancel={close}
    >
      <Text size="sm">
        {isNothing
          ? `The documents of order ${order.orderNumber} already add up to what it costs.`
          : `Order ${order.orderNumber} gets ${isCredit ? 'a' : 'an'} ${what} over ${amount}, under the next number of its site. It cannot be taken back.`}
      </Text>
    </Form>
  )
}
