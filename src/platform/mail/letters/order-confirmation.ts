import { sql } from '../../../database/sql.ts'
import { money } from '../../../vocabulary/money.ts'
import { addressLines, type Place } from '../../../vocabulary/address-lines.ts'
import { serviceInWords } from '../../../vocabulary/service-name.ts'
import type { Block, Item, Total } from '../look/letter.ts'
import type { LetterMaker } from './letter-maker.ts'
import { amountText, dayText, greeting } from './words.ts'

type Line = {
  name: string
  jobName: string | null
  attributes: { name: string; choice: string }[]
  quantity: number
  total: string | null
}

type Order = {
  orderNumber: number
  partnerOrderId: string | null
  status: string
  placedOn: string
  currency: string
  itemTotal: string | null
  discountTotal: string | null
  handlingTotal: string | null
  shippingTotal: string | null
  taxTotal: string | null
  creditApplied: string | null
  totalPrice: string | null
  shipTo: Place | null
  shippingProvider: string | null
  shippingMethod: string | null
  timeZone: string
  firstName: string | null
  lines: Line[]
}

const linesShownMax = 100

export const orderConfirmation: LetterMaker<'order_confirmation'> = async ({ reads }, { orderNumber }) => {
  // The primary keys of orders, site and site_user, and order_line's
  const order = await reads.row<Order>(sql`
    select order_number, partner_order_id, status, placed_on, orders.currency, item_total, discount_total,
      handling_total, shipping_total, tax_total, credit_applied, total_price, ship_to, shipping_provider,
      shipping_method, site.time_zone, buyer.first_name, (
        select coalesce(json_agg(json_build_object('name', product_name, 'jobName', job_name, 'attributes', attributes,
          'quantity', quantity, 'total', line_total::text) order by line_number), '[]')
        from (
          select * from visible_order_line line
          where line.order_number = orders.order_number and cancelled_on is null
          order by line_number limit ${linesShownMax}
        ) as line
      ) as lines
    from orders join site using (site_id) left join site_user buyer using (user_id)
    where order_number = ${orderNumber}`)
  if (!order || order.lines.length === 0) return undefined
  const waits = order.status === 'PENDING_APPROVAL'
  const blocks: Block[] = [
    { is: 'text', text: greeting(order.firstName) },
    {
      is: 'text',
      text: waits
        ? 'Thank you for your order. We have it, and begin as soon as it is approved.'
        : 'Thank you for your order. We have it, and begin to work on it.',
    },
    { is: 'facts', rows: factsOf(order) },
    { is: 'items', items: order.lines.map((line) => itemOf(line, order.currency)), totals: totalsOf(order) },
    ...(order.shipTo ? [{ is: 'address', title: 'We ship to', lines: addressLines(order.shipTo) } as const] : []),
  ]
  return {
    letter: {
      subject: `Order ${order.orderNumber}: we have received it`,
      preheader: waits ? 'It waits for approval.' : 'Thank you. We begin to work on it.',
      title: 'We have received your order',
      blocks,
    },
  }
}

function factsOf(order: Order): (readonly [string, string])[] {
  const delivery = serviceInWords(order.shippingProvider, order.shippingMethod)
  return [
    ['Order', String(order.orderNumber)],
    ...(order.partnerOrderId === null ? [] : [['Your reference', order.partnerOrderId] as const]),
    ['Placed on', dayText(order.placedOn, order.timeZone)],
    ...(delivery === null ? [] : [['Delivery', delivery] as const]),
  ]
}

function itemOf({ name, jobName, attributes, quantity, total }: Line, currency: string): Item {
  const choices = attributes.map((each) => `${each.name}: ${each.choice}`).join(', ')
  return {
    name,
    details: [jobName ?? '', choices].filter((detail) => detail !== ''),
    quantity,
    amount: total === null ? null : amountText(total, currency),
  }
}

/** Amounts that are not known, and those of nothing, are left out; discount and credit lower the total. */
function totalsOf(order: Order): Total[] {
  const { currency } = order
  const shown = (name: string, amount: string | null, isTakenOff = false): Total[] => {
    if (amount === null || money(amount).eq(0)) return []
    const signed = isTakenOff ? money(amount).abs().neg().toFixed() : amount
    return [{ name, amount: amountText(signed, currency) }]
  }
  return [
    ...shown('Items', order.itemTotal),
    ...shown('Discount', order.discountTotal, true),
    ...shown('Handling', order.handlingTotal),
    ...shown('Delivery', order.shippingTotal),
    ...shown('Tax', order.taxTotal),
    ...(order.totalPrice === null
      ? []
      : [{ name: 'Total', amount: amountText(order.totalPrice, currency), isSum: true }]),
    ...shown('Paid from credit', order.creditApplied, true),
  ]
}
