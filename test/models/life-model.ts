import { type Money, roundTo, sum, zero } from '../../src/vocabulary/money.ts'

/**
 * An order's money in memory: what it should cost, draw from credit and have refunded after each step of its life. Written
 * from the rules, not from the program.
 */

export type Kind = 'product' | 'handling' | 'shipping' | 'tax'
export const kinds = ['product', 'handling', 'shipping', 'tax'] as const
export type ByKind = Record<Kind, Money>

export type ModelLine = {
  lineNumber: number
  /** a reprint, and the line that was bought of which it is one; null = it was bought */
  reprintOf: number | null
  quantity: number
  /** what adjustments are in proportion to */
  base: { quantity: number; total: Money }
  total: Money
  discount: Money
  handling: Money
  taxPercent: Money
  handlingTaxPercent: Money
  shipped: number
  cancelled: boolean
}

export type ModelShipment = {
  shipmentNumber: number
  /** survives when its goods move to another shipment that takes over its charge */
  chargedAs: number
  charge: Money
  taxPercent: Money
  destination: string
  serviceId: number
  /** once its delivery was changed: what a destination, service and goods cost, which stays so */
  prices: Map<string, Money>
  state: 'OPEN' | 'SHIPPED' | 'CANCELLED'
  items: Map<number, number>
  /** it carries reprints, free of charge */
  rework: boolean
}

export type ModelReturn = {
  returnNumber: number
  state: 'ANNOUNCED' | 'RECEIVED' | 'CLOSED' | 'CANCELLED'
  /** of each line: what is announced, then what came */
  pieces: Map<number, number>
}

type RefundedCharge = { amount: Money; charged: Money; pieces: number }

export class LifeModel {
  readonly scale: number
  lines: ModelLine[]
  shipments: ModelShipment[]
  returns: ModelReturn[] = []
  /** by kind, what the order has drawn from credit and not got back */
  drawn: ByKind
  /** by charge (`line 1`, `handling 1`, `shipping 300`), what is refunded of it */
  refunded = new Map<string, RefundedCharge>()
  refundedTax = zero
  refundedToCredit = zero
  refundedElsewhere = zero
  /** what was paid back in another way than to the credit drawn, whatever the charges did later */
  gotBack = zero
  /** the most that the customer was to pay in another way than from credit */
  private mostOutside = zero

  constructor(scale: number, lines: ModelLine[], shipments: ModelShipment[], drawn: ByKind) {
    this.scale = scale
    this.lines = lines
    this.shipments = shipments
    this.drawn = drawn
  }

  get alive(): ModelLine[] {
    return this.lines.filter((line) => !line.cancelled)
  }

  /** Every charge by its name, with the percent of tax on it. */
  charges(): Map<string, { amount: Money; percent: Money }> {
    return new Map([
      ...this.alive.map(
        (line) => [`line ${line.lineNumber}`, { amount: line.total, percent: line.taxPercent }] as const,
      ),
      ...this.alive.map(
        (line) => [`handling ${line.lineNumber}`, { amount: line.handling, percent: line.handlingTaxPercent }] as const,
      ),
      ...this.shipments
        .filter(({ state }) => state !== 'CANCELLED')
        .map((each) => [`shipping ${each.chargedAs}`, { amount: each.charge, percent: each.taxPercent }] as const),
    ])
  }

  charged(): ByKind {
    const all = [...this.charges()]
    const of = (word: string): Money =>
      sum(all.filter(([name]) => name.startsWith(word)).map(([, { amount }]) => amount))
    const tax = sum(all.map(([, { amount, percent }]) => amount.times(percent)))
    return {
      product: of('line'),
      handling: of('handling'),
      shipping: of('shipping'),
      tax: roundTo(tax.div(100), this.scale),
    }
  }

  refundedByKind(): ByKind {
    const of = (word: string): Money =>
      sum([...this.refunded].filter(([name]) => name.startsWith(word)).map(([, { amount }]) => amount))
    return { product: of('line'), handling: of('handling'), shipping: of('shipping'), tax: this.refundedTax }
  }

  /** What the customer still bears, by kind. */
  net(): ByKind {
    const [charged, refunded] = [this.charged(), this.refundedByKind()]
    return byKind((kind) => charged[kind].minus(refunded[kind]))
  }

  /** What the customer gets back because the order fell, if all was paid that was to be paid outside. */
  owedOutside(): Money {
    const borne = sum(Object.values(this.net())).minus(sum(Object.values(this.drawn)))
    const paid = borne.plus(this.gotBack)
    if (paid.gt(this.mostOutside)) this.mostOutside = paid
    return this.mostOutside.minus(paid)
  }

