import { decimalString, money, type Money } from '../../vocabulary/money.ts'
import type { ProductionStatus, ProofStatus } from '../../vocabulary/statuses.ts'
import { addWeekdays, daysAfter, daysBefore } from '../calendar.ts'
import type { SubmittingPartners } from '../cast/orders.ts'
import { deliveryPrice, shippingServiceNamed, sites } from '../cast/sites.ts'
import type { CastUsers } from '../cast/customers.ts'
import type { Product } from '../catalog-rows.ts'
import { demoUuid } from '../credentials.ts'
import type { CrowdCredit } from './credit.ts'
import type { Buyer, CrowdCustomers } from './customers.ts'
import type { User } from '../customer-rows.ts'
import { drawFor, type Draw } from '../draw.ts'
import type { Tables } from '../insert.ts'
import {
  openShipments,
  orderTables,
  orderTotals,
  priceFor,
  weightOf,
  type Line,
  type Order,
  type Shipment,
} from '../order-rows.ts'
import { submissionOf, submissionRow, type Submission } from '../submission-rows.ts'

/** Thousands of orders of the last eighteen months, each as far along as its age makes likely. */

const counts: readonly (readonly [siteId: number, count: number])[] = [
  [sites.main, 3_000],
  [sites.second, 1_400],
  [sites.foreign, 420],
  [sites.noOrdering, 30],
  [sites.divisionAddresses, 90],
]

const oldestDays = 548

/** Share of the orders of these sites that a partner submitted, as the site's ordering user. */
const submittedShare: ReadonlyMap<number, number> = new Map([
  [sites.main, 0.25],
  [sites.foreign, 0.3],
])

/** Numbers that stay below the cast's. */
const first = { order: 1_000_001, item: 5_000_001, project: 700_001, shipment: 3_000_001 }

type Stage = 'cancelled' | 'approval' | 'hold' | 'new' | 'proofing' | 'production' | 'partly' | 'shipped' | 'completed'

/** How far an order is, by its age in days: the first row not below it. */
const stagesByAge: readonly (readonly [daysMax: number, stages: readonly (readonly [Stage, number])[]])[] = [
  [
    2,
    [
      ['new', 45],
      ['approval', 10],
      ['proofing', 30],
      ['production', 10],
      ['cancelled', 3],
      ['hold', 2],
    ],
  ],
  [
    8,
    [
      ['proofing', 22],
      ['production', 50],
      ['partly', 6],
      ['shipped', 12],
      ['cancelled', 5],
      ['hold', 3],
      ['approval', 2],
    ],
  ],
  [
    20,
    [
      ['proofing', 5],
      ['production', 14],
      ['partly', 12],
      ['shipped', 48],
      ['completed', 14],
      ['cancelled', 6],
      ['hold', 1],
    ],
  ],
  [
    45,
    [
      ['partly', 1],
      ['production', 1],
      ['shipped', 12],
      ['completed', 80],
      ['cancelled', 6],
    ],
  ],
  [
    Infinity,
    [
      ['completed', 93],
      ['cancelled', 6],
      ['shipped', 1],
    ],
  ],
]

type Goods = { orderable: readonly Product[]; proofed: readonly Product[] }

export function crowdOrders(
  now: Date,
  world: {
    products: readonly Product[]
    customers: CrowdCustomers
    credit: CrowdCredit
    castUsers: CastUsers
    partners: SubmittingPartners
  },
): Tables {
  const draw = drawFor('orders')
  const next = { ...first }
  const goods = goodsBySite(world.products)
  const orderingBuyers: ReadonlyMap<number, User> = new Map([
    [sites.main, world.castUsers.orderingMain],
    [sites.foreign, world.castUsers.orderingForeign],
  ])
  const orders: Order[] = []
  const submissions: Submission[] = []

  for (const { siteId, placedOn } of placements(now, draw)) {
    const ageDays = (now.getTime() - placedOn.getTime()) / 86_400_000
    const stage = draw.weighted(stagesByAge.find(([daysMax]) => ageDays <= daysMax)![1])
    const buyer = draw.pick(world.customers.buyers.get(siteId)!)
    const orderingUser = draw.chance(submittedShare.get(siteId) ?? 0) ? orderingBuyers.get(siteId) : undefined
    const submitterId = orderingUser && submitterOf(siteId, world.partners, draw)
    const placed = placedOrder(siteId, placedOn, buyer, goods.get(siteId)!, stage, next, draw, {
      ...(orderingUser ? { user: orderingUser } : {}),
      ...(submitterId ? { partner: submittedAs(submitterId, next.order) } : {}),
    })
    if (placed.partner) submissions.push(submissionOf(placed))
    const current = advanced(placed, stage, now, next, draw)
    orders.push(withCredit(current, world.credit))
  }
  return [...orderTables(orders), ['submission', submissions.map(submissionRow)], ...world.credit.tables()]
}

