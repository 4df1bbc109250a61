import { Type } from 'typebox'
import {
  bodyObject,
  described,
  longNumber,
  notesUpTo,
  nullable,
  record,
  text,
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

const comment = Type.Optional(described(notesUpTo(2_000), 'goes into the proof log; blank counts as left out'))

export const proofs = staffSubject({
  name: 'Proofs',
  says: 'Proofs of lines: published for review, decided on behalf of the customer. Every change answers with the order.',
  problems: {
    ...lineProblems,
    not_in_proofing: [409, 'The line is not in proofing.'],
    already_in_proofing: [409, 'The line is already in proofing.'],
    proof_pending_review: [409, 'A proof of the line already waits for a decision.'],
    proof_approved: [409, 'The proof is already approved.'],
    proof_status_unknown: [409, 'The platform does not know the status of the proof, so it changed nothing.'],
    proof_not_pending_review: [409, 'No proof of the line waits for a decision.'],
    no_such_proofs: [409, 'The line has no proof file to archive or to retrieve.'],
    reservation_not_usable: [
      409,
      'The reservation is for another line, is already used, or has no uploaded file. Reserve a new upload.',
    ],
    proof_file_not_pdf: [422, 'The file uploaded as the proof must be a PDF.'],
    proof_preview_not_png: [422, 'The file uploaded as the preview must be a PNG.'],
    denial_reason_not_available: [422, 'The line does not offer this reason. List its denial reasons.'],
  },
  operations: {
    putInProofing: staffOperation({
      id: 'putInProofing',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/enter',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: [...lineRefuses('amend'), ...refusals.proof('enter'), ...refusals.production('enterProofing')],
      says: 'Puts a line that is not made yet into proofing. It waits in prepress until a proof is approved.',
    }),
    publishProof: staffOperation({
      id: 'publishProof',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/publish',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: [
        ...lineRefuses('amend'),
        ...refusals.proof('publish'),
        'artwork_being_inspected',
        'artwork_needs_changes',
      ],
      says: "Draws a proof of the line's artwork and publishes it for review as the current revision. A proof that waits for a decision or is approved is followed by another only when a newer print file has come.",
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
      says: 'Publishes an uploaded proof for review as the current revision.',
    }),
    listOfferedDenialReasons: staffOperation({
      id: 'listOfferedDenialReasons',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/denial-reasons',
      permission: 'orders:read',
      answers: { 200: OfferedDenialReasons },
      refuses: ['line_not_found'],
      says: 'Lists the reasons for which the proof of a line can be declined.',
    }),
    approveProof: staffOperation({
      id: 'approveProof',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/approve',
      revises: 'readOrder',
      permission: 'orders:write',
      body: { schema: bodyObject({ comment }), optional: true },
      answers: { 200: OrderDetail },
      refuses: [...lineRefusesUngated, ...refusals.proof('approve'), ...refusals.production('approveProof')],
      says: 'Approves a proof on behalf of the customer. The line goes to production, or waits in prepress until its artwork is there, free of errors and proven.',
    }),
    declineProof: staffOperation({
      id: 'declineProof',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/decline',
      revises: 'readOrder',
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
      says: 'Declines a proof on behalf of the customer. The line waits for a new proof.',
    }),
    archiveProofs: staffOperation({
      id: 'archiveProofs',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/archive',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: ['order_not_found', 'line_not_found', 'no_such_proofs'],
      says: 'Archives the proof files of a line: they stay listed but cannot be downloaded.',
    }),
    retrieveProofs: staffOperation({
      id: 'retrieveProofs',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/proof/retrieve',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: ['order_not_found', 'line_not_found', 'no_such_proofs'],
      says: 'Retrieves the archived proof files of a line.',
    }),
  },
})