  /** What can be charged at most for making pieces of a line anew. */
  mostForReprint(of: ModelLine, quantity: number): Money {
    return roundTo(of.total.times(quantity).div(of.quantity), this.scale)
  }

  /** After a change of the charges: refunds count towards a fall, their tax follows, and excess credit goes back. */
  settle(): void {
    const now = this.charges()
    let counted = zero
    for (const [name, refund] of this.refunded) {
      const charge = now.get(name)?.amount ?? zero
      const fall = refund.charged.minus(charge)
      if (fall.lte(zero) || refund.amount.lte(zero)) continue
      const contained = fall.lt(refund.amount) ? fall : refund.amount
      const pieces = roundTo(contained.times(refund.pieces).div(refund.amount), 0).toNumber()
      this.refunded.set(name, {
        amount: refund.amount.minus(contained),
        charged: charge,
        pieces: refund.pieces - pieces,
      })
      counted = counted.plus(contained)
    }
    const tax = this.taxOfRefunds()
    counted = counted.plus(this.refundedTax.minus(tax))
    this.refundedTax = tax
    const elsewhere = counted.lt(this.refundedElsewhere) ? counted : this.refundedElsewhere
    this.refundedElsewhere = this.refundedElsewhere.minus(elsewhere)
    this.refundedToCredit = this.refundedToCredit.minus(counted.minus(elsewhere))
    const net = this.net()
    this.drawn = byKind((kind) => (this.drawn[kind].lt(net[kind]) ? this.drawn[kind] : net[kind]))
  }

  private taxOfRefunds(): Money {
    const now = this.charges()
    const hundredfold = [...this.refunded].map(([name, { amount }]) => amount.times(now.get(name)?.percent ?? zero))
    return roundTo(sum(hundredfold).div(100), this.scale)
  }

  left(name: string): Money {
    return (this.charges().get(name)?.amount ?? zero).minus(this.refunded.get(name)?.amount ?? zero)
  }

  /** How many pieces of a line can still come back, apart from those of one return. */
  returnable(lineNumber: number, except?: ModelReturn): number {
    const others = this.returns.filter((each) => each !== except && each.state !== 'CANCELLED')
    const line = this.lines.find((each) => each.lineNumber === lineNumber)!
    return others.reduce((left, { pieces }) => left - (pieces.get(lineNumber) ?? 0), line.shipped)
  }

  pieces(lineNumber: number): number {
    return this.refunded.get(`line ${lineNumber}`)?.pieces ?? 0
  }

  /** Books a refund of these charges. @returns what it comes to by kind */
  refund(amounts: ReadonlyMap<string, Money>, pieces: ReadonlyMap<string, number>): ByKind {
    const before = this.refundedByKind()
    const now = this.charges()
    for (const [name, amount] of amounts) {
      if (amount.eq(zero)) continue
      const earlier = this.refunded.get(name)
      this.refunded.set(name, {
        amount: (earlier?.amount ?? zero).plus(amount),
        charged: now.get(name)!.amount,
        pieces: (earlier?.pieces ?? 0) + (pieces.get(name) ?? 0),
      })
    }
    const tax = this.taxOfRefunds()
    if (tax.gt(this.refundedTax)) this.refundedTax = tax
    const after = this.refundedByKind()
    return byKind((kind) => after[kind].minus(before[kind]))
  }

  adjust(line: ModelLine, change: { quantity?: number; lineTotal?: Money }): void {
    const quantity = change.quantity ?? line.quantity
    if (change.lineTotal) {
      line.total = change.lineTotal
      line.base = { quantity, total: change.lineTotal }
    } else if (quantity !== line.quantity) {
      line.total = roundTo(line.base.total.times(quantity).div(line.base.quantity), this.scale)
    }
    const open = this.shipments.find(({ state, items }) => state === 'OPEN' && items.has(line.lineNumber))
    open?.items.set(line.lineNumber, open.items.get(line.lineNumber)! + quantity - line.quantity)
    line.quantity = quantity
    this.settle()
  }

  cancel(lines: readonly ModelLine[]): void {
    for (const line of lines) line.cancelled = true
    const gone = new Set(lines.map(({ lineNumber }) => lineNumber))
    for (const shipment of this.shipments.filter(({ state }) => state === 'OPEN')) {
      if ([...shipment.items.keys()].every((lineNumber) => gone.has(lineNumber))) shipment.state = 'CANCELLED'
      else for (const lineNumber of gone) shipment.items.delete(lineNumber)
    }
    this.settle()
  }
}

export function byKind(amount: (kind: Kind) => Money): ByKind {
  return { product: amount('product'), handling: amount('handling'), shipping: amount('shipping'), tax: amount('tax') }
}
