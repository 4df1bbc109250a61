import { Type } from 'typebox'
import {
  bodyObject,
  described,
  flag,
  instant,
  longNumber,
  notesUpTo,
  nullable,
  oneOf,
  openEnum,
  record,
  text,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { proofStatuses } from '../../vocabulary/statuses.ts'

const line = { orderNumber: longNumber, itemNumber: longNumber }

export const Proof = record('Proof', {
  ...line,
  proofStatus: nullable(
    openEnum(
      proofStatuses,
      'the proof status of the line: only PENDING_REVIEW accepts a decision; null = not in proofing',
    ),
  ),
  files: Type.Array(
    record('ProofFile', {
      name: text,
      link: nullable(
        Type.String({
          format: 'uri',
          description: 'signed and short-lived; null = no download now, so repeat the call later',
        }),
      ),
      active: described(flag, 'the current revision'),
      createdOn: instant,
    }),
    { maxItems: 200, description: 'the 200 oldest files at most, oldest first; empty = no proof files yet' },
  ),
  visualUrl: nullable(Type.String({ format: 'uri', description: 'the rendered preview; signed and short-lived' })),
})

export const DenialReasons = record('DenialReasons', {
  ...line,
  reasons: Type.Array(record('DenialReason', { code: text, label: text, description: nullable(text) }), {
    description: 'the reasons that this line offers; lines differ',
  }),
})

export const ProofApproval = record('ProofApproval', { ...line, proofStatus: oneOf(['APPROVED']) })

export const ProofDecline = record('ProofDecline', {
  ...line,
  proofStatus: oneOf(['DECLINED']),
  reason: described(text, 'the code you sent'),
})

const comment = Type.Optional(
  described(notesUpTo(2000), 'for the people who make the proof; a blank comment counts as none'),
)

export const proofs = {
  getProof: operation({
    id: 'getProof',
    at: 'GET /v1/orders/{orderNumber}/items/{itemNumber}/proof',
    scope: 'orders:read',
    answers: { 200: Proof },
    refuses: ['order_item_not_found'],
    says: 'Shows the proof of a line: its status, its files and a preview.',
  }),
  listDenialReasons: operation({
    id: 'listDenialReasons',
    at: 'GET /v1/orders/{orderNumber}/items/{itemNumber}/proof/denial-reasons',
    scope: 'orders:read',
    answers: { 200: DenialReasons },
    refuses: ['order_item_not_found'],
    says: 'Lists the reasons for declining the proof of a line.',
  }),
  approveProof: operation({
    id: 'approveProof',
    at: 'POST /v1/orders/{orderNumber}/items/{itemNumber}/proof/approve',
    revises: 'getProof',
    scope: 'orders:write',
    body: {
      schema: bodyObject({ comment }),
      malformed: 'invalid_request',
      nulls: 'refused',
      optional: true,
      example: { comment: 'Looks right.' },
    },
    answers: { 200: ProofApproval },
    refuses: ['order_item_not_found', 'order_item_cancelled', 'proof_not_pending_review', 'audit_unavailable'],
    says: 'Approves the proof of a line, which sends it to production, once its artwork is there, free of errors and proven. What the proof lists for a signature is accepted with it.',
    agentNote:
      'This costs money and cannot be undone: the line is produced and charged as the proof shows it. If you repeat an ' +
      'approval that was accepted, proof_not_pending_review means that it succeeded.',
    agents: { idempotent: true, destructive: true },
  }),
  declineProof: operation({
    id: 'declineProof',
    at: 'POST /v1/orders/{orderNumber}/items/{itemNumber}/proof/decline',
    revises: 'getProof',
    scope: 'orders:write',
    body: {
      schema: bodyObject({
        reason: Type.String({ minLength: 1, description: 'a code from the denial reasons of this line' }),
        comment,
      }),
      malformed: 'invalid_request',
      nulls: 'refused',
      example: { reason: 'COLOR', comment: 'The blue is too dark.' },
    },
    answers: { 200: ProofDecline },
    refuses: [
      'order_item_not_found',
      'order_item_cancelled',
      'proof_not_pending_review',
      'denial_reason_not_available',
      'audit_unavailable',
    ],
    says: 'Declines the proof of a line, which sends it back for a new proof.',
    agentNote: 'If you repeat a decline that was accepted, proof_not_pending_review means that it succeeded.',
    agents: { idempotent: true },
  }),
}
