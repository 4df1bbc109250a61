import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Database, Transaction } from '../../src/database/database.ts'
import { sql } from '../../src/database/sql.ts'
import { refund } from '../../src/platform/after-sale/refund.ts'
import { reprintLine } from '../../src/platform/after-sale/reprint.ts'
import { announceReturn, cancelReturn, closeReturn, receiveReturn } from '../../src/platform/after-sale/returns.ts'
import { advanceProduction } from '../../src/platform/lines/advance-production.ts'
import { backorderLine } from '../../src/platform/lines/backorder-line.ts'
import { holdLine, releaseLine } from '../../src/platform/lines/hold-line.ts'
import { overrideGuards } from '../../src/platform/lines/override-guards.ts'
import type { Suppliers } from '../../src/platform/ordering/plan-order.ts'
import type { OrderAddress } from '../../src/platform/ordering/order-request.ts'
import { destinationKey } from '../../src/platform/ordering/tidy-texts.ts'
import { adjustLine } from '../../src/platform/orders/adjust-line.ts'
import { approveOrder } from '../../src/platform/orders/approve-order.ts'
import { cancelLine } from '../../src/platform/orders/cancel-line.ts'
import { cancelOrder } from '../../src/platform/orders/cancel-order.ts'
import { completeOrder } from '../../src/platform/orders/complete-order.ts'
import { holdOrder, releaseOrder } from '../../src/platform/orders/hold-order.ts'
import { issueInvoice } from '../../src/platform/paperwork/invoices.ts'
import { cancelShipment } from '../../src/platform/shipments/cancel-shipment.ts'
import { changeDelivery } from '../../src/platform/shipments/change-delivery.ts'
import { priceDelivery } from '../../src/platform/shipments/price-delivery.ts'
import { ship } from '../../src/platform/shipments/ship.ts'
import { readOrderMoney } from '../../src/staff/after-sale/read-order-money.ts'
import type { Change } from '../../src/vocabulary/change.ts'
import type { Outcome, Refused } from '../../src/vocabulary/outcome.ts'
import { money, roundTo, sum, zero } from '../../src/vocabulary/money.ts'
import type { Statement as Sheet } from '../../src/platform/paperwork/drawing/sheet-facts.ts'
import { byKind, kinds, LifeModel, type ModelLine, type ModelReturn, type ModelShipment } from './life-model.ts'

/** The life of one order: random steps, each played through the platform's verb and by the model, which must agree. */

const steps = [
  'approve',
  'adjust',
  'adjust',
  'price',
  'backorder',
  'hold',
  'holdLine',
  'cancelLine',
  'cancelOrder',
  'cancelShipment',
  'produce',
  'ship',
  'ship',
  'ship',
  'complete',
  'announce',
  'announce',
  'receive',
  'receive',
  'endReturn',
  'delivery',
  'delivery',
  'delivery',
  'invoice',
  'invoice',
  'refundLine',
  'refundLine',
  'refundPieces',
  'refundShipping',
  'refundHandling',
  'refundRest',
  'refundEverything',
  'reprint',
  'reprint',
  'ofReprint',
  'ofReprint',
] as const

type Step = { does: (typeof steps)[number]; at: number; amount: number; how: number }

export const lifeArbitrary = fc.record({
  /** of each line: which product, how many, and whether it goes to an address of its own */
  lines: fc.array(
    fc.record({ product: fc.nat(3), quantity: fc.integer({ min: 1, max: 12 }), elsewhere: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  approved: fc.boolean(),
  credit: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40_000 })),
  steps: fc.array(
    fc.record({
      does: fc.constantFrom(...steps),
      at: fc.nat(11),
      amount: fc.integer({ min: 1, max: 20_000 }),
      how: fc.nat(3),
    }),
    { minLength: 4, maxLength: 20 },
  ),
})

export type Life = typeof lifeArbitrary extends fc.Arbitrary<infer Drawn> ? Drawn : never

type Row = Record<string, string>
type ShipmentRow = Row & { items: Record<string, number>; shipTo: unknown; rework: boolean }
type Statement = { totals: NonNullable<Sheet['totals']>; lines: Sheet['lines'] }

/** What lives share. */
export type LifeWorld = {
  database: Database
  suppliers: Suppliers
  /** an account the orders do not draw on */
  otherAccountId: number
  /** where deliveries are sent to */
  addresses: readonly OrderAddress[]
  shippingServiceIds: readonly number[]
}

export class OrderLife {
  private references = 0
  private statuses: string[] = []
  private readonly world: LifeWorld
  private readonly database: Database
  private readonly orderNumber: number
  private model!: LifeModel
  private readonly told: string[]

