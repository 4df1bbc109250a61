import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { decimalString, type Money, sum } from '../../vocabulary/money.ts'
import type { OrderStatus } from '../../vocabulary/statuses.ts'
import { recordAudits } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { drawDown } from '../credit/draw-down.ts'
import { recordMovements } from '../credit/record-movements.ts'
import { recordDatedEvents } from '../events/events.ts'
import { claimStrays } from '../files/stray-objects.ts'
import { creditToDraw } from './credit-to-draw.ts'
import type { FetchedFile } from './fetch-artwork.ts'
import type { OrderRequest } from './order-request.ts'
import type { OrderPlan, PlannedLine } from './plan-order.ts'

/** An order with all that is needed to write it. */
export type Placing = { plan: OrderPlan; files: readonly FetchedFile[]; context: PlacingContext }

export type PlacingContext = Change & {
  orderingUserId: number
  /** who submitted it, where a partner did */
  submitter: { partnerId: string; partnerOrderId: string; submissionId: string } | null
}

type DrawnMovement = ReturnType<typeof drawDown>[number]

export type PlacedOrder = {
  orderNumber: number
  projectId: number
  status: OrderStatus
  totalPrice: Money
  lines: { partnerLineId: string; quantity: number; lineListTotal: Money; lineTotalBeforeAdjustments: Money }[]
}

/** What an order draws from credit accounts, which are locked by it; nothing where its buyer has none. */
export async function drawCredit(tx: Transaction, { plan, context }: Placing): Promise<DrawnMovement[]> {
  if (!plan.facts.hasCredit) return []
  const { totals } = plan
  return drawDown(await creditToDraw(tx, plan, context.now), {
    product: totals.itemTotal.minus(totals.discountTotal),
    shipping: totals.shippingTotal,
    handling: totals.handlingTotal,
    tax: totals.taxTotal,
  })
}

/** Writes new orders, each kind of row of all of them by one statement. @param drawn for each order, in their order */
export async function writeOrders(
  tx: Transaction,
  placings: readonly Placing[],
  drawn: readonly DrawnMovement[][],
): Promise<void> {
  await Promise.all([
    insertOrders(tx, placings, drawn),
    insertLines(tx, placings),
    ...placings.map((placing) => insertFiles(tx, placing)),
    insertShipments(tx, placings),
    ...placings.map((placing, index) => recordDrawn(tx, placing, drawn[index]!)),
    recordDatedEvents(
      tx,
      placings.map(({ plan, context }) => ({
        type: 'order.status_changed',
        siteId: plan.request.siteId,
        orderNumber: plan.numbers.orderNumber,
        recordedOn: context.now,
      })),
    ),
    recordAudits(
      tx,
      placings.map(({ plan, context }) => ({
        change: context,
        action: 'order.created',
        subject: { kind: 'order', id: plan.numbers.orderNumber },
        siteId: plan.request.siteId,
        detail: {
          status: statusOf(plan),
          totalPrice: decimalString(plan.totals.totalPrice, plan.facts.scale),
          currency: plan.facts.currency,
          lines: plan.lines.length,
        },
      })),
    ),
  ])
}

function statusOf(plan: OrderPlan): OrderStatus {
  return plan.requiresApproval ? 'PENDING_APPROVAL' : 'IN_PROCESS'
}

export function placedOrder(plan: OrderPlan): PlacedOrder {
  return {
    orderNumber: plan.numbers.orderNumber,
    projectId: plan.numbers.projectId,
    status: statusOf(plan),
    totalPrice: plan.totals.totalPrice,
    lines: plan.lines.map((line) => ({
      partnerLineId: line.asked.partnerLineId,
      quantity: line.asked.quantity,
      lineListTotal: line.price.lineListTotal,
      lineTotalBeforeAdjustments: line.price.lineTotalBeforeAdjustments,
    })),
  }
}

function recordDrawn(tx: Transaction, { plan, context }: Placing, movements: DrawnMovement[]): Promise<void> {
  const cause = {
    orderNumber: plan.numbers.orderNumber,
    siteId: plan.request.siteId,
    userId: plan.facts.buyer.userId,
    scale: plan.facts.scale,
  }
  return recordMovements(tx, cause, movements, context.now)
}

async function insertOrders(
  tx: Transaction,
  placings: readonly Placing[],
  drawn: readonly DrawnMovement[][],
): Promise<void> {
  const rows = placings.map(({ plan, context }, index) => {
    const { request, facts, totals, service } = plan
    const { email, ...shipTo } = request.shipTo ?? {}
    const amount = (value: Money): string => decimalString(value, facts.scale)
    return {
      order_number: plan.numbers.orderNumber,
      site_id: request.siteId,
      project_id: plan.numbers.projectId,
      user_id: facts.buyer.userId,
      division_id: facts.divisionId,
      partner_id: context.submitter?.partnerId ?? null,
      partner_order_id: context.submitter?.partnerOrderId ?? null,
      submission_id: context.submitter?.submissionId ?? null,
      status: statusOf(plan),
      placed_on: context.now,
      updated_on: context.now,
      currency: facts.currency,
      item_total: amount(totals.itemTotal),
      discount_total: amount(totals.discountTotal),
      handling_total: amount(totals.handlingTotal),
      shipping_total: amount(totals.shippingTotal),
      tax_total: amount(totals.taxTotal),
      credit_applied: amount(sum(drawn[index]!.map((movement) => movement.amount.neg()))),
      total_price: amount(totals.totalPrice),
      item_count: plan.lines.length,
      ship_to: request.shipTo ? { ...shipTo, email } : null,
      bill_to: request.billTo ?? null,
      shipping_service_id: service?.shippingServiceId ?? null,
      shipping_provider: service?.provider ?? null,
      shipping_method: service?.serviceName ?? null,
      ship_notification_email: email ?? null,
    }
  })
  await tx.rows(sql`
    insert into orders (order_number, site_id, project_id, user_id, division_id, partner_id, partner_order_id,
      submission_id, status, placed_on, updated_on, currency, item_total, discount_total, handling_total,
      shipping_total, tax_total, credit_applied, total_price, item_count, ship_to, bill_to, shipping_service_id,
      shipping_provider, shipping_method, ship_notification_email)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as placed(order_number bigint, site_id int,
      project_id bigint, user_id int, division_id int, partner_id uuid, partner_order_id text, submission_id uuid,
      status text, placed_on timestamptz, updated_on timestamptz, currency text, item_total numeric,
      discount_total numeric, handling_total numeric, shipping_total numeric, tax_total numeric,
      credit_applied numeric, total_price numeric, item_count int, ship_to jsonb, bill_to jsonb,
      shipping_service_id int, shipping_provider text, shipping_method text, ship_notification_email text)`)
}

