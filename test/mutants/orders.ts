import type { Mutant } from './mutant.ts'

const production = 'src/platform/orders/production.test.ts'
const status = 'src/platform/order-changes/order-status.test.ts'

export const orders: readonly Mutant[] = [
  {
    says: 'an order on hold is worked on',
    in: 'src/platform/order-changes/order-gate.ts',
    from: "    cancel: to('CANCELLED'),\n    work: no('order_on_hold'),",
    to: "    cancel: to('CANCELLED'),\n    work: to('HELD'),",
    caughtBy: 'src/platform/orders/production.test.ts',
  },
  {
    says: 'a line is shipped before it is packed',
    in: 'src/platform/lines/production-states.ts',
    from: "    attachArtwork: to('PREPRESS'),\n    enterProofing: no('already_in_production'),\n    approveProof: to('FINISHING'),\n    declineProof: to('PREPRESS'),\n    ship: no('line_not_packed'),",
    to: "    attachArtwork: to('PREPRESS'),\n    enterProofing: no('already_in_production'),\n    approveProof: to('FINISHING'),\n    declineProof: to('PREPRESS'),\n    ship: to('COMPLETE'),",
    caughtBy: 'src/platform/orders/production.test.ts',
  },
  {
    says: 'a line that is held at a station forgets it',
    in: 'src/platform/lines/production-states.ts',
    from: 'heldProductionStatus: station }',
    to: "heldProductionStatus: 'PREPRESS' }",
    caughtBy: production,
  },
  {
    says: 'one shipped line makes the order shipped',
    in: 'src/platform/order-changes/order-status.ts',
    from: 'toShip.every((line) => line.shipped)',
    to: 'toShip.some((line) => line.shipped)',
    caughtBy: status,
  },
  {
    says: 'prepress counts as production',
    in: 'src/platform/order-changes/order-status.ts',
    from: "productionStatus !== null && productionStatus !== 'PREPRESS'",
    to: 'productionStatus !== null',
    caughtBy: status,
  },
  {
    says: 'a cancelled line still costs',
    in: 'src/platform/order-changes/refresh-order.ts',
    from: 'const bought = lines.filter((line) => !line.cancelled)',
    to: 'const bought = lines',
    caughtBy: production,
  },
  {
    says: 'a cancelled shipment still costs',
    in: 'src/platform/order-changes/refresh-order.ts',
    from: ".filter((shipment) => shipment.status !== 'CANCELLED')\n",
    to: '',
    caughtBy: production,
  },
  {
    says: 'a cancelled line still waits for its proof',
    in: 'src/platform/order-changes/refresh-order.ts',
    from: 'line.awaitsProof && !line.cancelled',
    to: 'line.awaitsProof',
    caughtBy: production,
  },
  {
    says: 'a change of status is not told',
    in: 'src/platform/order-changes/change-order.ts',
    from: 'if (status !== order.status) events.push(',
    to: 'if (status === order.status) events.push(',
    caughtBy: production,
  },
  {
    says: 'a change of an order leaves no audit record',
    in: 'src/platform/order-changes/change-order.ts',
    from: '    recordAudit(tx, change, { ...worked.audit, siteId: order.siteId }),\n',
    to: '',
    caughtBy: 'test/every-staff-operation/walk.test.ts',
  },
  {
    says: 'a cancelled line is changed',
    in: 'src/platform/lines/change-line.ts',
    from: "    if (line.cancelled) return { refused: 'line_cancelled' }\n",
    to: '',
    caughtBy: production,
  },
  {
    says: 'stock is not returned by a cancelled line',
    in: 'src/platform/lines/line-stock.ts',
    from: 'if (counted.length === 0) return\n',
    to: 'if (counted.length >= 0) return\n',
    caughtBy: production,
  },
  {
    says: 'pieces of cancelled shipments count as shipped',
    in: 'src/platform/lines/shipped-quantity.ts',
    from: " and status = 'SHIPPED'\n",
    to: '\n',
    caughtBy: production,
  },
  {
    says: 'a date left out is cleared',
    in: 'src/platform/lines/set-dates.ts',
    from: 'case when ${dates.shipBy === undefined} then ship_by else',
    to: 'case when ${dates.shipBy === undefined} then null else',
    caughtBy: 'src/staff/production/production.test.ts',
  },
]
