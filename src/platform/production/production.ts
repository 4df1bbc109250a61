/**
 * The door to production: everything that happens to an order after it was placed, one verb each. A verb is one
 * transaction under the order's lock; it answers what it did, or the reason why it did nothing. Staff, partners and the
 * simulator use the same verbs. It owns neither how an order comes to be (`ordering/`) nor who may ask for what, which
 * is for the callers to know.
 */
export { adjustLine, type Adjustment } from './adjust-line.ts'
export { advanceProduction } from './advance-production.ts'
export { attachPrintFile } from './attach-print-file.ts'
export { approveOrder } from './approve-order.ts'
export { archiveProofs, retrieveProofs } from './archive-proofs.ts'
export { backorderLine } from './backorder-line.ts'
export { cancelLine } from './cancel-line.ts'
export { cancelOrder } from './cancel-order.ts'
export { cancelShipment } from './cancel-shipment.ts'
export { completeOrder } from './complete-order.ts'
export { decideProof } from './decide-proof.ts'
export { denialReasons } from './denial-reasons.ts'
export { holdLine, releaseLine } from './hold-line.ts'
export { holdOrder, releaseOrder } from './hold-order.ts'
export type { OrderGateEvent, OrderGateRefusal } from './order-gate.ts'
export { refusals } from './refusals.ts'
export { publishProof } from './publish-proof.ts'
export { publishUploadedProof, type ProofUploads } from './publish-uploaded-proof.ts'
export { putInProofing } from './put-in-proofing.ts'
export { reserveLineUpload, reserveUpload } from './reserve-upload.ts'
export { clearProblem, reportProblem } from './report-problem.ts'
export { setDates } from './set-dates.ts'
export { ship } from './ship.ts'
export { returnToShelves } from './shelves.ts'
