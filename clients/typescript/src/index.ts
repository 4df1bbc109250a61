/**
 * The client of the Partner Commerce API.
 *
 * @module
 */
export { PartnerCommerce } from './client.ts'
export type { DecidedProof, ProofDecision } from './decide-proof.ts'
export * from './errors.ts'
export type { Operations } from './generated/operations.gen.ts'
export type * from './generated/types.gen.ts'
export { version } from './generated/version.gen.ts'
export type {
  CallOptions,
  Certificate,
  CertificateCredential,
  ClientCredentials,
  ClientOptions,
  Credential,
  Fetch,
  Repetition,
  Retry,
  TokenCredential,
} from './options.ts'
export { type ApiPromise, type PagePromise, type Reply, type ResponseFacts } from './promises.ts'
export type { ServerEvent, ServerEvents } from './server-events.ts'
export type { CompletedSubmission, Order, SubmissionProgress, WaitOptions } from './submit-and-wait.ts'
export type { ArtworkSource, ArtworkUpload, UploadProgress } from './upload-artwork.ts'