  constructor(world: LifeWorld, orderNumber: number, told: string[]) {
    this.world = world
    this.database = world.database
    this.told = told
    this.orderNumber = orderNumber
  }

  async begin(): Promise<void> {
    const { statements } = this.database
    const [lines, shipments, drawn] = await Promise.all([
      statements.rows<Row>(sql`
        select line_number, quantity, line_total, line_list_total - line_total_before_adjustments as discount,
          handling_total, tax_percent, handling_tax_percent
        from order_line where order_number = ${this.orderNumber} order by line_number`),
      this.shipmentsAfter(0),
      this.drawnNow(),
    ])
    this.model = new LifeModel(
      2,
      lines.map((line) => ({
        lineNumber: Number(line.lineNumber),
        reprintOf: null,
        quantity: Number(line.quantity),
        base: { quantity: Number(line.quantity), total: money(line.lineTotal!) },
        total: money(line.lineTotal!),
        discount: money(line.discount!),
        handling: money(line.handlingTotal!),
        taxPercent: money(line.taxPercent!),
        handlingTaxPercent: money(line.handlingTaxPercent!),
        shipped: 0,
        cancelled: false,
      })),
      shipments,
      drawn,
    )
    await this.noteStatus()
    await this.agrees()
  }

  /** The open shipments with a higher number, as the database has them. */
  private async shipmentsAfter(shipmentNumber: number): Promise<ModelShipment[]> {
    const rows = await this.database.statements.rows<ShipmentRow>(sql`
      select shipment_number, shipping_total, tax_percent, shipping_service_id, ship_to, rework, (
        select json_object_agg(line_number, quantity) from shipment_line
        where shipment_line.shipment_number = shipment.shipment_number) as items
      from shipment where order_number = ${this.orderNumber} and shipment_number > ${shipmentNumber}
      order by shipment_number`)
    return rows.map((shipment) => ({
      shipmentNumber: Number(shipment.shipmentNumber),
      chargedAs: Number(shipment.shipmentNumber),
      charge: money(shipment.shippingTotal!),
      taxPercent: money(shipment.taxPercent!),
      destination: destinationKey(shipment.shipTo as OrderAddress),
      serviceId: Number(shipment.shippingServiceId),
      prices: new Map(),
      state: 'OPEN',
      items: new Map(Object.entries(shipment.items).map(([line, quantity]) => [Number(line), quantity])),
      rework: shipment.rework,
    }))
  }

  private async drawnNow() {
    const rows = await this.database.statements.rows<{ kind: string; amount: string }>(sql`
      select lower(split_part(type, '_', 1)) as kind, -sum(amount) as amount from credit_adjustment
      where order_number = ${this.orderNumber} and type ~ '^(PRODUCT|SHIPPING|HANDLING|TAX)_' group by 1`)
    return byKind((kind) => money(rows.find((row) => row.kind === kind)?.amount ?? 0))
  }

  /** Whether the verb was done; its refusals are fine wherever the model does not forbid them. */
  private async done<Result extends Outcome<unknown, Refused>>(
    verb: (tx: Transaction, change: Change) => Promise<Result>,
  ): Promise<Result> {
    const change: Change = { actor: { kind: 'STAFF', id: 'life' }, now: new Date(), requestId: null }
    const result = await this.database.change((tx) => verb(tx, change))
    this.told.push('refused' in result ? `refused ${String(result.refused)}` : 'done')
    if ('done' in result) await this.noteStatus()
    return result
  }

  private async noteStatus(): Promise<void> {
    const row = await this.database.statements.row<{ status: string }>(sql`
      select status from orders where order_number = ${this.orderNumber}`)
    if (this.statuses.at(-1) !== row!.status) this.statuses.push(row!.status)
  }

  /** Lets an order into the works. */
  async approve(): Promise<void> {
    await this.done((tx, change) => approveOrder(tx, change, this.orderNumber))
  }

  /** Issues what is still to be invoiced. The second call gives back what was refunded before the first. */
  async settleInvoices(): Promise<void> {
    await this.invoice()
    await this.invoice()
  }

