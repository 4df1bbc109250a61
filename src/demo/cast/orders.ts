import { money } from '../../vocabulary/money.ts'
import { daysAfter, daysBefore } from '../calendar.ts'
import type { CastCatalog } from './catalog.ts'
import { orderingUsers, type CastUsers } from './customers.ts'
import { centers, shippingServiceNamed, siteFacts, sites } from './sites.ts'
import { productIdOf, type Product } from '../catalog-rows.ts'
import { demoUuid } from '../credentials.ts'
import type { Tables } from '../insert.ts'
import {
  openShipments,
  orderTables,
  priceFor,
  type Line,
  type Order,
  type Place,
  type Shipment,
  type UnpricedLine,
} from '../order-rows.ts'
import { submissionOf, submissionRow, type Submission } from '../submission-rows.ts'

/** The named orders, one in each state that a partner can meet, and the submissions. */

/** Where the cast's numbers begin; the crowd's older orders have lower ones. */
const firstOrder = 1_010_001
const firstItem = 5_100_001
const firstShipment = 3_050_001
const firstProject = 750_001

/** More than one page, whatever the page size. */
const manyLinesCount = 210
const manyShipmentsCount = 60

/** More than one read of a proof tells. */
const manyProofFilesCount = 205

const albany: Place = {
  name: 'Avery Stone',
  company: 'Stone & Sons',
  address1: '12 Harbor Street',
  address2: 'Suite 4',
  city: 'Albany',
  state: 'NY',
  postalCode: '12207',
  country: 'US',
  phone: '+1 518 555 0100',
}

const leeds: Place = {
  name: 'Alex Thorne',
  company: null,
  address1: '4 Park Row',
  address2: null,
  city: 'Leeds',
  state: 'LDS',
  postalCode: 'LS1 5HD',
  country: 'GB',
  phone: null,
}

type Draft = Partial<Omit<Order, 'lines'>> & { lines: readonly UnpricedLine[] }
type DraftShipment = Pick<Shipment, 'status' | 'items'> & Partial<Shipment>
type DraftLine = Pick<Line, 'product'> & Partial<UnpricedLine>

/** The partners that submit on the main site; both use these ids for their orders. */
export type SubmittingPartners = { own: string; other: string; foreign: string }

