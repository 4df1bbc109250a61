import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { decimalString, type Money, money, sum } from '../../vocabulary/money.ts'
import type { OrderStatus } from '../../vocabulary/statuses.ts'
import { recordAudit, type Actor } from '../audit/audit.ts'
import { drawDown, type Movement } from '../credit/draw-down.ts'
import { recordEvents } from '../events/events.ts'
import type { CarrierRates } from '../shipping/rates.ts'
import type { OrderProblem, OrderRequest } from './order-request.ts'
import { planOrder, type OrderPlan, type PlannedLine } from './plan-order.ts'

/**
 * Makes an order real: stock taken, credit drawn, order, lines, shipments, event and audit record in one transaction, or
 * nothing at all and the reasons. It owns the rows of a new order; their later life is production's.
 */
export type PlacingContext = {
  orderingUserId: number
  /** who submitted it, where a partner did */
  submitter: { partnerId: string; partnerOrderId: string; submissionId: string } | null
  actor: Actor
  requestId: string | null
  now: Date
}

export type PlacedOrder = {
  orderNumber: number
  projectId: number
  status: OrderStatus
  totalPrice: Money
  lines: { partnerLineId: string; quantity: number; lineListTotal: Money; lineTotalBeforeAdjustments: Money }[]
}

export type Placement = { placed: PlacedOrder } | { problems: OrderProblem[] }

/** @param alongside what else belongs into the order's transaction, once the order is written */
export async function placeOrder(
  database: Database,
  carrierRates: CarrierRates,
  request: OrderRequest,
  context: PlacingContext,
  alongside: (tx: Transaction, order: PlacedOrder) => Promise<void>,
): Promise<Placement> {
  const planned = await planOrder(database.reads, carrierRates, context.orderingUserId, request, context.now)
  if ('problems' in planned) return planned
  try {
    return { placed: await database.transaction((tx) => write(tx, planned.plan, context, alongside)) }
  } catch (error) {
    if (error instanceof StockRanOut) return { problems: error.problems }
    throw error
  }
}

/** Other orders took the last pieces between plan and placing: the transaction is undone. */
class StockRanOut extends Error {
  readonly problems: OrderProblem[]
  constructor(problems: OrderProblem[]) {
    super('stock ran out')
    this.problems = problems
  }
}

async function write(
  tx: Transaction,
  plan: OrderPlan,
  context: PlacingContext,
  alongside: (tx: Transaction, order: PlacedOrder) => Promise<void>,
): Promise<PlacedOrder> {
  const { request, facts, totals } = plan
  const { now } = context
  // The first three travel together; locks are always taken in this order, stock by id and then credit by id.
  const [taken, accounts, numbers] = await Promise.all([
    takeStock(tx, plan, now),
    creditToDraw(tx, plan, now),
    takeNumbers(tx, plan.lines.length, plan.parcels.length),
  ])
  const movements = drawDown(accounts, {
    product: totals.itemTotal.minus(totals.discountTotal),
    shipping: totals.shippingTotal,
    handling: totals.handlingTotal,
    tax: totals.taxTotal,
  })
  const amount = (value: Money): string => decimalString(value, facts.scale)
  const status: OrderStatus = plan.requiresApproval ? 'PENDING_APPROVAL' : 'IN_PROCESS'
  const { order_number: orderNumber, project_id: projectId } = numbers
  const { email, ...shipTo } = request.shipTo ?? {}
  const order: PlacedOrder = {
    orderNumber,
    projectId,
    status,
    totalPrice: totals.totalPrice,
    lines: plan.lines.map((line) => ({
      partnerLineId: line.asked.partnerLineId,
      quantity: line.asked.quantity,
      lineListTotal: line.price.lineListTotal,
      lineTotalBeforeAdjustments: line.price.lineTotalBeforeAdjustments,
    })),
  }

  await Promise.all([
    tx.rows(sql`
      insert into orders (order_number, site_id, project_id, user_id, division_id, partner_id, partner_order_id,
        submission_id, status, placed_on, updated_on, currency, item_total, discount_total, handling_total,
        shipping_total, tax_total, credit_applied, total_price, item_count, ship_to, bill_to, shipping_service_id,
        shipping_provider, shipping_method, ship_notification_email)
      values (${orderNumber}, ${request.siteId}, ${projectId}, ${facts.buyer.userId}, ${facts.divisionId},
        ${context.submitter?.partnerId ?? null}, ${context.submitter?.partnerOrderId ?? null},
        ${context.submitter?.submissionId ?? null}, ${status}, ${now}, ${now}, ${facts.currency},
        ${amount(totals.itemTotal)}, ${amount(totals.discountTotal)}, ${amount(totals.handlingTotal)},
        ${amount(totals.shippingTotal)}, ${amount(totals.taxTotal)},
        ${amount(sum(movements.map((movement) => movement.amount.neg())))}, ${amount(totals.totalPrice)},
        ${plan.lines.length}, ${request.shipTo ? JSON.stringify({ ...shipTo, email }) : null},
        ${request.billTo ? JSON.stringify(request.billTo) : null}, ${plan.service?.shippingServiceId ?? null},
        ${plan.service?.provider ?? null}, ${plan.service?.serviceName ?? null}, ${email ?? null})`),
    insertLines(tx, plan, orderNumber, numbers.item_numbers, taken, now),
    insertShipments(tx, plan, orderNumber, numbers.shipment_numbers, now),
    drawCredit(tx, plan, orderNumber, movements, now),
    recordEvents(tx, now, [{ type: 'order.status_changed', siteId: request.siteId, orderNumber }]),
    recordAudit(tx, now, {
      actor: context.actor,
      action: 'order.created',
      subject: { kind: 'order', id: orderNumber },
      siteId: request.siteId,
      requestId: context.requestId,
      detail: { status, totalPrice: amount(totals.totalPrice), currency: facts.currency, lines: plan.lines.length },
    }),
    alongside(tx, order),
  ])
  return order
}

