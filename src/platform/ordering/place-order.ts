import { breaksConstraint, type Database, type Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { decimalString, type Money, money, sum } from '../../vocabulary/money.ts'
import { Outage } from '../../vocabulary/outage.ts'
import type { OrderStatus } from '../../vocabulary/statuses.ts'
import { recordAudit, type Actor } from '../audit/audit.ts'
import { drawDown } from '../credit/draw-down.ts'
import { recordMovements } from '../credit/record-movements.ts'
import { recordEvents } from '../events/events.ts'
import { discard, fetchArtwork, type FetchedFile } from './fetch-artwork.ts'
import type { OrderProblem, OrderRequest } from './order-request.ts'
import { planOrder, type OrderPlan, type PlannedLine, type Suppliers } from './plan-order.ts'

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
  suppliers: Suppliers,
  request: OrderRequest,
  context: PlacingContext,
  alongside: (tx: Transaction, order: PlacedOrder) => Promise<void>,
): Promise<Placement> {
  let files: FetchedFile[] | undefined
  let isKept = false
  try {
    for (let tries = triesMax; ; tries--) {
      const planned = await planOrder(database.reads, suppliers, context.orderingUserId, request, context.now)
      if ('problems' in planned) return planned
      // Fetched for an order that stands in every other respect, and once however often it is planned.
      const fetched = files ? { files } : await fetchArtwork(suppliers.artwork, request.lines)
      if ('problems' in fetched) return fetched
      files = fetched.files
      try {
        const placed = await database.transaction((tx) => write(tx, planned.plan, fetched.files, context, alongside))
        isKept = true
        return { placed }
      } catch (error) {
        // A connection lost at the commit leaves open whether the order is there: its files must be, then.
        isKept = error instanceof Outage
        // Others took the last pieces since the plan: a new plan sees what is left, and says so if it is too little.
        if (tries > 1 && breaksConstraint(error, 'variant_stock_not_negative')) continue
        throw error
      }
    }
  } finally {
    if (!isKept) await discard(suppliers.artwork.objectStore, files ?? [])
  }
}

const triesMax = 5

async function write(
  tx: Transaction,
  plan: OrderPlan,
  files: readonly FetchedFile[],
  context: PlacingContext,
  alongside: (tx: Transaction, order: PlacedOrder) => Promise<void>,
): Promise<PlacedOrder> {
  const { request, facts, totals } = plan
  const { now } = context
  const accounts = facts.hasCredit ? await creditToDraw(tx, plan, now) : []
  const movements = drawDown(accounts, {
    product: totals.itemTotal.minus(totals.discountTotal),
    shipping: totals.shippingTotal,
    handling: totals.handlingTotal,
    tax: totals.taxTotal,
  })
  const amount = (value: Money): string => decimalString(value, facts.scale)
  const status: OrderStatus = plan.requiresApproval ? 'PENDING_APPROVAL' : 'IN_PROCESS'
  const { orderNumber, projectId, itemNumbers, shipmentNumbers } = plan.numbers
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
    insertLines(tx, plan, orderNumber, itemNumbers, now),
    insertFiles(tx, request.siteId, orderNumber, files, now),
    insertShipments(tx, plan, orderNumber, shipmentNumbers, now),
    recordMovements(
      tx,
      { orderNumber, siteId: request.siteId, userId: facts.buyer.userId, scale: facts.scale },
      movements,
      now,
    ),
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
  await takeStock(tx, plan, orderNumber, now)
  return order
}

/**
 * Takes what the lines need off the shelves, last of all and together with the commit: many orders want the same shelf,
 * and none keeps it longer than that. Locks go by ascending id, so two orders never wait for each other, and are weak
 * enough to pass by the foreign keys of order lines. A shelf that
 * may go below zero owes pieces, and its lines are told how many; one that may not breaks variant_stock_not_negative.
 */
async function takeStock(tx: Transaction, plan: OrderPlan, orderNumber: number, now: Date): Promise<void> {
  const needed = new Map<number, number>()
  for (const { variant, asked } of plan.lines) {
    if (variant) needed.set(variant.stockVariantId, (needed.get(variant.stockVariantId) ?? 0) + asked.quantity)
  }
  if (needed.size === 0) return
  const variantIds = [...needed.keys()]
  // The lock is a statement of its own: one that both locks and updates can deadlock with its like on a busy shelf.
  const locked = tx.rows(sql`
    select variant_id from variant where variant_id = any(${variantIds}::int[]) order by variant_id
    for no key update`)
  const taken = tx.finish(sql`
    with taken as (
      update variant set stock_quantity = variant.stock_quantity - needed.quantity, updated_on = ${now}
      from unnest(${variantIds}::int[], ${[...needed.values()]}::bigint[]) as needed(variant_id, quantity)
      where variant.variant_id = needed.variant_id and variant.stock_quantity is not null
      returning variant.variant_id, variant.stock_quantity as left_over
    ), owed as (
      select order_line.line_number, order_line.quantity, -taken.left_over
        - coalesce(sum(order_line.quantity) over (partition by taken.variant_id order by order_line.line_number
          rows between 1 following and unbounded following), 0) as pieces
      from taken
      join order_line on order_line.order_number = ${orderNumber} and order_line.stock_variant_id = taken.variant_id
      where taken.left_over < 0
    )
    update order_line set backorder_quantity = greatest(least(owed.pieces, owed.quantity), 0)
    from owed
    where order_line.order_number = ${orderNumber} and order_line.line_number = owed.line_number`)
  await Promise.all([locked, taken])
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

async function insertLines(
  tx: Transaction,
  plan: OrderPlan,
  orderNumber: number,
  itemNumbers: readonly number[],
  now: Date,
): Promise<void> {
  const { scale } = plan.facts
  const rows = plan.lines.map((line, index) => lineRow(line, itemNumbers[index]!, index + 1, scale))
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

function lineRow(line: PlannedLine, itemNumber: number, lineNumber: number, scale: number) {
  const { asked, product, variant, price } = line
  const isCounted = variant !== null && variant.availableQuantity !== null
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
    stock_taken: isCounted ? asked.quantity : 0,
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
    backorder_quantity: isCounted ? 0 : null,
  }
}

async function insertFiles(
  tx: Transaction,
  siteId: number,
  orderNumber: number,
  files: readonly FetchedFile[],
  now: Date,
): Promise<void> {
  if (files.length === 0) return
  await tx.rows(sql`
    insert into print_file (site_id, order_number, line_number, file_name, object_key, size_bytes, md5, attached_on)
    select ${siteId}, ${orderNumber}::bigint, file.*, ${now}
    from unnest(${files.map((file) => file.lineNumber)}::int[], ${files.map((file) => file.fileName)}::text[],
      ${files.map((file) => file.objectKey)}::text[], ${files.map((file) => file.sizeBytes)}::bigint[],
      ${files.map((file) => file.md5)}::text[]) as file`)
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
