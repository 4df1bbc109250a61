import type { Mutant } from './mutant.ts'

const reprint = 'src/staff/after-sale/reprint.test.ts'

export const reprints: readonly Mutant[] = [
  {
    says: 'partners are told that a reprint has shipped',
    in: 'src/platform/shipments/ship.ts',
    from: 'events: shipment.rework\n',
    to: 'events: shipment.rework && false\n',
    caughtBy: reprint,
  },
  {
    says: 'partners see the shipments of reprints',
    in: 'src/resources/shipments/list-shipments.ts',
    from: ' and not shipment.rework',
    to: '',
    caughtBy: reprint,
  },
  {
    says: 'a reprint ends with the completion of its order',
    in: 'src/platform/order-changes/change-order.ts',
    from: 'order.ofRework ? reworkGates : orderGates',
    to: 'order.ofRework ? orderGates : orderGates',
    caughtBy: reprint,
  },
  {
    says: 'a reprint of a reprint is not linked to the line that was bought',
    in: 'src/platform/after-sale/reprint.ts',
    from: 'return row?.original ?? lineNumber',
    to: 'return row === undefined ? lineNumber : lineNumber',
    caughtBy: reprint,
  },
  {
    says: 'a completed order hides its reprints from the work queues',
    in: 'src/platform/lines/open-lines.ts',
    from: " or line.record_kind = 'REWORK')",
    to: ')',
    caughtBy: reprint,
  },
  {
    says: 'a reprint is charged more than its pieces cost',
    in: 'src/platform/after-sale/reprint.ts',
    from: 'if (charge.lte(most) && ',
    to: 'if (',
    caughtBy: reprint,
  },
  {
    says: 'what a reprint costs is not in the totals',
    in: 'src/platform/order-changes/order-charges.ts',
    from: " or line.record_kind = 'REWORK' and line.line_total is not null)",
    to: ')',
    caughtBy: reprint,
  },
  {
    says: 'a reprint of the same reference may cost something else',
    in: 'src/platform/after-sale/reprint.ts',
    from: 'charge.eq(made.charge)',
    to: 'charge.gte(0)',
    caughtBy: reprint,
  },
]