export function castOrders(
  now: Date,
  catalog: CastCatalog,
  users: CastUsers,
  partners: SubmittingPartners,
): { tables: Tables; fixtures: ReturnType<typeof fixturesOf> } {
  const orders: Order[] = []
  let itemNumber = firstItem
  let shipmentNumber = firstShipment

  function place(siteId: number, daysAgo: number, draft: Draft): Order {
    const turn = orders.length
    const placedOn = daysBefore(now, daysAgo)
    const order = {
      orderNumber: firstOrder + turn,
      projectId: firstProject + turn,
      siteId,
      user: siteId === sites.main ? users.plain : users.foreign,
      placedOn,
      updatedOn: daysBefore(now, daysAgo / 2),
      shipTo: { ...(siteFacts.get(siteId)!.country === 'GB' ? leeds : albany), email: null },
      service: shippingServiceNamed(siteId, 'Parcelway Ground'),
      ...draft,
    }
    const lines = draft.lines.map((unpriced): Line => ({
      ...unpriced,
      price: unpriced.recordKind ? null : priceFor(unpriced, order.user, order.placedOn),
    }))
    const placed: Order = {
      ...order,
      lines,
      shipments: draft.shipments ?? openShipments({ ...order, lines }, () => shipmentNumber++),
    }
    orders.push(placed)
    return placed
  }

  function line(draft: DraftLine): UnpricedLine {
    return {
      itemNumber: itemNumber++,
      quantity: 250,
      productionStatus: null,
      proofStatus: null,
      ...(draft.product.variants?.[0] ? { variant: draft.product.variants[0] } : {}),
      ...draft,
    }
  }

  function shipment(draft: DraftShipment): Shipment {
    const number = shipmentNumber++
    return {
      number,
      centerId: centers.east,
      shippingTotal: money('9.85'),
      createdOn: daysBefore(now, 6),
      packages: draft.status === 'SHIPPED' ? [{ trackingNumber: `PW${number}US`, weightOunces: '22.5' }] : [],
      ...draft,
    }
  }

  const { pod, template, stock, withImages, kit, onFile, unpriceable } = catalog
  const onMain = (daysAgo: number, lines: readonly UnpricedLine[], more: Partial<Omit<Order, 'lines'>> = {}): Order =>
    place(sites.main, daysAgo, { lines, ...more })

  const pendingReview = onMain(3, [
    line({ product: pod, jobName: 'Spring cards', proofStatus: 'PENDING_REVIEW', productionStatus: 'PREPRESS' }),
    line({ product: stock, quantity: 12, productionStatus: 'QUEUED' }),
  ])
  const approved = onMain(5, [line({ product: pod, proofStatus: 'APPROVED', productionStatus: 'PRINTING' })])
  const declined = onMain(4, [
    line({
      product: template,
      proofStatus: 'DECLINED',
      productionStatus: 'PREPRESS',
      proofRevisions: 2,
      templateVariables: { Name: 'Avery Stone' },
    }),
  ])
  const notCreated = onMain(2, [line({ product: pod, proofStatus: 'NOT_CREATED', productionStatus: 'PREPRESS' })])
  const noProofing = onMain(1, [line({ product: onFile })])
  const cancelledLine = onMain(6, [
    line({
      product: pod,
      proofStatus: 'PENDING_REVIEW',
      productionStatus: 'PREPRESS',
      cancelledOn: daysBefore(now, 4),
    }),
    line({ product: stock, quantity: 24, productionStatus: 'QUEUED' }),
  ])
  const manyProofFiles = onMain(8, [
    line({
      product: withImages,
      quantity: 2,
      proofStatus: 'PENDING_REVIEW',
      productionStatus: 'PREPRESS',
      proofRevisions: manyProofFilesCount,
    }),
  ])
  const nullLink = onMain(8.5, [
    line({
      product: withImages,
      quantity: 1,
      proofStatus: 'PENDING_REVIEW',
      productionStatus: 'PREPRESS',
      proofsArchived: true,
    }),
  ])
  const empty = onMain(9, [
    line({ product: pod, hidden: true }),
    line({ product: pod, recordKind: 'PROOF', productionStatus: 'COMPLETE' }),
  ])
  const hiddenLine = onMain(10, [
    line({ product: pod, hidden: true, proofStatus: 'PENDING_REVIEW', productionStatus: 'PREPRESS' }),
    line({ product: stock, quantity: 6, productionStatus: 'PACKING' }),
  ])
  const internalLine = onMain(11, [
    line({ product: pod, recordKind: 'REWORK', proofStatus: 'PENDING_REVIEW', productionStatus: 'PRINTING' }),
    line({
      product: pod,
      proofStatus: 'APPROVED',
      productionStatus: 'PRINTING',
      problem: 'Color shift on the first run',
    }),
  ])
  const siteMismatch = onMain(12, [
    line({ product: pod, siteId: sites.second, proofStatus: 'PENDING_REVIEW', productionStatus: 'PREPRESS' }),
    line({ product: pod, proofStatus: 'APPROVED', productionStatus: 'QUEUED' }),
  ])
  const splitShipped = daysBefore(now, 3)
  const split = onMain(
    7,
    [
      line({ product: stock, quantity: 30, productionStatus: 'COMPLETE', shippedOn: splitShipped }),
      line({ product: kit, quantity: 10, productionStatus: 'PACKING' }),
      line({
        product: stock,
        variant: stock.variants![3]!,
        quantity: 8,
        productionStatus: 'QUEUED',
        backorderQuantity: 6,
      }),
    ],
    {
      shipments: [
        shipment({
          status: 'SHIPPED',
          shippedOn: splitShipped,
          items: [
            { line: 1, quantity: 30 },
            { line: 2, quantity: 4 },
          ],
          packages: [
            { trackingNumber: 'PW700100US', weightOunces: '195' },
            { trackingNumber: 'PW700101US', weightOunces: '152.5' },
          ],
        }),
        shipment({
          status: 'OPEN',
          items: [
            { line: 2, quantity: 6 },
            { line: 3, quantity: 8 },
          ],
          internalNotes: 'Wait for the backordered shirts',
        }),
      ],
    },
  )
  const cancelledShipment = onMain(9.5, [line({ product: stock, quantity: 18, productionStatus: 'PACKING' })], {
    shipments: [
      shipment({ status: 'CANCELLED', cancelledOn: daysBefore(now, 2), items: [{ line: 1, quantity: 18 }] }),
      shipment({ status: 'OPEN', createdOn: daysBefore(now, 2), items: [{ line: 1, quantity: 18 }] }),
    ],
  })
  const manyShipped = daysBefore(now, 12)
  const manyLines = onMain(
    20,
    Array.from({ length: manyLinesCount }, (_, index) =>
      line({
        product: stock,
        variant: stock.variants![index % 2]!,
        quantity: 1 + (index % 9),
        jobName: `Store ${index + 1}`,
        productionStatus: 'COMPLETE',
        shippedOn: manyShipped,
      }),
    ),
    {
      shipments: Array.from({ length: manyShipmentsCount }, (_, index) =>
        shipment({
          status: 'SHIPPED',
          createdOn: daysBefore(now, 14),
          shippedOn: manyShipped,
          items: Array.from({ length: manyLinesCount }, (__, lineIndex) => lineIndex)
            .filter((lineIndex) => lineIndex % manyShipmentsCount === index)
            .map((lineIndex) => ({ line: lineIndex + 1, quantity: 1 + (lineIndex % 9) })),
        }),
      ),
    },
  )

  const submitted = (
    siteId: number,
    partnerId: string,
    partnerOrderId: string,
    daysAgo: number,
    product: Product,
    proofing: Partial<UnpricedLine>,
  ): Order =>
    place(siteId, daysAgo, {
      user: Object.values(users).find((user) => user.id === orderingUsers.get(siteId))!,
      partner: { partnerId, partnerOrderId, submissionId: demoUuid(`submission/${partnerId}/${partnerOrderId}`) },
      lines: [line({ product, externalId: '1', jobName: `Job of ${partnerOrderId}`, ...proofing })],
    })
  const ownOrder = submitted(sites.main, partners.own, 'DEMO-0001', 2.5, pod, { proofStatus: 'NOT_CREATED' })
  submitted(sites.main, partners.other, 'OTHER-0001', 2.4, stock, { quantity: 3 })
  const foreignOrder = submitted(sites.foreign, partners.foreign, 'FOREIGN-0001', 2.3, catalog.foreignPod, {
    proofStatus: 'PENDING_REVIEW',
    productionStatus: 'PREPRESS',
  })

  // States without a name in the manifest, for whoever walks the list.
  const shippedOn = daysBefore(now, 30)
  onMain(36, [line({ product: stock, quantity: 60, productionStatus: 'COMPLETE', shippedOn })], {
    completedOn: daysAfter(shippedOn, 5),
    updatedOn: daysAfter(shippedOn, 5),
    purchaseOrderNumber: 'PO-44120',
    billTo: albany,
    shipments: [
      shipment({
        status: 'SHIPPED',
        createdOn: daysBefore(now, 35),
        shippedOn,
        items: [{ line: 1, quantity: 60 }],
      }),
    ],
  })
  onMain(15, [line({ product: pod, cancelledOn: daysBefore(now, 14) })])
  onMain(1.5, [line({ product: kit, quantity: 5 })], { held: 'PENDING_APPROVAL', user: users.withAddresses })
  onMain(1.2, [line({ product: unpriceable, itemNumber: null, note: 'Price by hand' })], { held: 'ON_HOLD' })
  onMain(25, [line({ product: catalog.digital, quantity: 1, productionStatus: 'COMPLETE' })], {
    completedOn: daysBefore(now, 25),
  })
  place(sites.second, 13, {
    user: users.secondBuyer,
    lines: [line({ product: catalog.mug, quantity: 48, productionStatus: 'QUEUED' })],
  })
  place(sites.divisionAddresses, 14, {
    user: users.orderingSummit,
    lines: [line({ product: catalog.summitStock, quantity: 4, productionStatus: 'QUEUED' })],
  })

  const rejected = rejectedSubmission(now, partners.own, catalog)
  const submissions = [...orders.filter((order) => order.partner).map(submissionOf), rejected]
  return {
    tables: [...orderTables(orders), ['submission', submissions.map(submissionRow)]],
    fixtures: fixturesOf(
      {
        pendingReview,
        approved,
        declined,
        notCreated,
        noProofing,
        cancelledLine,
        manyProofFiles,
        nullLink,
        empty,
        hiddenLine,
        internalLine,
        siteMismatch,
        split,
        cancelledShipment,
        manyLines,
      },
      { completed: ownOrder.partner!.submissionId, failed: rejected.submissionId },
      foreignOrder,
    ),
  }
}

