import type { Mutant } from './mutant.ts'

const guards = 'src/staff/production/guards.test.ts'
const delivery = 'src/staff/shipments/delivery.test.ts'
const notes = 'src/staff/notes/notes.test.ts'
const reasons = 'src/staff/reasons/reasons.test.ts'

export const orderDesk: readonly Mutant[] = [
  {
    says: 'the history of an order shows a new kind of amount to everybody',
    in: 'src/staff/orders/read-history.ts',
    from: ' reprintOf ',
    to: ' reprintOf lineTotal ',
    caughtBy: 'src/staff/orders/history.test.ts',
  },
  {
    says: 'the history of an order tells deliveries to whoever reads orders',
    in: 'src/staff/orders/read-history.ts',
    from: "  delivery: 'webhooks:read',\n",
    to: '',
    caughtBy: 'src/staff/orders/history.test.ts',
  },
  {
    says: 'the calls about an order are those about every order whose number begins so',
    in: 'src/gateway/request-log/read-request-log.ts',
    from: "[0-9]+)(?:/|$)') = ${String(orderNumber)}",
    to: "[0-9]+)(?:/|$)') like ${`${orderNumber}%`}",
    caughtBy: 'src/staff/orders/history.test.ts',
  },
  {
    says: 'an uploaded line without a print file leaves prepress',
    in: 'src/platform/lines/prepress-guards.ts',
    from: "line.artworkSource === 'UPLOAD' && line.standing === null,",
    to: 'false,',
    caughtBy: guards,
  },
  {
    says: 'a running inspection can be passed over',
    in: 'src/platform/lines/override-guards.ts',
    from: "prepressGuards.filter((guard) => guard !== 'artwork_being_inspected')",
    to: 'prepressGuards',
    caughtBy: guards,
  },
  {
    says: 'a reason that is switched off can be given',
    in: 'src/platform/reasons/reasons.ts',
    from: 'and code = ${code} and active for key share',
    to: 'and code = ${code} for key share',
    caughtBy: reasons,
  },
  {
    says: 'a packed shipment goes elsewhere',
    in: 'src/platform/shipments/change-delivery.ts',
    from: "station === 'PACKING' || station === 'COMPLETE'",
    to: "station === 'COMPLETE'",
    caughtBy: delivery,
  },
  {
    says: 'a way there and back forgets what was agreed beyond the rate',
    in: 'src/platform/shipments/price-delivery.ts',
    from: 'const total = rate.plus(offset)',
    to: 'const total = rate',
    caughtBy: delivery,
  },
  {
    says: 'a change of delivery that shall not be charged is charged',
    in: 'src/platform/shipments/change-delivery.ts',
    from: 'if (!decision.charge) await',
    to: 'if (false) await',
    caughtBy: delivery,
  },
  {
    says: 'a partner reads the notes of staff',
    in: 'src/resources/orders/order-view.ts',
    from: "order_note.audience = 'PARTNER'",
    to: 'true',
    caughtBy: notes,
  },
]