  async play(step: Step): Promise<void> {
    const { model, orderNumber } = this
    this.told.push(JSON.stringify(step))
    const line = model.lines[step.at % model.lines.length]!
    switch (step.does) {
      case 'approve':
        await this.done((tx, change) => approveOrder(tx, change, orderNumber))
        break
      case 'complete':
        await this.done((tx, change) => completeOrder(tx, change, orderNumber))
        break
      case 'hold':
        if (step.how === 0) await this.done((tx, change) => holdOrder(tx, change, orderNumber))
        else await this.done((tx, change) => releaseOrder(tx, change, orderNumber))
        break
      case 'holdLine':
        if (step.how === 0) await this.done((tx, change) => holdLine(tx, change, orderNumber, line.lineNumber))
        else await this.done((tx, change) => releaseLine(tx, change, orderNumber, line.lineNumber))
        break
      case 'backorder':
        await this.done((tx, change) => backorderLine(tx, change, orderNumber, line.lineNumber, step.how))
        break
      case 'adjust':
      case 'price': {
        const wish =
          step.does === 'price' ? { lineTotal: money(step.amount).div(100) } : { quantity: 1 + (step.amount % 20) }
        const result = await this.done((tx, change) => adjustLine(tx, change, orderNumber, line.lineNumber, wish))
        if ('done' in result) model.adjust(line, wish)
        break
      }
      case 'cancelLine': {
        const result = await this.done((tx, change) => cancelLine(tx, change, orderNumber, line.lineNumber))
        if ('done' in result) model.cancel([line])
        break
      }
      case 'cancelOrder': {
        if (step.how > 0) break
        const result = await this.done((tx, change) => cancelOrder(tx, change, orderNumber))
        if ('done' in result) model.cancel(model.alive)
        break
      }
      case 'cancelShipment':
        await this.cancelShipment(step)
        break
      case 'produce':
        if (step.how === 0) await this.done((tx, change) => advanceProduction(tx, change, orderNumber, line.lineNumber))
        else await this.pack([line.lineNumber])
        break
      case 'ship':
        await this.ship(step)
        break
      case 'announce':
        await this.announce(step, line)
        break
      case 'receive':
        await this.receive(step)
        break
      case 'endReturn':
        await this.endReturn(step)
        break
      case 'delivery':
        await this.changeDelivery(step)
        break
      case 'invoice':
        await this.invoice()
        break
      case 'reprint':
        await this.reprint(step, line)
        break
      case 'ofReprint':
        await this.changeReprint(step)
        break
      default:
        await this.refund(step, line)
    }
    await this.agrees()
  }

  private async cancelShipment({ at }: Step): Promise<void> {
    const shipment = this.model.shipments[at % this.model.shipments.length]!
    const { shipmentNumber } = shipment
    const result = await this.done((tx, change) => cancelShipment(tx, change, this.orderNumber, shipmentNumber))
    if (!('done' in result)) return
    const { successorNumber } = result.done as { successorNumber: number }
    this.model.shipments.push({ ...shipment, shipmentNumber: successorNumber, items: new Map(shipment.items) })
    shipment.state = 'CANCELLED'
    this.model.settle()
  }

  private async ship({ at, how }: Step): Promise<void> {
    const open = this.model.shipments.filter(({ state }) => state === 'OPEN')
    if (open.length === 0) return
    const shipment = open[at % open.length]!
    const parts = [...shipment.items].map(([lineNumber, quantity]) => ({
      lineNumber,
      quantity: how === 0 ? Math.max(1, Math.floor(quantity / 2)) : quantity,
    }))
    if (how !== 3) await this.pack(parts.map(({ lineNumber }) => lineNumber))
    const result = await this.done((tx, change) =>
      ship(tx, change, this.orderNumber, shipment.shipmentNumber, {
        ...(how === 0 && { items: parts }),
        packages: [{ trackingNumber: null, weightOunces: null }],
      }),
    )
    if (!('done' in result)) return
    const { restShipmentNumber } = result.done as { restShipmentNumber: number | null }
    const rest = new Map(
      parts
        .map(({ lineNumber, quantity }) => [lineNumber, shipment.items.get(lineNumber)! - quantity] as const)
        .filter(([, quantity]) => quantity > 0),
    )
    assert.equal(restShipmentNumber === null, rest.size === 0)
    if (restShipmentNumber !== null) {
      this.model.shipments.push({
        ...shipment,
        shipmentNumber: restShipmentNumber,
        chargedAs: restShipmentNumber,
        charge: zero,
        prices: new Map(),
        items: rest,
      })
    }
    for (const { lineNumber, quantity } of parts) {
      this.model.lines.find((line) => line.lineNumber === lineNumber)!.shipped += quantity
    }
    shipment.items = new Map(parts.map(({ lineNumber, quantity }) => [lineNumber, quantity]))
    shipment.state = 'SHIPPED'
  }

