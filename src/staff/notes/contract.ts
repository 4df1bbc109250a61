import { bodyObject, described, notesUpTo, nullable, oneOf, whole } from '../../contract/fields.ts'
import { Type } from 'typebox'
import { noteAudiences, noteLengthMax, notesMax } from '../../platform/order-desk/notes.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { OrderDetail } from '../orders/order-records.ts'

export const notes = staffSubject({
  name: 'Notes',
  says: 'Notes on orders and lines, for staff or for the partner. Nobody edits a note; it can be withdrawn. Every change answers with the order.',
  problems: {
    order_not_found: [404, 'No such order.'],
    line_not_found: [404, 'The order has no such line.'],
    note_not_found: [404, 'The order has no such note.'],
    order_not_of_partner: [409, 'No partner submitted the order, so nobody would read a note to its partner.'],
    note_text_missing: [422, 'The note needs a text.'],
    line_not_shown: [422, 'The partner is not shown this line, so no note to the partner can be about it.'],
    too_many_notes: [409, `An order has at most ${notesMax} notes.`],
  },
  operations: {
    writeNote: staffOperation({
      id: 'writeNote',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/notes',
      permission: 'orders:note',
      body: {
        schema: bodyObject({
          text: notesUpTo(noteLengthMax),
          audience: described(
            oneOf(noteAudiences),
            'PARTNER = the partner who submitted the order reads it there; STAFF = only staff do',
          ),
          lineNumber: Type.Optional(nullable(described(whole, 'the line it is about; left out or null = the order'))),
        }),
      },
      answers: { 200: OrderDetail },
      refuses: [
        'order_not_found',
        'note_text_missing',
        'order_not_of_partner',
        'line_not_found',
        'line_not_shown',
        'too_many_notes',
      ],
      says: 'Writes a note on an order or a line, for staff only or to its partner. The same note sent again within a minute is written once.',
    }),
    withdrawNote: staffOperation({
      id: 'withdrawNote',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/notes/{noteId}/withdraw',
      permission: 'orders:note',
      answers: { 200: OrderDetail },
      refuses: ['note_not_found', 'order_not_found'],
      says: 'Withdraws a note: its partner no longer reads it, and staff see that it was withdrawn.',
    }),
  },
})
