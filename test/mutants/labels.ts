import type { Mutant } from './mutant.ts'

const labels = 'src/staff/shipments/labels.test.ts'

export const labelMutants: readonly Mutant[] = [
  {
    says: 'a parcel that the carrier knows is announced again',
    in: 'src/platform/shipments/buy-label.ts',
    from: 'let known = knownTo(label)',
    to: 'let known = label.claim > 0 ? undefined : knownTo(label)',
    caughtBy: labels,
  },
  {
    says: 'an unfinished label is resumed for another parcel',
    in: 'src/platform/shipments/buy-label.ts',
    from: '(isAnnounced && !isSame)',
    to: "(label.status === 'BOUGHT' && !isSame)",
    caughtBy: labels,
  },
  {
    says: 'a label stays claimed when the carrier does not answer',
    in: 'src/platform/shipments/buy-label.ts',
    from: 'await releaseLabel(database.statements, label).catch(() => undefined)',
    to: '',
    caughtBy: labels,
  },
  {
    says: 'a label with which a shipment left is given back',
    in: 'src/platform/shipments/give-label-back.ts',
    from: 'if (used)',
    to: 'if (false)',
    caughtBy: labels,
  },
  {
    says: 'a shipment with a label is cancelled',
    in: 'src/platform/shipments/cancel-shipment.ts',
    from: 'if ((await lockLabelsInUse(tx, shipmentNumber)).length > 0)',
    to: 'if (false)',
    caughtBy: labels,
  },
  {
    says: 'a shipment leaves with a label of which nobody knows whether it was bought',
    in: 'src/platform/shipments/ship.ts',
    from: "status !== 'BOUGHT'",
    to: "status === 'REFUSED'",
    caughtBy: labels,
  },
]
