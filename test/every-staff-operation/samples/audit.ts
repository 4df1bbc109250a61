import type { Samples } from '../samples.ts'

export const auditSamples: Samples = {
  listAuditRecords: () => ({ query: 'actorKind=STAFF&limit=5' }),
  checkAuditChain: () => ({}),
}
