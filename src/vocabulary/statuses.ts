/** The words a state is published under. All but the submission's are open: clients tolerate words they do not know. */

/** Follows the order's lines and shipments; `UNKNOWN` stands for a state this API has not been taught. */
export const orderStatuses = [
  'PENDING_APPROVAL',
  'ON_HOLD',
  'IN_PROCESS',
  'IN_PRODUCTION',
  'PARTIALLY_SHIPPED',
  'SHIPPED',
  'COMPLETED',
  'CANCELLED',
  'UNKNOWN',
] as const

export type OrderStatus = (typeof orderStatuses)[number]

/** Of a line; null = not in production. */
export const productionStatuses = [
  'PREPRESS',
  'QUEUED',
  'PRINTING',
  'FINISHING',
  'PACKING',
  'COMPLETE',
  'ON_HOLD',
  'UNKNOWN',
] as const

export type ProductionStatus = (typeof productionStatuses)[number]

/** Of a line; null = not in proofing. Only `PENDING_REVIEW` accepts a decision (PRF-16). */
export const proofStatuses = ['NOT_CREATED', 'PENDING_REVIEW', 'APPROVED', 'DECLINED', 'UNKNOWN'] as const

export type ProofStatus = (typeof proofStatuses)[number]

export const shipmentStatuses = ['OPEN', 'SHIPPED', 'CANCELLED', 'UNKNOWN'] as const

export type ShipmentStatus = (typeof shipmentStatuses)[number]

/** `completed` and `failed` are final (SUB-18). */
export const submissionStatuses = ['queued', 'processing', 'completed', 'failed'] as const

export type SubmissionStatus = (typeof submissionStatuses)[number]