  /** Makes a line anew, which may be a reprint itself: free, for a part of what it costs, for all of that, or for more. */
  private async reprint({ at, amount, how }: Step, line: ModelLine): Promise<void> {
    const { model, orderNumber } = this
    const bought = model.lines.find(({ lineNumber }) => lineNumber === (line.reprintOf ?? line.lineNumber))!
    const quantity = amount % 4 === 0 ? bought.quantity : 1 + (amount % bought.quantity)
    const most = model.mostForReprint(bought, quantity)
    const charge = [zero, roundTo(most.times(amount % 100).div(100), 2), most, most.plus('0.01')][how]!
    const request = {
      ...(quantity < bought.quantity && { quantity }),
      proof: at % 2 === 0 ? 'NONE' : 'OWN',
      ...(how > 0 && { charge: charge.toFixed(2) }),
      reference: `r${++this.references}`,
    } as const
    const call = (changes: { charge?: string } = {}) =>
      this.done((tx, change) => reprintLine(tx, change, orderNumber, line.lineNumber, { ...request, ...changes }))
    const result = await call()
    if ('refused' in result) {
      const reason = String(result.refused)
      if (reason === 'charge_not_usable') assert.equal(how, 3, 'this could have been charged')
      else
        assert.match(
          reason,
          /^(order_pending_approval|order_cancelled|line_cancelled|proof_not_approved|not_in_stock)$/,
        )
      return
    }
    assert.ok(charge.lte(most), 'more was charged than the pieces cost')
    const again = await call()
    assert.deepEqual(again, { done: { lineNumber: result.done.lineNumber, repeated: true } }, 'reprinted again')
    const other = await call({ charge: charge.plus('0.01').toFixed(2) })
    assert.equal('refused' in other && other.refused, 'reference_taken')
    model.lines.push({
      ...line,
      lineNumber: result.done.lineNumber,
      reprintOf: bought.lineNumber,
      quantity,
      base: { quantity, total: charge },
      total: charge,
      discount: zero,
      handling: zero,
      shipped: 0,
      cancelled: false,
    })
    model.shipments.push(...(await this.shipmentsAfter(model.shipments.at(-1)!.shipmentNumber)))
    model.settle()
  }

  /** Something happens to a reprint: more often than by the steps that choose among all lines and shipments. */
  private async changeReprint(step: Step): Promise<void> {
    const { model } = this
    const reprints = model.alive.filter(isReprint)
    const line = reprints[step.at % Math.max(1, reprints.length)]
    if (!line) return
    const does = (['adjust', 'cancelLine', 'refundLine', 'refundPieces'] as const)[step.how]!
    // The smallest amounts, since a reprint costs little.
    await this.play({ ...step, does, at: model.lines.indexOf(line), amount: step.amount % 200 || 1 })
  }

  /** Takes lines through production as at the works, without what the guards of prepress ask for. */
  private async pack(lineNumbers: readonly number[]): Promise<void> {
    for (const lineNumber of lineNumbers) {
      const advance = (goal: 'PREPRESS' | 'PACKING') =>
        this.done((tx, change) => advanceProduction(tx, change, this.orderNumber, lineNumber, goal))
      await advance('PREPRESS')
      const why = { reason: 'ARTWORK_AT_THE_WORKS' }
      await this.done((tx, change) => overrideGuards(tx, change, this.orderNumber, lineNumber, why))
      await advance('PACKING')
    }
  }

  private async announce({ amount, how }: Step, { lineNumber }: ModelLine): Promise<void> {
    const { model, orderNumber } = this
    const shipped = model.lines.filter((line) => line.shipped > 0).map((line) => line.lineNumber)
    const chosen = how === 0 || shipped.length === 0 ? [lineNumber] : how === 1 ? shipped.slice(-1) : shipped
    const lines = chosen.map((each) => ({ lineNumber: each, pieces: 1 + (amount % 3) }))
    const request = { lines, reference: `r${++this.references}`, comment: 'Sent back' }
    const result = await this.done((tx, change) => announceReturn(tx, change, orderNumber, request))
    const possible = lines.every((each) => each.pieces <= model.returnable(each.lineNumber))
    if ('refused' in result) {
      assert.equal(result.refused, 'more_than_shipped')
      assert.ok(!possible, 'these pieces had shipped')
      return
    }
    assert.ok(possible, 'more came back than had shipped')
    const again = await this.done((tx, change) => announceReturn(tx, change, orderNumber, request))
    assert.deepEqual(again, { done: { returnNumber: result.done.returnNumber, repeated: true } }, 'announced again')
    const pieces = new Map(lines.map((each) => [each.lineNumber, each.pieces]))
    model.returns.push({ returnNumber: result.done.returnNumber, state: 'ANNOUNCED', pieces })
  }

