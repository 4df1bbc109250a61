import type { KeyRing } from '../../vocabulary/keys.ts'
import type { Queries, Transaction } from '../../database/database.ts'
import { insertRows } from '../../database/rows.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { currencyScale, decimalString, money, type Money, sum, zero } from '../../vocabulary/money.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { recordAudit } from '../audit/audit.ts'
import { readBrand } from '../sites/brand.ts'
import type { Statement, StatementLine, StatementTotals } from './drawing/sheet-facts.ts'
import { dayIn } from './print-of.ts'
import { readOrderInMoney, type OrderInMoney } from './read-statement.ts'
import { openPeople, sealPeople, withPeople } from './sealed-people.ts'

/**
 * Invoices and credit notes. The first one of an order has all that the order costs; each further one has what has changed
 * since, out of the order's ledger: an invoice if it costs more, a credit note if it costs less or was refunded. So the
 * documents of an order always add up to what the customer owes.
 */

export type Invoice = {
  siteId: number
  invoiceNumber: number
  orderNumber: number
  kind: 'INVOICE' | 'CREDIT_NOTE'
  currency: string
  total: string
  issuedOn: string
}

const columns = sqlText`site_id, invoice_number, order_number, kind, currency, total, issued_on`

/** Of an order, or of a site, by number, those after `after`. */
export function listInvoices(
  queries: Queries,
  of: { siteId: number } | { orderNumber: number },
  after: number,
  limit: number,
): Promise<Invoice[]> {
  // The primary key, or invoice_by_order
  const wanted = 'siteId' in of ? sqlText`site_id = ${of.siteId}` : sqlText`order_number = ${of.orderNumber}`
  return queries.rows<Invoice>(sql`
    select ${columns} from invoice where ${wanted} and invoice_number > ${after}::int
    order by invoice_number limit ${limit}::int`)
}

/**
 * What an invoice shows, without the logo, and without people who were erased.
 * @param personKeys `keys('person-key')`
 */
export async function readInvoice(
  queries: Queries,
  personKeys: KeyRing,
  siteId: number,
  invoiceNumber: number,
): Promise<Statement | undefined> {
  const found = await queries.row<{ orderNumber: number; statement: Statement; peopleSealed: Buffer | null }>(sql`
    select order_number, statement, people_sealed from invoice
    where site_id = ${siteId} and invoice_number = ${invoiceNumber}`)
  if (!found?.peopleSealed) return found?.statement
  return withPeople(found.statement, await openPeople(queries, personKeys, found.orderNumber, found.peopleSealed))
}

type Former = { invoiceNumber: number; chargesTo: number; refundsTo: number }

type Movement = {
  movementId: number
  kind: 'PLACED' | 'CHANGED' | 'REFUNDED' | 'REFUND_COUNTED'
  cause: string
  items: string
  discount: string
  handling: string
  shipping: string
  tax: string
  credit: string
  recordedOn: string
  reason: string | null
  /** what staff said instead of a reason; it may name people */
  comment: string | null
  /** of a refund: which lines it is for, each with its pieces if staff named any */
  goods: readonly RefundedGoods[]
}

type RefundedGoods = {
  lineNumber: number
  productName: string
  productCode: string
  jobName: string | null
  isShown: boolean
  quantity: number
  amount: string
}

/**
 * Issues the invoice of an order, or what has to follow it. Two at once get numbers one after the other.
 * @param personKeys `keys('person-key')`
 */
export async function issueInvoice(
  tx: Transaction,
  change: Change,
  personKeys: KeyRing,
  orderNumber: number,
): Promise<
  | Done<{ siteId: number; invoiceNumber: number }>
  | Refused<'order_not_found' | 'order_pending_approval' | 'order_not_priced' | 'nothing_to_invoice'>
> {
  const locked = await tx.row(sql`select from orders where order_number = ${orderNumber} for no key update`)
  if (!locked) return { refused: 'order_not_found' }
  const [order, former, movements] = await Promise.all([
    readOrderInMoney(tx, orderNumber),
    tx.rows<Former>(sql`
      select invoice_number, charges_to, refunds_to from invoice where order_number = ${orderNumber}
      order by invoice_number`),
    // order_movement_by_order, refund_by_movement, and the keys of refund_part, order_line and reprint
    tx.rows<Movement>(sql`
      select movement_id, kind, cause, items, discount, handling, shipping, tax, credit, recorded_on, (
          select reason.label from refund
          join reason on reason.kind = 'refund' and reason.code = refund.reason
          where refund.movement_id = movement.movement_id
        ) as reason, (
          select comment from refund where refund.movement_id = movement.movement_id and reason is null
        ) as comment, (
          select coalesce(json_agg(json_build_object('lineNumber', line.line_number, 'productName', line.product_name,
            'productCode', line.product_code, 'jobName', line.job_name, 'quantity', part.quantity,
            'amount', part.amount::text, 'isShown', exists (
              select from visible_order_line visible
              where visible.order_number = line.order_number and visible.line_number = coalesce((
                select of_line_number from reprint
                where reprint.order_number = line.order_number and reprint.line_number = line.line_number
              ), line.line_number)
            )) order by line.line_number), '[]')
          from refund_part part
          join order_line line on line.order_number = part.order_number and line.line_number = part.number
          where part.order_number = movement.order_number and part.movement_id = movement.movement_id
            and part.charge = 'ITEMS'
        ) as goods
      from order_movement movement where order_number = ${orderNumber} order by movement_id`),
  ])
  if (!order) return { refused: 'order_not_found' }
  if (order.status === 'PENDING_APPROVAL') return { refused: 'order_pending_approval' }
  if (!order.totals) return { refused: 'order_not_priced' }
  const last = former.at(-1)
  if (!last && order.status === 'CANCELLED') return { refused: 'nothing_to_invoice' }
  const made = last ? furtherOf(order, movements, last) : firstOf(order)
  if (!made) return { refused: 'nothing_to_invoice' }

  const { siteId, timeZone, status: _, ...shown } = order
  // The series of the site: two orders at once would otherwise get the same number.
  await tx.row(sql`select from site where site_id = ${siteId} for no key update`)
  const [next, brand] = await Promise.all([
    tx.row<{ number: number }>(sql`
      select coalesce(max(invoice_number), 0) + 1 as number from invoice where site_id = ${siteId}`),
    readBrand(tx, siteId),
  ])
  const invoiceNumber = next!.number
  const { name, color, supportEmail, senderAddress, taxNumber } = brand
  const statement: Statement = {
    ...shown,
    ...made,
    number: invoiceNumber,
    issuedOn: dayIn(timeZone, change.now.toISOString()),
    amends: former[0]?.invoiceNumber ?? null,
    brand: { name, color, logo: null, supportEmail, senderAddress, taxNumber },
  }
  const newest = movements.at(-1)?.movementId ?? 0
  await insertRows(tx, 'invoice', [
    {
      siteId,
      invoiceNumber,
      orderNumber,
      kind: made.kind,
      currency: order.currency,
      total: made.totals.total,
      ...(await sealPeople(tx, personKeys, orderNumber, statement)),
      chargesTo: newest,
      refundsTo: last ? newest : 0,
      issuedOn: change.now,
    },
  ])
  await recordAudit(tx, change, {
    action: 'invoice.issued',
    subject: { kind: 'invoice', id: invoiceNumber },
    siteId,
    detail: { orderNumber, kind: made.kind, total: made.totals.total, currency: order.currency },
  })
  return { done: { siteId, invoiceNumber } }
}