async function insertLines(tx: Transaction, placings: readonly Placing[]): Promise<void> {
  const rows = placings.flatMap(({ plan, context }) =>
    plan.lines.map((line, index) => ({
      order_number: plan.numbers.orderNumber,
      site_id: plan.request.siteId,
      updated_on: context.now,
      ...lineRow(line, plan.numbers.itemNumbers[index]!, index + 1, plan.facts.scale),
    })),
  )
  await tx.rows(sql`
    insert into order_line (order_number, site_id, updated_on, line_number, item_number, sku, product_number, product_id,
      product_name, product_code, variant_id, stock_variant_id, stock_taken, job_name, external_id, quantity,
      line_list_total, line_total_before_adjustments, line_total, handling_total, product_discount, user_discount,
      attributes, tax_percent, handling_tax_percent, unit_weight_ounces, turnaround_business_days,
      estimated_ship_by, shippable, digital_delivery, artwork_source, template_variables, backorder_quantity)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as line(order_number bigint, site_id int,
      updated_on timestamptz, line_number int, item_number bigint, sku text,
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

async function insertFiles(tx: Transaction, { plan, files, context }: Placing): Promise<void> {
  if (files.length === 0) return
  const objectKeys = files.map((file) => file.objectKey)
  const claimed = claimStrays(tx, objectKeys)
  const inserted = tx.rows(sql`
    insert into print_file (site_id, order_number, line_number, file_name, object_key, size_bytes, md5, attached_on)
    select ${plan.request.siteId}, ${plan.numbers.orderNumber}::bigint, file.*, ${context.now}
    from unnest(${files.map((file) => file.lineNumber)}::int[], ${files.map((file) => file.fileName)}::text[],
      ${objectKeys}::text[], ${files.map((file) => file.sizeBytes)}::bigint[],
      ${files.map((file) => file.md5)}::text[]) as file`)
  await Promise.all([claimed, inserted])
}

async function insertShipments(tx: Transaction, placings: readonly Placing[]): Promise<void> {
  const rows = placings.flatMap(({ plan, context }) =>
    plan.parcels.map((parcel, index) => ({
      shipment_number: plan.numbers.shipmentNumbers[index],
      order_number: plan.numbers.orderNumber,
      site_id: plan.request.siteId,
      shipping_service_id: plan.service?.shippingServiceId ?? null,
      provider: plan.service?.provider ?? null,
      service_name: plan.service?.serviceName ?? null,
      fulfilment_center_id: parcel.fulfilmentCenterId,
      ship_to: withoutEmail(parcel.place),
      internal_notes: plan.request.shippingNotes ?? null,
      shipping_total: decimalString(parcel.shippingTotal, plan.facts.scale),
      tax_percent: parcel.taxPercent.toFixed(),
      estimated_ship_by: parcel.estimatedShipBy,
      estimated_delivery_from: parcel.deliveryFrom,
      estimated_delivery_to: parcel.deliveryTo,
      created_on: context.now,
      items: parcel.lineIndexes.map((position) => ({
        line_number: position + 1,
        quantity: plan.lines[position]!.asked.quantity,
      })),
    })),
  )
  if (rows.length === 0) return
  await tx.rows(sql`
    with parcel as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as parcel(shipment_number bigint,
        order_number bigint, site_id int, shipping_service_id int, provider text, service_name text,
        fulfilment_center_id int, ship_to jsonb, internal_notes text, shipping_total numeric, tax_percent numeric,
        estimated_ship_by timestamptz, estimated_delivery_from timestamptz, estimated_delivery_to timestamptz,
        created_on timestamptz, items jsonb)
    ), made as (
      insert into shipment (shipment_number, order_number, site_id, shipping_service_id, provider, service_name,
        fulfilment_center_id, ship_to, internal_notes, shipping_total, tax_percent, estimated_ship_by,
        estimated_delivery_from, estimated_delivery_to, created_on, updated_on)
      select shipment_number, order_number, site_id, shipping_service_id, provider, service_name, fulfilment_center_id,
        ship_to, internal_notes, shipping_total, tax_percent, estimated_ship_by, estimated_delivery_from,
        estimated_delivery_to, created_on, created_on
      from parcel
    )
    insert into shipment_line (shipment_number, order_number, line_number, quantity)
    select parcel.shipment_number, parcel.order_number, item.line_number, item.quantity
    from parcel, jsonb_to_recordset(parcel.items) as item(line_number int, quantity int)`)
}

function withoutEmail(place: OrderRequest['shipTo']): unknown {
  const { email: _told, ...rest } = place!
  return rest
}