  private someReturn(at: number): ModelReturn | undefined {
    return this.model.returns.at(-1 - (at % Math.max(1, Math.min(2, this.model.returns.length))))
  }

  private async receive({ at, amount, how }: Step): Promise<void> {
    const { model, orderNumber } = this
    const goods = this.someReturn(at)
    if (!goods) return
    const { returnNumber } = goods
    const received = [...goods.pieces].flatMap(([lineNumber, announced]) => {
      // One piece is broken, of the others some, all or one too many can be sold again.
      const good = Math.max(1, announced - 1 + (how === 2 ? 2 : 0))
      return [
        {
          lineNumber,
          condition: 'RESALABLE' as const,
          pieces: good,
          restock: how > 0,
          shelf: amount % 2 ? 'A-1' : null,
        },
        ...(how === 3 && announced > 1
          ? [{ lineNumber, condition: 'DAMAGED' as const, pieces: 1, restock: false, shelf: null }]
          : []),
      ]
    })
    const cameBack = (lineNumber: number) =>
      received.filter((each) => each.lineNumber === lineNumber).reduce((total, { pieces }) => total + pieces, 0)
    const result = await this.done((tx, change) => receiveReturn(tx, change, orderNumber, returnNumber, received))
    const possible = [...goods.pieces].every(([each]) => cameBack(each) <= model.returnable(each, goods))
    if ('refused' in result) {
      const reason = String(result.refused)
      if (reason === 'more_than_shipped') assert.ok(!possible, 'these pieces had shipped')
      else if (reason === 'not_restockable') assert.ok(how > 0)
      else assert.equal(reason, `return_${goods.state.toLowerCase()}`)
      return
    }
    assert.ok(possible, 'more came back than had shipped')
    assert.equal(goods.state, 'ANNOUNCED')
    goods.state = 'RECEIVED'
    goods.pieces = new Map([...goods.pieces.keys()].map((each) => [each, cameBack(each)]))
    const row = await this.database.statements.row<{ pieces: number }>(sql`
      select coalesce(sum(pieces), 0)::int as pieces from stock_movement
      where order_number = ${orderNumber} and reason = ${`RMA-${returnNumber}`}`)
    const restocked = received.filter(({ restock }) => restock).reduce((total, { pieces }) => total + pieces, 0)
    assert.equal(row!.pieces, restocked, 'what went back to stock')
  }

  private async endReturn({ at, how }: Step): Promise<void> {
    const goods = this.someReturn(at)
    if (!goods) return
    const { returnNumber } = goods
    const [from, state] = how === 0 ? (['ANNOUNCED', 'CANCELLED'] as const) : (['RECEIVED', 'CLOSED'] as const)
    const result = await (how === 0
      ? this.done((tx, change) => cancelReturn(tx, change, this.orderNumber, returnNumber))
      : this.done((tx, change) => closeReturn(tx, change, this.orderNumber, returnNumber)))
    assert.equal('done' in result, goods.state === from, 'whether the return could end')
    if ('done' in result) goods.state = state
  }

