/**
 * The door to production: everything that happens to an order after it was placed, one verb each. A verb is one
 * transaction under the order's lock; it answers what it did, or the reason why it did nothing. Staff, partners and the
 * simulator use the same verbs. It owns neither how an order comes to be (`ordering/`) nor who may ask for what, which
 * is for the callers to know.
 */
export { adjustLine, type Adjustment } from '../lines/adjust-line.ts'
export { advanceProduction } from '../lines/advance-production.ts'
export { attachPrintFile } from '../print-files/attach-print-file.ts'
export { approveOrder } from './approve-order.ts'
export { archiveProofs, retrieveProofs } from '../proofs/archive-proofs.ts'
export { backorderLine } from '../lines/backorder-line.ts'
export { cancelLine } from '../lines/cancel-line.ts'
export { cancelOrder } from './cancel-order.ts'
export { cancelShipment } from '../shipments/cancel-shipment.ts'
export { completeOrder } from './complete-order.ts'
export { decideProof } from '../proofs/decide-proof.ts'
export { denialReasons } from '../proofs/denial-reasons.ts'
export { holdLine, releaseLine } from '../lines/hold-line.ts'
export { holdOrder, releaseOrder } from './hold-order.ts'
export type { OrderGateEvent, OrderGateRefusal } from '../order-changes/order-gate.ts'
export { refusals } from './refusals.ts'
export { publishProof } from '../proofs/publish-proof.ts'
export { publishUploadedProof, type ProofUploads } from '../proofs/publish-uploaded-proof.ts'
export { putInProofing } from '../proofs/put-in-proofing.ts'
export { reserveLineUpload, reserveUpload } from '../print-files/reserve-upload.ts'
export { clearProblem, reportProblem } from '../lines/report-problem.ts'
export { setDates } from '../lines/set-dates.ts'
export { ship } from '../shipments/ship.ts'
export { forgetOrders } from './forget-orders.ts'
