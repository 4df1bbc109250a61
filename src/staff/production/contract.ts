import { Type } from 'typebox'
import {
  bodyObject,
  described,
  formedText,
  instant,
  longNumber,
  notesUpTo,
  nullable,
  oneOf,
  patchBody,
  record,
  text,
  textUpTo,
  uuid,
  whole,
} from '../../contract/fields.ts'
import type { BodyFault } from '../../contract/refusal.ts'
import { checkUpload } from '../../contract/upload.ts'
import { lineQuantityMax } from '../../platform/catalog/quantity-rules.ts'
import { prepressGuards } from '../../platform/lines/prepress-guards.ts'
import { refusals } from '../../platform/orders/refusals.ts'
import { readInstant } from '../../vocabulary/instant.ts'
import type { JsonObject } from '../../vocabulary/json.ts'
import { productionStatuses } from '../../vocabulary/statuses.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { OrderDetail } from '../orders/order-records.ts'
import { lineProblems, lineRefuses } from '../orders/refusals.ts'
import { commentOfDecision, reasonOf, whyBody } from '../orders/why.ts'

/** Where a file of a line can be uploaded to. */
export const UploadReservation = record('UploadReservation', {
  orderNumber: longNumber,
  lineNumber: whole,
  reservationName: described(uuid, 'send it back once, when using the upload'),
  uploadUrl: Type.String({
    format: 'uri',
    description:
      'takes a PUT of the bytes; until it expires, another PUT replaces them, but not what was attached. A credential: do not store or log it',
  }),
  contentType: nullable(described(text, 'the Content-Type the PUT must carry; null = any')),
  expiresOn: described(instant, 'about one minute from now'),
})

const amount = formedText('^-?\\d+(\\.\\d+)?$', 'an exact decimal such as "12.50"', {
  maxLength: 30,
  description: 'exact decimal',
})
const date = Type.Optional(
  nullable(described(textUpTo(40), 'an instant or a date; null clears it; left out = unchanged')),
)

const stations = ['PREPRESS', 'QUEUED', 'PRINTING', 'FINISHING', 'PACKING', 'COMPLETE'] as const

export const goal = Type.Optional(
  described(oneOf(stations), 'the station to move to, over those between; left out = the next one'),
)

export const seenStatus = Type.Optional(
  described(
    nullable(oneOf(productionStatuses)),
    'the productionStatus that the person saw; where the line has another by now, nothing is done (line_moved_on)',
  ),
)

/** The dates of a line as a body has them; `checkDates` reads them. */
export const lineDates = { estimatedShipBy: date, shipBy: date }

export function checkDates(dates: JsonObject): BodyFault[] {
  const wrong = Object.entries(dates).filter(([, value]) => typeof value === 'string' && !readInstant(value))
  return wrong.map(([path]) => {
    const detail = `The field ${path} must be an instant such as 2026-01-31T09:30:00Z, or a date such as 2026-01-31.`
    return { path, rule: 'date-time', detail }
  })
}