  /** Shows what another delivery costs, changes nothing by that, and then makes the change at that price. */
  private async changeDelivery({ at, amount, how }: Step): Promise<void> {
    const { model, orderNumber, database, world } = this
    const open = model.shipments.filter(({ state }) => state === 'OPEN')
    const shipment = open[at % Math.max(1, open.length)]
    if (!shipment) return
    const { shipmentNumber } = shipment
    const shipTo = world.addresses[amount % world.addresses.length]!
    const shippingServiceId = world.shippingServiceIds[Math.floor(amount / 10) % world.shippingServiceIds.length]!
    const wish = { ...(how !== 1 && { shipTo }), ...(how !== 2 && { shippingServiceId }) }
    const found = await priceDelivery(database.statements, world.suppliers, orderNumber, shipmentNumber, wish)
    if ('refused' in found) {
      this.told.push(`not priced: ${found.refused}`)
      assert.match(found.refused, /^(nothing_to_change|service_not_offered|not_deliverable)$/)
      return
    }
    const { priced } = found
    const shown = await this.done((tx, change) =>
      changeDelivery(tx, change, orderNumber, shipmentNumber, priced, 'preview'),
    )
    await this.agrees()
    assert.ok('refused' in shown)
    if (shown.refused !== 'previewed') {
      assert.notEqual(shown.refused, 'price_changed')
      return
    }
    const { before, after, difference } = (shown as { preview: Record<'before' | 'after' | 'difference', Row> }).preview
    const cost = (): string => sum(Object.values(model.charged())).toFixed(2)
    assert.equal(before.totalPrice, cost(), 'the price before, as shown')
    const charge = (amount + how) % 3 > 0
    const decision = { totalPrice: after.totalPrice!, charge }
    const result = await this.done((tx, change) =>
      changeDelivery(tx, change, orderNumber, shipmentNumber, priced, decision),
    )
    assert.ok('done' in result, JSON.stringify(result))
    const items = JSON.stringify([...shipment.items].toSorted(([one], [other]) => one - other))
    const priceName = (): string => `${shipment.destination} ${shipment.serviceId} ${items}`
    if (shipment.prices.size === 0) shipment.prices.set(priceName(), shipment.charge)
    shipment.destination = destinationKey(priced.shipTo)
    shipment.serviceId = priced.service.shippingServiceId
    const known = shipment.prices.get(priceName())
    if (known) assert.equal(priced.shippingTotal.toFixed(2), known.toFixed(2), 'there and back')
    shipment.prices.set(priceName(), priced.shippingTotal)
    if (!charge) return
    if (!shipment.rework) shipment.charge = priced.shippingTotal
    if (priced.tax) {
      shipment.taxPercent = priced.tax.shipment
      for (const { lineNumber, onLine, onHandling } of priced.tax.lines) {
        const line = model.lines.find((each) => each.lineNumber === lineNumber)!
        line.taxPercent = onLine
        line.handlingTaxPercent = onHandling
      }
    }
    model.settle()
    assert.equal(cost(), after.totalPrice, 'the price taken is the price shown')
    assert.equal(money(before.totalPrice!).plus(difference.totalPrice!).toFixed(2), after.totalPrice)
  }

  /** Invoices and credit notes, and what they say is due, add up to what the order costs after its refunds. */
  private async invoice(): Promise<void> {
    const { model, orderNumber } = this
    const result = await this.done((tx, change) => issueInvoice(tx, change, [Buffer.alloc(32)], orderNumber))
    const documents = await this.database.statements.rows<{ kind: string; total: string; statement: Statement }>(sql`
      select kind, total, statement from invoice where order_number = ${orderNumber} order by invoice_number`)
    const signed = documents.map(({ kind, total, statement: { totals, lines } }) => {
      const sign = kind === 'INVOICE' ? 1 : -1
      assert.equal(total, totals.total)
      const amounts = [totals.items, `-${totals.discounts}`.replace('--', ''), totals.handling, totals.shipping]
      const taxes = totals.taxes.map(({ amount }) => amount)
      assert.equal(
        sum([...amounts, ...taxes].map((each) => money(each))).toFixed(2),
        money(total).toFixed(2),
        'a sheet',
      )
      const goods = sum(lines.map(({ amount }) => money(amount ?? 0)))
      assert.equal(goods.toFixed(2), money(totals.items).minus(totals.discounts).toFixed(2), 'the lines of a sheet')
      assert.equal(money(total).minus(totals.creditApplied).toFixed(2), money(totals.due).toFixed(2))
      return { total: money(total).times(sign), due: money(totals.due).times(sign) }
    })
    const [total, due] = [sum(signed.map((each) => each.total)), sum(signed.map((each) => each.due))]
    if ('refused' in result && documents.length === 0) {
      assert.match(String(result.refused), /^(order_pending_approval|nothing_to_invoice)$/)
      return
    }
    if ('refused' in result) assert.equal(result.refused, 'nothing_to_invoice')
    const isFirst = 'done' in result && documents.length === 1
    const owed = sum(Object.values(isFirst ? model.charged() : model.net()))
    const credit = sum(Object.values(model.drawn)).plus(isFirst ? model.refundedToCredit : zero)
    assert.equal(total.toFixed(2), owed.toFixed(2), 'the invoices')
    assert.equal(due.toFixed(2), owed.minus(credit).toFixed(2), 'what is due')
  }