function rejectedSubmission(now: Date, partnerId: string, catalog: CastCatalog): Submission {
  const partnerOrderId = 'DEMO-0002'
  const product = catalog.maxQuantity
  const { email: _, ...shipTo } = { ...albany, email: null }
  return {
    submissionId: demoUuid(`submission/${partnerId}/${partnerOrderId}`),
    partnerId,
    partnerOrderId,
    siteId: sites.main,
    orderingUserId: orderingUsers.get(sites.main)!,
    body: {
      siteId: sites.main,
      partnerOrderId,
      shipTo,
      lines: [{ productId: productIdOf(product), partnerLineId: '1', quantity: 5_000 }],
    },
    createdOn: daysBefore(now, 1.8),
    updatedOn: daysBefore(now, 1.8),
    reasons: ['quantity_above_maximum'],
    outcome: {
      errors: [
        {
          code: 'order_rejected',
          detail: `The quantity must be at most ${product.maxQuantity}.`,
          field: 'lines[0].quantity',
          partnerLineId: '1',
        },
      ],
    },
  }
}

type NamedOrders = Record<
  | 'pendingReview'
  | 'approved'
  | 'declined'
  | 'notCreated'
  | 'noProofing'
  | 'cancelledLine'
  | 'manyProofFiles'
  | 'nullLink'
  | 'empty'
  | 'hiddenLine'
  | 'internalLine'
  | 'siteMismatch'
  | 'split'
  | 'cancelledShipment'
  | 'manyLines',
  Order