/** Which site gets an order when, oldest first; more of them lately. */
function placements(now: Date, draw: Draw): { siteId: number; placedOn: Date }[] {
  return counts
    .flatMap(([siteId, count]) =>
      Array.from({ length: count }, () => ({
        siteId,
        placedOn: daysBefore(now, 0.02 + oldestDays * draw.fraction() ** 1.35),
      })),
    )
    .toSorted((a, b) => a.placedOn.getTime() - b.placedOn.getTime())
}

function goodsBySite(products: readonly Product[]): Map<number, Goods> {
  const orderable = products.filter(
    (product) => product.active !== false && product.visibility === 'PUBLIC' && !product.requiresApproval,
  )
  return new Map(
    [...Map.groupBy(orderable, (product) => product.siteId)].map(([siteId, ofSite]) => [
      siteId,
      { orderable: ofSite, proofed: ofSite.filter((product) => product.requiresProof) },
    ]),
  )
}

function submitterOf(siteId: number, partners: SubmittingPartners, draw: Draw): string {
  if (siteId === sites.foreign) return partners.foreign
  return draw.chance(0.7) ? partners.own : partners.other
}

function submittedAs(partnerId: string, orderNumber: number): NonNullable<Order['partner']> {
  const partnerOrderId = `WEB-${orderNumber}`
  return { partnerId, partnerOrderId, submissionId: demoUuid(`submission/${partnerId}/${partnerOrderId}`) }
}

/** The order at the moment it was placed. */
function placedOrder(
  siteId: number,
  placedOn: Date,
  buyer: Buyer,
  goods: Goods,
  stage: Stage,
  next: typeof first,
  draw: Draw,
  submitted: { user?: User; partner?: NonNullable<Order['partner']> },
): Order {
  const user = submitted.user ?? buyer.user
  const lineCount = draw.weighted([
    [1, 46],
    [2, 24],
    [3, 14],
    [4, 8],
    [6, 6],
    [11, 2],
  ] as const)
  const lines = Array.from({ length: lineCount }, (_, index) =>
    // An order in proofing has something to prove.
    newLine(
      draw.pick(index === 0 && stage === 'proofing' ? goods.proofed : goods.orderable),
      user,
      placedOn,
      next,
      draw,
      submitted.partner ? { externalId: String(index + 1) } : {},
    ),
  )
  const { shipTo } = buyer
  const wanted = draw.weighted([
    ['Parcelway Ground', 60],
    ['Swiftline Home', 16],
    ['National Post Priority', 12],
    ['Parcelway 2nd Day Air', 7],
    ['Will call', 5],
  ] as const)
  const order: Omit<Order, 'shipments'> = {
    orderNumber: next.order++,
    projectId: next.project++,
    siteId,
    user,
    placedOn,
    updatedOn: placedOn,
    shipTo: { ...shipTo, email: draw.chance(0.7) ? buyer.user.email : null },
    service: shippingServiceNamed(siteId, wanted),
    lines,
    ...(draw.chance(0.4) ? { billTo: shipTo } : {}),
    ...(draw.chance(0.3) ? { purchaseOrderNumber: `PO-${draw.whole(10_000, 99_999)}` } : {}),
    ...(submitted.partner ? { partner: submitted.partner } : {}),
  }
  const canCarry = [...Map.groupBy(lines, (line) => line.product.centerId)].every(
    ([centerId, parcel]) => deliveryPrice(order.service, centerId, shipTo, weightOf(parcel)) !== null,
  )
  const carried = canCarry ? order : { ...order, service: shippingServiceNamed(siteId, 'Parcelway Ground') }
  return { ...carried, shipments: openShipments(carried, () => next.shipment++) }
}

function newLine(
  product: Product,
  user: User,
  placedOn: Date,
  next: typeof first,
  draw: Draw,
  submitted: Pick<Partial<Line>, 'externalId'>,
): Line {
  const variant = product.variants && draw.pick(product.variants.filter((candidate) => candidate.active !== false))
  const usual = product.serviceType === 'STOCK' ? [1, 2, 6, 12, 24, 60] : [50, 100, 250, 500, 1_000]
  const quantity = Math.min(Math.max(draw.pick(usual), product.minQuantity ?? 1), product.maxQuantity ?? Infinity)
  return {
    ...submitted,
    itemNumber: next.item++,
    product,
    price: priceFor({ product, quantity }, user, placedOn),
    ...(variant ? { variant } : {}),
    quantity,
    productionStatus: null,
    proofStatus: null,
    ...(draw.chance(0.5)
      ? {
          jobName: `${product.name.split(',')[0]} for ${draw.pick(['the spring fair', 'new hires', 'the front desk', 'store 12', 'the board'])}`,
        }
      : {}),
    ...(submitted.externalId === undefined && draw.chance(0.06)
      ? { note: draw.pick(['Please match the last run', 'Pack flat', 'Call before delivery']) }
      : {}),
    ...(draw.chance(0.12) ? { reorder: true as const } : {}),
    ...(product.artworkSource === 'TEMPLATE' ? { templateVariables: { Name: 'Jamie Rivers', Title: 'Manager' } } : {}),
  }
}

