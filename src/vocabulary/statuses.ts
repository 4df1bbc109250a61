/** The published words for states. All but the submission's are open: clients tolerate words that they do not know. */

/** Derived from the order's lines and shipments; `UNKNOWN` stands for a state that this API does not know. */
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

/** The status of a line; null = not in production. */
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

/** The proof status of a line; null = not in proofing. Only `PENDING_REVIEW` accepts a decision (PRF-16). */
export const proofStatuses = ['NOT_CREATED', 'PENDING_REVIEW', 'APPROVED', 'DECLINED', 'UNKNOWN'] as const

export type ProofStatus = (typeof proofStatuses)[number]

/** How urgent a line is among those that are due at the same time, the most urgent first. */
export const linePriorities = ['RUSH', 'HIGH', 'NORMAL', 'LOW'] as const

export type LinePriority = (typeof linePriorities)[number]

export const shipmentStatuses = ['OPEN', 'SHIPPED', 'CANCELLED', 'UNKNOWN'] as const

export type ShipmentStatus = (typeof shipmentStatuses)[number]

/** `completed` and `failed` are final (SUB-18). */
export const submissionStatuses = ['queued', 'processing', 'completed', 'failed'] as const

export type SubmissionStatus = (typeof submissionStatuses)[number]

/**
 * Of the inspection of a file. `needs_changes` has an error that nobody waived; `unreadable` could not be looked into;
 * `passed_with_warnings` has a warning, or what a person must accept.
 */
export const inspectionStatuses = [
  'queued',
  'inspecting',
  'passed',
  'passed_with_warnings',
  'needs_changes',
  'unreadable',
] as const

export type InspectionStatus = (typeof inspectionStatuses)[number]

/** An artwork check begins with an upload. */
export const artworkCheckStatuses = ['awaiting_upload', 'upload_expired', ...inspectionStatuses] as const