>

/** The order ids of the manifest. The line that makes an order special is its first. */
function fixturesOf(orders: NamedOrders, submissions: { completed: string; failed: string }, foreign: Order) {
  return {
    orders: {
      pendingReview: ofLine(orders.pendingReview),
      approved: ofLine(orders.approved),
      declined: ofLine(orders.declined),
      notCreated: ofLine(orders.notCreated),
      noProofing: ofLine(orders.noProofing),
      cancelledLine: ofLine(orders.cancelledLine),
      manyProofFiles: ofLine(orders.manyProofFiles),
      nullLink: ofLine(orders.nullLink),
      empty: { orderNumber: orders.empty.orderNumber },
      hiddenLine: ofLine(orders.hiddenLine),
      internalLine: ofLine(orders.internalLine),
      siteMismatch: ofLine(orders.siteMismatch),
      split: { ...ofLine(orders.split), ...ofShipment(orders.split) },
      cancelledShipment: { ...ofLine(orders.cancelledShipment), ...ofShipment(orders.cancelledShipment) },
      manyLines: ofLine(orders.manyLines),
    },
    submissions,
    foreign: { ...ofLine(foreign), submissionId: foreign.partner!.submissionId },
  }
}

function ofLine(order: Order) {
  return { orderNumber: order.orderNumber, itemNumber: order.lines[0]!.itemNumber! }
}

function ofShipment(order: Order) {
  return { orderNumber: order.orderNumber, shipmentNumber: order.shipments[0]!.number }
}