/** The order as it stands now. */
function advanced(placed: Order, stage: Stage, now: Date, next: typeof first, draw: Draw): Order {
  const between = (from: Date, to: Date): Date =>
    new Date(Math.round(from.getTime() + draw.fraction() * Math.max(0, to.getTime() - from.getTime())))
  const soon = (from: Date, days: number): Date =>
    between(from, new Date(Math.min(now.getTime(), daysAfter(from, days).getTime())))

  if (stage === 'cancelled') {
    const cancelledOn = soon(placed.placedOn, 3)
    return {
      ...placed,
      updatedOn: cancelledOn,
      lines: placed.lines.map((line) => ({ ...line, cancelledOn })),
      shipments: placed.shipments.map((shipment) => ({ ...shipment, status: 'CANCELLED', cancelledOn })),
    }
  }
  const updatedOn = soon(placed.placedOn, 4)
  const lines = withIncidents(
    placed.lines.map((line): Line => ({ ...line, ...lineStatuses(line, stage, draw) })),
    placed,
    updatedOn,
    next,
    draw,
  )
  const order: Order = { ...placed, updatedOn, lines, shipments: reshipped(placed, lines, updatedOn) }
  if (stage === 'approval') return { ...order, held: 'PENDING_APPROVAL' }
  if (stage === 'hold') return { ...order, held: 'ON_HOLD' }
  if (stage !== 'partly' && stage !== 'shipped' && stage !== 'completed') return order

  const turnaround = Math.max(...lines.map((line) => line.product.turnaroundBusinessDays ?? 1))
  const due = addWeekdays(placed.placedOn, turnaround)
  const shippedOn = due < now ? soon(due, 3) : between(placed.placedOn, now)
  if (stage === 'partly') return partlyShipped(order, shippedOn, next, draw)
  const delivered = daysAfter(shippedOn, draw.whole(3, 9))
  const isCompleted = stage === 'completed' && delivered < now
  return {
    ...order,
    updatedOn: isCompleted ? delivered : shippedOn,
    ...(isCompleted ? { completedOn: delivered } : {}),
    lines: lines.map((line) =>
      line.cancelledOn || line.recordKind ? line : { ...line, productionStatus: 'COMPLETE', shippedOn },
    ),
    shipments: order.shipments.map((shipment) =>
      shipment.status === 'CANCELLED' ? shipment : shippedShipment(shipment, order, shippedOn),
    ),
  }
}

const inTheWorks: Readonly<Record<'STOCK' | 'POD', readonly ProductionStatus[]>> = {
  STOCK: ['QUEUED', 'PACKING'],
  POD: ['QUEUED', 'PRINTING', 'PRINTING', 'FINISHING', 'PACKING'],
}

function lineStatuses(line: Line, stage: Stage, draw: Draw): Pick<Line, 'productionStatus' | 'proofStatus'> {
  const { requiresProof, serviceType } = line.product
  if (stage === 'new' || stage === 'approval' || stage === 'hold') {
    return { productionStatus: null, proofStatus: requiresProof && draw.chance(0.3) ? 'NOT_CREATED' : null }
  }
  if (stage === 'proofing' && requiresProof) {
    const proofStatus = draw.weighted<ProofStatus>([
      ['PENDING_REVIEW', 70],
      ['DECLINED', 15],
      ['NOT_CREATED', 15],
    ])
    return { productionStatus: 'PREPRESS', proofStatus }
  }
  if (stage === 'proofing') return { productionStatus: null, proofStatus: null }
  return { productionStatus: draw.pick(inTheWorks[serviceType]), proofStatus: requiresProof ? 'APPROVED' : null }
}

/** What goes wrong now and then: a line cancelled or adjusted, a rework, a line nobody shows the customer. */
function withIncidents(lines: Line[], order: Order, on: Date, next: typeof first, draw: Draw): Line[] {
  const result = lines.map((line, index): Line => {
    if (index > 0 && draw.chance(0.03)) return { ...line, productionStatus: null, cancelledOn: on }
    if (line.price && draw.chance(0.01))
      return { ...line, price: { ...line.price, lineTotal: line.price.lineTotal.minus('0.25') } }
    if (line.productionStatus !== null && draw.chance(0.01)) return { ...line, problem: 'The artwork has no bleed' }
    return line
  })
  const last = result.at(-1)!
  if (last.product.serviceType === 'POD' && draw.chance(0.015)) {
    const { jobName: _, externalId: _1, note: _2, cancelledOn: _3, ...same } = last
    result.push({ ...same, itemNumber: next.item++, recordKind: 'REWORK', proofStatus: null, price: null })
  }
  if (!order.partner && draw.chance(0.004)) {
    result.push({ ...result[0]!, itemNumber: next.item++, quantity: result[0]!.quantity, hidden: true })
  }
  return result
}

