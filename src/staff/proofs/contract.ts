import { Type } from 'typebox'
import {
  bodyObject,
  described,
  longNumber,
  nullable,
  record,
  text,
  textUpTo,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { refusals } from '../../platform/orders/refusals.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { OrderDetail } from '../orders/order-records.ts'
import { lineProblems, lineRefuses, lineRefusesUngated } from '../orders/refusals.ts'

export const OfferedDenialReasons = record('OfferedDenialReasons', {
  orderNumber: longNumber,
  lineNumber: whole,
  reasons: Type.Array(record('OfferedDenialReason', { code: text, label: text, description: nullable(text) })),
})

const comment = Type.Optional(described(textUpTo(2_000), 'goes into the proof log; blank counts as left out'))

export const proofs = staffSubject({
  name: 'Proofs',
  says: 'Proofs of lines: given out for review, decided on behalf of the customer. Every change answers the order.',
  problems: {
    ...lineProblems,
    not_in_proofing: [409, 'The line is not in proofing.'],
    already_in_proofing: [409, 'The line is in proofing already.'],
    proof_pending_review: [409, 'A proof waits for a decision already.'],
    proof_approved: [409, 'The proof is approved already.'],
    proof_status_unknown: [409, 'The proof stands somewhere the platform was not taught: nothing is guessed.'],
    proof_not_pending_review: [409, 'No proof of the line waits for a decision.'],
    no_such_proofs: [409, 'No proof file of the line stands so that this could happen to it.'],
    reservation_not_usable: [409, 'The reservation is of another line, used already, or nothing was uploaded to it.'],
    proof_file_not_pdf: [422, 'What was uploaded as the proof is no PDF.'],
    proof_preview_not_png: [422, 'What was uploaded as the preview is no PNG.'],
    denial_reason_not_available: [422, 'The reason is not offered on this line.'],
  },
  operations: {
    putInProofing: staffOperation({
      id: 'putInProofing',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/enter',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: [...lineRefuses('amend'), ...refusals.proof('enter'), ...refusals.production('enterProofing')],
      says: 'Puts a line that was not made yet in proofing: it waits in prepress until a proof is approved.',
    }),
    publishProof: staffOperation({
      id: 'publishProof',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/publish',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: [...lineRefuses('amend'), ...refusals.proof('publish')],
      says: "Draws a proof from the line's data, and gives it out for review as the current revision.",
    }),
    publishUploadedProof: staffOperation({
      id: 'publishUploadedProof',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/publish-uploaded',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          file: described(uuid, 'the reservation a PDF was uploaded to'),
          preview: described(uuid, 'the reservation its preview was uploaded to, a PNG'),
        }),
      },
      answers: { 200: OrderDetail },
      refuses: [
        ...lineRefuses('amend'),
        ...refusals.proof('publish'),
        'reservation_not_usable',
        'proof_file_not_pdf',
        'proof_preview_not_png',
      ],
      says: 'Gives out a proof that was made elsewhere for review as the current revision.',
    }),
    listOfferedDenialReasons: staffOperation({
      id: 'listOfferedDenialReasons',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/denial-reasons',
      permission: 'orders:read',
      answers: { 200: OfferedDenialReasons },
      refuses: ['line_not_found'],
      says: 'Lists the reasons with which the proof of this line can be declined.',
    }),
    approveProof: staffOperation({
      id: 'approveProof',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/approve',
      permission: 'orders:write',
      body: { schema: bodyObject({ comment }), optional: true },
      answers: { 200: OrderDetail },
      refuses: [...lineRefusesUngated, ...refusals.proof('approve'), ...refusals.production('approveProof')],
      says: 'Approves a proof on behalf of the customer, which sends the line to production.',
    }),
    declineProof: staffOperation({
      id: 'declineProof',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/decline',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          reason: Type.String({ minLength: 1, maxLength: 100, description: 'a code the line offers' }),
          comment,
        }),
      },
      answers: { 200: OrderDetail },
      refuses: [
        ...lineRefusesUngated,
        ...refusals.proof('decline'),
        'denial_reason_not_available',
        ...refusals.production('declineProof'),
      ],
      says: 'Declines a proof on behalf of the customer, which sends the line back for a new one.',
    }),
    archiveProofs: staffOperation({
      id: 'archiveProofs',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/archive',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: ['order_not_found', 'line_not_found', 'no_such_proofs'],
      says: 'Puts the proof files of a line where they cannot be downloaded from; they stay listed.',
    }),
    retrieveProofs: staffOperation({
      id: 'retrieveProofs',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/retrieve',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: ['order_not_found', 'line_not_found', 'no_such_proofs'],
      says: 'Brings archived proof files of a line back.',
    }),
  },
})