type Numbers = { order_number: number; project_id: number; item_numbers: number[]; shipment_numbers: number[] }

async function takeNumbers(tx: Transaction, lines: number, shipments: number): Promise<Numbers> {
  const row = await tx.row<{ order_number: number; project_id: number; item_numbers: string; shipment_numbers: string }>(sql`
    select nextval('order_number_sequence') as order_number, nextval('project_id_sequence') as project_id,
      (select json_agg(nextval('item_number_sequence')) from generate_series(1, ${lines}))::text as item_numbers,
      (select json_agg(nextval('shipment_number_sequence')) from generate_series(1, ${shipments}))::text as shipment_numbers`)
  return {
    order_number: row!.order_number,
    project_id: row!.project_id,
    item_numbers: JSON.parse(row!.item_numbers) as number[],
    shipment_numbers: JSON.parse(row!.shipment_numbers ?? '[]') as number[],
  }
}

/** Pieces from the shelf and pieces still to come, for each line of the plan; null = stock is not tracked. */
type Taken = { fromStock: number; backordered: number } | null

/** Takes what the lines need off the shelves, in the order of the variants' ids so that two orders never wait for each other. */
async function takeStock(tx: Transaction, plan: OrderPlan, now: Date): Promise<Taken[]> {
  const needed = new Map<number, number>()
  for (const line of plan.lines) {
    if (!line.variant) continue
    const id = line.variant.stockVariantId
    needed.set(id, (needed.get(id) ?? 0) + line.asked.quantity)
  }
  if (needed.size === 0) return plan.lines.map(() => null)
  const shelves = await tx.rows<{ variant_id: number; was: number | null; backorderable: boolean }>(sql`
    with shelf as (
      select variant.variant_id, variant.stock_quantity as was, variant.backorderable, needed.quantity
      from unnest(${[...needed.keys()]}::int[], ${[...needed.values()]}::int[]) as needed(variant_id, quantity)
      join variant using (variant_id)
      where variant.stock_quantity is not null
      order by variant.variant_id
      for update of variant
    ), taken as (
      update variant set stock_quantity = greatest(shelf.was - shelf.quantity, 0), updated_on = ${now}
      from shelf where variant.variant_id = shelf.variant_id
    )
    select variant_id, was, backorderable from shelf`)
  const left = new Map(shelves.map((shelf) => [shelf.variant_id, shelf]))
  const problems: OrderProblem[] = []
  const taken = plan.lines.map((line, index): Taken => {
    const shelf = line.variant && left.get(line.variant.stockVariantId)
    if (!shelf || shelf.was === null) return null
    const fromStock = Math.min(shelf.was, line.asked.quantity)
    const backordered = line.asked.quantity - fromStock
    shelf.was -= fromStock
    if (backordered > 0 && !shelf.backorderable) problems.push(stockProblem(line, index, fromStock))
    return { fromStock, backordered }
  })
  if (problems.length > 0) throw new StockRanOut(problems)
  return taken
}