/** The open shipments of the order with the lines it now has: without the cancelled ones, with the hidden ones. */
function reshipped(placed: Order, lines: readonly Line[], on: Date): Shipment[] {
  return placed.shipments.map((shipment): Shipment => {
    const items = lines.flatMap((line, index) =>
      !line.recordKind && !line.cancelledOn && line.product.centerId === shipment.centerId
        ? [{ line: index + 1, quantity: line.quantity }]
        : [],
    )
    return items.length > 0 ? { ...shipment, items } : { ...shipment, status: 'CANCELLED', cancelledOn: on }
  })
}

const parcelOuncesMax = 1_100

function shippedShipment(shipment: Shipment, order: Order, shippedOn: Date): Shipment {
  const ounces = shipmentOunces(shipment, order)
  const count = Math.min(4, Math.max(1, Math.ceil(ounces.div(parcelOuncesMax).toNumber())))
  return {
    ...shipment,
    status: 'SHIPPED',
    shippedOn,
    packages: Array.from({ length: count }, (_, index) => ({
      trackingNumber: `${order.service.provider.slice(0, 2).toUpperCase()}${shipment.number}${index + 1}`,
      weightOunces: decimalString(ounces.div(count), 1),
    })),
  }
}

function shipmentOunces(shipment: Shipment, order: Order): Money {
  return shipment.items.reduce(
    (total, item) => total.plus(money(order.lines[item.line - 1]!.product.unitWeightOunces ?? 0).times(item.quantity)),
    money(0),
  )
}

/** The first open shipment has left: whole where there is another, else with half of its goods. */
function partlyShipped(order: Order, shippedOn: Date, next: typeof first, draw: Draw): Order {
  const open = order.shipments.filter((shipment) => shipment.status === 'OPEN')
  const [head, ...rest] = open as [Shipment, ...Shipment[]]
  const [firstItem, ...otherItems] = head.items as [Shipment['items'][number], ...Shipment['items']]
  const splits = rest.length === 0
  if (splits && otherItems.length === 0 && firstItem.quantity === 1) return order
  const leaving = !splits
    ? head.items
    : otherItems.length > 0
      ? [firstItem]
      : [{ line: firstItem.line, quantity: Math.ceil(firstItem.quantity / 2) }]
  const staying =
    otherItems.length > 0 ? otherItems : [{ line: firstItem.line, quantity: Math.floor(firstItem.quantity / 2) }]
  const half = decimalString(head.shippingTotal.times('0.5'), 2)
  const left = shippedShipment(
    { ...head, items: leaving, ...(splits ? { shippingTotal: money(half) } : {}) },
    order,
    shippedOn,
  )
  const remainder: Shipment[] = splits
    ? [
        {
          ...head,
          number: next.shipment++,
          createdOn: shippedOn,
          items: staying,
          shippingTotal: head.shippingTotal.minus(half),
        },
      ]
    : rest
  const leftWhole = new Set(
    leaving.filter((item) => item.quantity === order.lines[item.line - 1]!.quantity).map(({ line }) => line),
  )
  return {
    ...order,
    updatedOn: shippedOn,
    lines: order.lines.map((line, index): Line => {
      if (!leftWhole.has(index + 1)) return line
      return { ...line, productionStatus: 'COMPLETE', shippedOn }
    }),
    shipments: [...order.shipments.filter((shipment) => shipment.status === 'CANCELLED'), left, ...remainder].toSorted(
      (a, b) => a.number - b.number,
    ),
    ...(draw.chance(0.2) ? { purchaseOrderNumber: `PO-${draw.whole(10_000, 99_999)}` } : {}),
  }
}

function withCredit(order: Order, credit: CrowdCredit): Order {
  const totals = orderTotals(order)
  const isCancelled = order.lines.every((line) => line.cancelledOn)
  if (!totals || !order.user || isCancelled) return order
  const drawn = credit.drawFor({
    orderNumber: order.orderNumber,
    user: order.user,
    placedOn: order.placedOn,
    charges: {
      product: totals.itemTotal.minus(totals.discountTotal),
      shipping: totals.shippingTotal,
      handling: totals.handlingTotal,
      tax: totals.taxTotal,
    },
  })
  return { ...order, creditApplied: decimalString(drawn, 2) }
}