type Made = { kind: Invoice['kind']; lines: readonly StatementLine[]; totals: StatementTotals }

function firstOf({ lines, totals }: OrderInMoney): Made {
  return { kind: 'INVOICE', lines: lines.filter(({ cancelled }) => !cancelled), totals: totals! }
}

function isRefund({ kind }: Movement): boolean {
  return kind === 'REFUNDED' || kind === 'REFUND_COUNTED'
}

/** What the order's documents do not contain yet. undefined if that is nothing, all together. */
function furtherOf(order: OrderInMoney, movements: readonly Movement[], last: Former): Made | undefined {
  const scale = currencyScale(order.currency)
  const open = movements.filter((each) =>
    isRefund(each) ? each.movementId > last.refundsTo : each.kind === 'CHANGED' && each.movementId > last.chargesTo,
  )
  const of = (part: 'items' | 'discount' | 'handling' | 'shipping' | 'tax' | 'credit'): Money =>
    sum(open.map((each) => money(each[part])))
  const total = sum([of('items'), of('discount'), of('handling'), of('shipping'), of('tax')])
  // Credit that a change gave back is not drawn again when the order costs what it did: then only that much is due.
  const credit = of('credit')
  if (total.eq(zero) && credit.eq(zero)) return undefined
  const isCredit = total.lt(zero) || (total.eq(zero) && credit.gt(zero))
  const shown = (amount: Money): string => decimalString(isCredit ? amount.times(-1) : amount, scale)
  const taxes = of('tax').eq(zero) ? [] : [{ percent: null, base: null, amount: shown(of('tax')) }]
  return {
    kind: isCredit ? 'CREDIT_NOTE' : 'INVOICE',
    lines: open.flatMap((each) => rowsOf(order, each, shown)),
    totals: {
      items: shown(of('items')),
      discounts: shown(of('discount').times(-1)),
      handling: shown(of('handling')),
      shipping: shown(of('shipping')),
      taxes,
      total: shown(total),
      creditApplied: shown(credit),
      due: shown(total.minus(credit)),
    },
  }
}

/** A refund has a row for each line that it is for: product, line, pieces and amount. Any other movement has one. */
function rowsOf(order: OrderInMoney, movement: Movement, shown: (amount: Money) => string): StatementLine[] {
  const whole = lineOf(order, movement, shown)
  if (movement.goods.length === 0) return [whole]
  return movement.goods.map(({ lineNumber, productName, productCode, jobName, isShown, quantity, amount }) => {
    // What is refunded makes the order cost less.
    const cost = shown(money(amount).neg())
    const what = `${whole.productName}, ${whole.productCode}`
    return {
      ...whole,
      ...(isShown
        ? { productName, productCode, jobName, reference: `line ${lineNumber}`, choices: [{ name: '', choice: what }] }
        : { productName: 'Further charges', productCode: what }),
      quantity: quantity === 0 ? null : Math.abs(quantity),
      list: cost,
      discount: shown(zero),
      amount: cost,
    }
  })
}

/** A movement as a line: what happened and when, and what the goods cost more or less by it. */
function lineOf({ timeZone }: OrderInMoney, movement: Movement, shown: (amount: Money) => string): StatementLine {
  const { kind, cause, reason, comment, recordedOn, items, discount } = movement
  const what =
    kind === 'REFUNDED' ? 'Refund' : kind === 'REFUND_COUNTED' ? 'Part of an earlier refund' : causeInWords(cause)
  return {
    productName: reason === null ? what : `${what}: ${reason}`,
    productCode: dayIn(timeZone, recordedOn),
    choices: [],
    jobName: comment,
    reference: null,
    quantity: null,
    list: shown(money(items)),
    discount: shown(money(discount).times(-1)),
    amount: shown(money(items).plus(discount)),
    cancelled: false,
  }
}

/** `order_line.adjusted` as `Order line adjusted`. */
function causeInWords(cause: string): string {
  const words = cause.replaceAll(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