function stockProblem(line: PlannedLine, index: number, available: number): OrderProblem {
  return {
    detail: `Only ${available} are in stock.`,
    field: `lines[${index}].quantity`,
    partnerLineId: line.asked.partnerLineId,
  }
}

type CreditRow = {
  credit_account_id: number
  current_balance: string
  shipping_applicable: boolean | null
  handling_applicable: boolean | null
  tax_applicable: boolean | null
}

/** The accounts an order of this buyer draws on, locked: the user's first, then those of the user's division. */
async function creditToDraw(tx: Transaction, plan: OrderPlan, now: Date) {
  const { userId, divisionId } = plan.facts.buyer
  // Served by credit_account_by_user and credit_account_by_division.
  const rows = await tx.rows<CreditRow & { user_id: number | null }>(sql`
    select credit_account_id, user_id, current_balance, shipping_applicable, handling_applicable, tax_applicable
    from credit_account
    where (user_id = ${userId} or division_id = ${divisionId}) and active and current_balance > 0
      and (starts_on is null or starts_on <= ${now}) and (stops_on is null or stops_on > ${now})
    order by credit_account_id
    for update`)
  const usersFirst = rows.toSorted((a, b) => Number(a.user_id === null) - Number(b.user_id === null))
  return usersFirst.map((row) => ({
    creditAccountId: row.credit_account_id,
    balance: money(row.current_balance),
    shippingApplicable: row.shipping_applicable,
    handlingApplicable: row.handling_applicable,
    taxApplicable: row.tax_applicable,
  }))
}

async function drawCredit(
  tx: Transaction,
  plan: OrderPlan,
  orderNumber: number,
  movements: readonly Movement[],
  now: Date,
): Promise<void> {
  if (movements.length === 0) return
  const amounts = movements.map((movement) => decimalString(movement.amount, plan.facts.scale))
  await tx.rows(sql`
    with movement as (
      insert into credit_adjustment (site_id, credit_account_id, type, amount, balance_after, order_number, user_id, created_on)
      select ${plan.request.siteId}, credit_account_id, type, amount, balance_after, ${orderNumber}::bigint,
        ${plan.facts.buyer.userId}::int, ${now}
      from unnest(${movements.map((movement) => movement.creditAccountId)}::int[],
        ${movements.map((movement) => movement.type)}::text[], ${amounts}::numeric[],
        ${movements.map((movement) => decimalString(movement.balanceAfter, plan.facts.scale))}::numeric[])
        as drawn(credit_account_id, type, amount, balance_after)
      returning credit_account_id, amount
    )
    update credit_account set current_balance = current_balance + drawn.amount
    from (select credit_account_id, sum(amount) as amount from movement group by credit_account_id) drawn
    where credit_account.credit_account_id = drawn.credit_account_id`)
}

async function insertLines(
  tx: Transaction,
  plan: OrderPlan,
  orderNumber: number,
  itemNumbers: readonly number[],
  taken: readonly Taken[],
  now: Date,
): Promise<void> {
  const { scale } = plan.facts
  const rows = plan.lines.map((line, index) => lineRow(line, itemNumbers[index]!, index + 1, taken[index]!, scale))
  await tx.rows(sql`
    insert into order_line (order_number, site_id, updated_on, line_number, item_number, sku, product_number, product_id,
      product_name, product_code, variant_id, stock_variant_id, stock_taken, job_name, external_id, quantity,
      line_list_total, line_total_before_adjustments, line_total, handling_total, product_discount, user_discount,
      attributes, tax_percent, handling_tax_percent, unit_weight_ounces, turnaround_business_days,
      estimated_ship_by, shippable, digital_delivery, artwork_source, template_variables, backorder_quantity)
    select ${orderNumber}::bigint, ${plan.request.siteId}::int, ${now}::timestamptz, line.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as line(line_number int, item_number bigint, sku text,
      product_number bigint, product_id text, product_name text, product_code text, variant_id int, stock_variant_id int,
      stock_taken int, job_name text, external_id text, quantity int, line_list_total numeric,
      line_total_before_adjustments numeric, line_total numeric, handling_total numeric, product_discount jsonb,
      user_discount jsonb, attributes jsonb, tax_percent numeric, handling_tax_percent numeric,
      unit_weight_ounces numeric, turnaround_business_days int, estimated_ship_by timestamptz, shippable boolean,
      digital_delivery boolean, artwork_source text, template_variables jsonb, backorder_quantity int)`)
}