  private async refund(step: Step, line: ModelLine): Promise<void> {
    const { model } = this
    const amount = money(step.amount).div(100)
    const names = [...model.charges().keys()]
    const everything = new Map(names.map((name) => [name, model.left(name)] as const))
    let wish: object
    let amounts = new Map<string, ReturnType<typeof money>>()
    const pieces = new Map<string, number>()
    const lineName = `line ${line.lineNumber}`
    switch (step.does) {
      case 'refundEverything':
        if (step.how > 1) return
        wish = { everything: true }
        amounts = everything
        break
      case 'refundRest':
        wish = { lines: [{ lineNumber: line.lineNumber }] }
        amounts.set(lineName, model.left(lineName))
        break
      case 'refundPieces': {
        const quantity = 1 + (step.amount % 3)
        wish = { lines: [{ lineNumber: line.lineNumber, quantity }] }
        const upTo = (count: number) => roundTo(line.total.times(count).div(line.quantity), 2)
        const before = model.pieces(line.lineNumber)
        amounts.set(lineName, upTo(before + quantity).minus(upTo(before)))
        pieces.set(lineName, quantity)
        break
      }
      case 'refundLine':
        wish = { lines: [{ lineNumber: line.lineNumber, amount: amount.toFixed(2) }] }
        amounts.set(lineName, amount)
        break
      default: {
        const word = step.does === 'refundShipping' ? 'shipping' : 'handling'
        const most = sum(names.filter((name) => name.startsWith(word)).map((name) => model.left(name)))
        wish = { [word]: step.how === 0 ? 'ALL' : amount.toFixed(2) }
        let rest = step.how === 0 ? most : amount
        for (const name of names.filter((each) => each.startsWith(word))) {
          const taken = model.left(name).lt(rest) ? model.left(name) : rest
          amounts.set(name, taken)
          rest = rest.minus(taken)
        }
        if (rest.gt(zero)) amounts.set('too much', rest)
      }
    }
    const ways = [
      { to: 'CREDIT' },
      { to: 'OUTSIDE', outsideReference: 'bank' },
      { to: 'CREDIT', outsideReference: 'bank' },
      { to: 'CREDIT', creditAccountId: this.world.otherAccountId },
    ] as const
    const way = ways[(step.at + step.how) % ways.length]!
    const request = { ...wish, ...way, reference: `r${++this.references}` }
    const [net, drawn, before] = [model.net(), model.drawn, await this.creditGiven()]
    const result = await this.done((tx, change) => refund(tx, change, this.orderNumber, request))
    const possible = [...amounts].every(([name, each]) => each.lte(zero) || model.left(name).gte(each))
    if ('refused' in result) {
      const reason = String(result.refused)
      if (reason === 'refund_exceeds_charge') assert.ok(!possible, reason)
      else if (reason === 'credit_not_drawn') assert.equal(request.to, 'CREDIT')
      else if (reason === 'refund_exceeds_paid_outside') assert.equal(request.to, 'OUTSIDE')
      else assert.match(reason, /^(nothing_to_refund|pieces_not_refundable|line_not_found)$/)
      return
    }
    assert.ok(possible, 'more than was left')
    const made = model.refund(amounts, pieces)
    const fromCredit =
      request.to === 'OUTSIDE'
        ? byKind(() => zero)
        : byKind((kind) => (made[kind].lt(drawn[kind]) ? made[kind] : drawn[kind]))
    for (const kind of kinds) {
      assert.ok(made[kind].lte(net[kind]), `more ${kind} than was charged`)
      if (request.to === 'OUTSIDE') assert.ok(made[kind].lte(net[kind].minus(drawn[kind])), `${kind} was credit`)
    }
    const [total, returned] = [sum(Object.values(made)), sum(Object.values(fromCredit))]
    model.drawn = byKind((kind) => drawn[kind].minus(fromCredit[kind]))
    model.refundedToCredit = model.refundedToCredit.plus(returned)
    model.refundedElsewhere = model.refundedElsewhere.plus(total.minus(returned))
    model.gotBack = model.gotBack.plus(total.minus(returned))
    const paidOutside = 'outsideReference' in request ? total.minus(returned) : zero
    const credited = (await this.creditGiven()).minus(before)
    assert.equal(credited.toFixed(2), total.minus(paidOutside).toFixed(2), 'what went to credit')
    const again = await this.done((tx, change) => refund(tx, change, this.orderNumber, request))
    assert.deepEqual('done' in again && again.done?.repeated, true, 'the repeated refund')
    assert.equal((await this.creditGiven()).toFixed(2), credited.plus(before).toFixed(2), 'refunded twice')
  }

  /** All credit that the order was given, less what it drew. */
  private async creditGiven() {
    const row = await this.database.statements.row<{ total: string }>(sql`
      select coalesce(sum(amount), 0) as total from credit_adjustment where order_number = ${this.orderNumber}`)
    return money(row!.total)
  }