export const linesInProduction = staffSubject({
  name: 'Production',
  says: 'The lines of an order in production. Every change answers with the order.',
  problems: {
    ...lineProblems,
    not_in_prepress: [409, 'The line is not in prepress, where the guards are.'],
    nothing_to_override: [409, 'Nothing keeps the line in prepress. Advance it.'],
    line_shipped: [409, 'The line or a part of it has already shipped.'],
    station_reached: [409, 'The line is at this station, or past it.'],
    line_moved_on: [409, 'The line has another production status by now.'],
    no_problem_reported: [409, 'The line has no reported problem.'],
    quantity_already_shipped: [409, 'This quantity or more has already shipped.'],
    no_open_shipment: [409, 'The line has no open shipment.'],
    not_in_stock: [409, 'The stock does not have that many more pieces.'],
    reservation_not_usable: [
      409,
      'The reservation is for another line, is already used, or has no uploaded file. Reserve a new upload.',
    ],
    print_file_not_usable: [422, 'The file is empty, or of a type that the product does not take.'],
    problem_text_missing: [422, 'Say what the problem is, or name a reason.'],
    nothing_to_adjust: [422, 'The line already has this quantity and this price.'],
    quantity_out_of_range: [422, `A quantity is a whole number from 1 to ${lineQuantityMax}.`],
    line_total_out_of_range: [
      422,
      "A price is not negative, and has at most twelve digits before the point and the decimals of the order's currency.",
    ],
    pieces_out_of_range: [422, 'The pieces on back order are from 0 to the quantity that has not shipped.'],
  },
  operations: {
    advanceLine: staffOperation({
      id: 'advanceLine',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/advance',
      permission: 'orders:write',
      body: { schema: bodyObject({ to: goal, expects: seenStatus }), optional: true },
      answers: { 200: OrderDetail },
      refuses: [
        ...lineRefuses('work'),
        ...refusals.hold('move'),
        ...refusals.production('advance'),
        'station_reached',
        'line_moved_on',
        ...prepressGuards,
      ],
      says: 'Moves a line to its next station, or to one further on: PREPRESS, QUEUED, PRINTING, FINISHING, PACKING, COMPLETE. It stays in PREPRESS until it has the approved proof, the accepted artwork and the variables that it needs.',
    }),
    overrideGuards: staffOperation({
      id: 'overrideGuards',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/override',
      permission: 'orders:override',
      body: {
        schema: bodyObject({
          reason: Type.String({ minLength: 1, maxLength: 50, description: 'a code of the list of reasons override' }),
          comment: commentOfDecision,
        }),
      },
      answers: { 200: OrderDetail },
      refuses: [
        ...lineRefuses('work'),
        ...refusals.hold('move'),
        'not_in_prepress',
        ...prepressGuards,
        'nothing_to_override',
        'reason_not_usable',
      ],
      says: 'Sends a line out of PREPRESS although its proof, its artwork or its variables are missing. What was passed over stays on the record; a file that is still being inspected cannot be passed over.',
    }),
    holdLine: staffOperation({
      id: 'holdLine',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/hold',
      permission: 'orders:write',
      body: whyBody('hold'),
      answers: { 200: OrderDetail },
      refuses: [
        ...lineRefuses('amend'),
        'line_shipped',
        ...refusals.hold('hold'),
        ...refusals.production('hold'),
        'reason_not_usable',
      ],
      says: 'Holds a line at its station.',
    }),
    releaseLine: staffOperation({
      id: 'releaseLine',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/release',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: [...lineRefuses('amend'), ...refusals.hold('release')],
      says: 'Releases a held line, which goes on from its station.',
    }),
    reportProblem: staffOperation({
      id: 'reportProblem',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/report-problem',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          problem: Type.Optional(
            described(notesUpTo(2_000), 'for staff only; left out = the label of the reason stands for it'),
          ),
          reason: reasonOf('problem'),
        }),
      },
      answers: { 200: OrderDetail },
      refuses: [...lineRefuses('amend'), 'problem_text_missing', 'reason_not_usable'],
      says: 'Reports a problem with the artwork, data or production of a line. Partners see only that there is one.',
    }),
    clearProblem: staffOperation({
      id: 'clearProblem',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/clear-problem',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: [...lineRefuses('amend'), 'no_problem_reported'],
      says: 'Clears the reported problem of a line.',
    }),
    setDates: staffOperation({
      id: 'setDates',
      at: 'PATCH /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/dates',
      revises: 'readOrder',
      permission: 'orders:write',
      body: { schema: patchBody(lineDates), check: checkDates },
      answers: { 200: OrderDetail },
      refuses: lineRefuses('amend'),
      says: 'Sets when a line is expected to ship, and by when it must ship.',
    }),
    adjustLine: staffOperation({
      id: 'adjustLine',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/adjust',
      permission: 'orders:write',
      body: {
        schema: patchBody({
          quantity: Type.Optional(
            described(
              whole,
              'charged in proportion to the line as ordered, or as last priced by lineTotal, unless lineTotal says otherwise',
            ),
          ),
          lineTotal: Type.Optional(described(amount, 'what the whole line costs from now on')),
        }),
      },
      answers: { 200: OrderDetail },
      refuses: [
        ...lineRefuses('amend'),
        'quantity_out_of_range',
        'line_total_out_of_range',
        'nothing_to_adjust',
        'no_open_shipment',
        'quantity_already_shipped',
        'not_in_stock',
        'not_permitted',
      ],
      says: 'Changes the quantity or the price of a line. Its stock and open shipment follow. A price needs the permission orders:money too.',
    }),
    backorderLine: staffOperation({
      id: 'backorderLine',
      at: 'PUT /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/backorder',
      revises: 'readOrder',
      permission: 'orders:write',
      body: { schema: bodyObject({ pieces: nullable(described(whole, 'on back order; null = not computed')) }) },
      answers: { 200: OrderDetail },
      refuses: [...lineRefuses('amend'), 'pieces_out_of_range'],
      says: 'Sets how many pieces of a line are on back order.',
    }),
    cancelLine: staffOperation({
      id: 'cancelLine',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/cancel',
      permission: 'orders:write',
      body: whyBody('cancel'),
      answers: { 200: OrderDetail },
      refuses: [...lineRefuses('amend'), 'line_shipped', 'reason_not_usable'],
      says: 'Cancels a line of which nothing has shipped. A shipment left without goods is cancelled with it.',
    }),
    reserveLineUpload: staffOperation({
      id: 'reserveLineUpload',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/uploads',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          fileName: Type.String({ minLength: 1, maxLength: 255 }),
          contentType: Type.Optional(described(textUpTo(255), 'the PUT must then carry exactly this Content-Type')),
        }),
        check: checkUpload,
      },
      answers: { 201: UploadReservation },
      confidential: true,
      refuses: ['order_not_found', 'line_not_found'],
      says: 'Issues an upload URL for one file of a line: a print file, a proof, or the preview of a proof.',
    }),
    attachPrintFile: staffOperation({
      id: 'attachPrintFile',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/print-files',
      permission: 'orders:write',
      body: { schema: bodyObject({ reservationName: uuid }) },
      answers: { 200: OrderDetail },
      refuses: [
        ...lineRefuses('amend'),
        'line_shipped',
        ...refusals.production('attachArtwork'),
        'reservation_not_usable',
        'print_file_not_usable',
      ],
      says: 'Attaches an upload as a further print file of a line, and sends the line to prepress.',
    }),
  },
})