function lineRow(line: PlannedLine, itemNumber: number, lineNumber: number, taken: Taken, scale: number) {
  const { asked, product, variant, price } = line
  const amount = (value: Money): string => decimalString(value, scale)
  const discount = (applied: PlannedLine['price']['userDiscount']) =>
    applied && { name: applied.name, percent: applied.percent.toFixed(), amount: amount(applied.amount) }
  return {
    line_number: lineNumber,
    item_number: itemNumber,
    sku: asked.sku ?? variant?.sku ?? null,
    product_number: product.productNumber,
    product_id: product.productId,
    product_name: product.name,
    product_code: product.code,
    variant_id: variant?.variantId ?? null,
    stock_variant_id: variant?.stockVariantId ?? null,
    stock_taken: taken?.fromStock ?? 0,
    job_name: asked.jobName ?? null,
    external_id: asked.partnerLineId,
    quantity: asked.quantity,
    line_list_total: amount(price.lineListTotal),
    line_total_before_adjustments: amount(price.lineTotalBeforeAdjustments),
    line_total: amount(price.lineTotal),
    handling_total: amount(price.handlingTotal),
    product_discount: discount(price.productDiscount),
    user_discount: discount(price.userDiscount),
    attributes: product.attributeNames.flatMap((name, index) => {
      const choice = variant?.choices[index]
      return choice ? [{ name, choice }] : []
    }),
    tax_percent: line.taxPercent.toFixed(),
    handling_tax_percent: line.handlingTaxPercent.toFixed(),
    unit_weight_ounces: line.pieceWeightOunces?.toFixed() ?? null,
    turnaround_business_days: product.turnaroundBusinessDays,
    estimated_ship_by: line.estimatedShipBy,
    shippable: product.shippable,
    digital_delivery: product.digitalDelivery,
    artwork_source: product.artworkSource,
    template_variables: asked.templateVariables ?? null,
    backorder_quantity: taken?.backordered ?? null,
  }
}

async function insertShipments(
  tx: Transaction,
  plan: OrderPlan,
  orderNumber: number,
  shipmentNumbers: readonly number[],
  now: Date,
): Promise<void> {
  if (plan.parcels.length === 0) return
  const rows = plan.parcels.map((parcel, index) => ({
    shipment_number: shipmentNumbers[index],
    fulfilment_center_id: parcel.fulfilmentCenterId,
    ship_to: withoutEmail(parcel.place),
    shipping_total: decimalString(parcel.shippingTotal, plan.facts.scale),
    tax_percent: parcel.taxPercent.toFixed(),
    estimated_ship_by: parcel.estimatedShipBy,
    estimated_delivery_from: parcel.deliveryFrom,
    estimated_delivery_to: parcel.deliveryTo,
    items: parcel.lineIndexes.map((position) => ({
      line_number: position + 1,
      quantity: plan.lines[position]!.asked.quantity,
    })),
  }))
  await tx.rows(sql`
    with parcel as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as parcel(shipment_number bigint,
        fulfilment_center_id int, ship_to jsonb, shipping_total numeric, tax_percent numeric,
        estimated_ship_by timestamptz, estimated_delivery_from timestamptz, estimated_delivery_to timestamptz, items jsonb)
    ), made as (
      insert into shipment (shipment_number, order_number, site_id, shipping_service_id, provider, service_name,
        fulfilment_center_id, ship_to, internal_notes, shipping_total, tax_percent, estimated_ship_by,
        estimated_delivery_from, estimated_delivery_to, created_on, updated_on)
      select shipment_number, ${orderNumber}::bigint, ${plan.request.siteId}::int, ${plan.service?.shippingServiceId ?? null}::int,
        ${plan.service?.provider ?? null}, ${plan.service?.serviceName ?? null}, fulfilment_center_id, ship_to,
        ${plan.request.shippingNotes ?? null}, shipping_total, tax_percent, estimated_ship_by, estimated_delivery_from,
        estimated_delivery_to, ${now}::timestamptz, ${now}::timestamptz
      from parcel
    )
    insert into shipment_line (shipment_number, order_number, line_number, quantity)
    select parcel.shipment_number, ${orderNumber}::bigint, item.line_number, item.quantity
    from parcel, jsonb_to_recordset(parcel.items) as item(line_number int, quantity int)`)
}

function withoutEmail(place: OrderRequest['shipTo']): unknown {
  const { email: _told, ...rest } = place!
  return rest
}