  /** The order, its ledger, its credit, its stock and its events are what the model says. */
  private async agrees(): Promise<void> {
    const { orderNumber, model } = this
    const [row, drawn, shown] = await Promise.all([
      this.database.statements.row<Row & { ledger: Row | null; parts: Row }>(sql`
        select status, item_total, discount_total, handling_total, shipping_total, tax_total, total_price, credit_applied,
          (select json_build_object(
              'items', sum(items) filter (where charged), 'discount', -sum(discount) filter (where charged),
              'handling', sum(handling) filter (where charged), 'shipping', sum(shipping) filter (where charged),
              'tax', sum(tax) filter (where charged), 'applied', sum(credit) filter (where charged), 'drawn', sum(credit),
              'left', sum(items + discount + handling + shipping + tax), 'placed', count(*) filter (where kind = 'PLACED'))
            from order_movement, lateral (select kind in ('PLACED', 'CHANGED') as charged) as told
            where order_movement.order_number = orders.order_number having count(*) > 0) as ledger,
          (select sum(stock_taken) from order_line where order_line.order_number = orders.order_number) as taken,
          (select -sum(pieces) from stock_movement
            where stock_movement.order_number = orders.order_number and kind <> 'PICKED') as moved,
          (select count(*) from event where event.order_number = orders.order_number and type = 'shipment.shipped') as shipped,
          (select count(*) from event where event.order_number = orders.order_number and type = 'shipment.cancelled') as withdrawn,
          (select count(*) from event where event.order_number = orders.order_number and type = 'order_line.cancelled') as cancelled,
          (select count(*) from event where event.order_number = orders.order_number and type = 'order.status_changed') as changes
        from orders where order_number = ${orderNumber}`),
      this.drawnNow(),
      readOrderMoney(this.database.statements, orderNumber, 0, 1),
    ])
    const order = row!
    const text = (amount: ReturnType<typeof money>) => amount.toFixed(2)
    const [charged, net] = [model.charged(), model.net()]
    const discount = sum(model.alive.map((line) => line.discount))
    const total = sum(Object.values(charged))
    const applied = sum(Object.values(model.drawn)).plus(model.refundedToCredit)
    const expected = {
      itemTotal: text(charged.product.plus(discount)),
      discountTotal: text(discount),
      handlingTotal: text(charged.handling),
      shippingTotal: text(charged.shipping),
      taxTotal: text(charged.tax),
      totalPrice: text(total),
      creditApplied: text(applied),
    }
    const { itemTotal, discountTotal, handlingTotal, shippingTotal, taxTotal, totalPrice, creditApplied } = order
    assert.deepEqual(
      { itemTotal, discountTotal, handlingTotal, shippingTotal, taxTotal, totalPrice, creditApplied },
      expected,
      'the totals',
    )
    assert.deepEqual(
      kinds.map((kind) => text(drawn[kind])),
      kinds.map((kind) => text(model.drawn[kind])),
      'the credit drawn',
    )
    for (const kind of kinds) {
      assert.ok(net[kind].gte(zero), `more ${kind} refunded than charged`)
      assert.ok(drawn[kind].gte(zero) && drawn[kind].lte(net[kind]), `more credit drawn than ${kind} costs`)
    }
    if (order.ledger) {
      const { ledger } = order
      assert.equal(Number(ledger.placed), 1, 'placed once')
      assert.deepEqual(
        ['items', 'discount', 'handling', 'shipping', 'tax', 'applied', 'drawn', 'left'].map((name) =>
          text(money(ledger[name]!)),
        ),
        [
          ...Object.values(expected).slice(0, 5),
          text(applied),
          text(sum(Object.values(model.drawn))),
          text(sum(Object.values(net))),
        ],
        'the ledger',
      )
    } else {
      assert.equal(model.refunded.size, 0)
    }
    const refunded = sum(Object.values(model.refundedByKind()))
    assert.deepEqual(
      [shown!.charged, shown!.creditApplied, shown!.refunded, shown!.left, shown!.owedOutside],
      [text(total), text(applied), text(refunded), text(sum(Object.values(net))), text(model.owedOutside())],
      'the money as staff read it',
    )
    assert.equal(Number(order.taken ?? 0), Number(order.moved ?? 0), 'the stock')
    assert.deepEqual(
      [order.shipped, order.withdrawn, order.cancelled, order.changes].map(Number),
      [
        model.shipments.filter(({ state, rework }) => state === 'SHIPPED' && !rework).length,
        model.shipments.filter(({ state, rework }) => state === 'CANCELLED' && !rework).length,
        model.lines.filter((line) => line.cancelled && !isReprint(line)).length,
        this.statuses.length,
      ],
      'the events',
    )
  }
}

function isReprint({ reprintOf }: ModelLine): boolean {
  return reprintOf !== null
}
