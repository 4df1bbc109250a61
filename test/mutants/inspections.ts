import type { Mutant } from './mutant.ts'

const inspector = 'src/platform/artwork/inspector.test.ts'
const steps = 'src/sandbox/artwork-steps.test.ts'
const changes = 'src/platform/artwork/inspections.test.ts'
const profiles = 'src/staff/catalog/artwork-profiles.test.ts'

export const inspections: readonly Mutant[] = [
  {
    says: 'an inspector whose lease lapsed goes on writing',
    in: 'src/platform/artwork/record-inspection.ts',
    from: 'sqlText`inspection_id = ${inspectionId} and claims = ${claims} and status',
    to: 'sqlText`inspection_id = ${inspectionId} and claims >= ${claims} and status',
    caughtBy: inspector,
  },
  {
    says: 'a result is used again for other bytes of the same size',
    in: 'src/platform/artwork/reuse-result.ts',
    from: 'alike.find((each) => each.sha256 === sha256)',
    to: 'alike[0]',
    caughtBy: inspector,
  },
  {
    says: 'a file whose inspection fails is inspected for ever',
    in: 'src/platform/artwork/inspector.ts',
    from: 'if (claim.failures > failuresMax)',
    to: 'if (claim.failures > failuresMax * 100)',
    caughtBy: inspector,
  },
  {
    says: 'findings are told only when all pictures are drawn',
    in: 'src/platform/artwork/inspector.ts',
    from: 'await database.transaction((tx) => recordFindings(tx, claim, known))',
    to: 'void known',
    caughtBy: inspector,
  },
  {
    says: 'what pixels show is not recorded',
    in: 'src/platform/artwork/inspector.ts',
    from: 'findings: [...result.findings, ...report.findings]',
    to: 'findings: result.findings',
    caughtBy: inspector,
  },
  {
    says: 'a picture is removed as a stray although a record names it',
    in: 'src/platform/artwork/record-inspection.ts',
    from: '        claimStrays(tx, [objectKey]),\n',
    to: '',
    caughtBy: inspector,
  },
  {
    says: 'waivers are forgotten when a file is inspected again',
    in: 'src/platform/artwork/read-artwork.ts',
    from: 'const findings = judged(row.findings, row.waivers)',
    to: 'const findings = judged(row.findings, [])',
    caughtBy: changes,
  },
  {
    says: 'a waived error still counts',
    in: 'src/platform/artwork/inspection-status.ts',
    from: "return waiver ? 'info' : severity",
    to: 'return severity',
    caughtBy: changes,
  },
  {
    says: 'the simulator proves artwork that is still being inspected',
    in: 'src/sandbox/plan.ts',
    from: "(line.artwork === 'inspecting' || line.artwork === 'blocked')",
    to: "line.artwork === 'blocked'",
    caughtBy: steps,
  },
  {
    says: 'an order whose artwork was inspected is not taken up again',
    in: 'src/sandbox/sandbox-artwork.ts',
    from: 'set artwork_ended = artwork_ended + 1',
    to: 'set artwork_ended = artwork_ended',
    caughtBy: steps,
  },
  {
    says: 'proofs run ahead of the clock of a sandbox partner',
    in: 'src/workers.ts',
    from: 'startProofPublisher({ ...parts, apart: sandbox?.isPlayed })',
    to: 'startProofPublisher({ ...parts, apart: undefined })',
    caughtBy: steps,
  },
  {
    says: 'the same rules in another order count as a change of the product',
    in: 'src/platform/catalog/update-products.ts',
    from: '!isDeepStrictEqual(before[field], after[field])',
    to: 'JSON.stringify(before[field]) !== JSON.stringify(after[field])',
    caughtBy: profiles,
  },
  {
    says: 'a check takes a file that was put a second time',
    in: 'src/platform/artwork/artwork-checks.ts',
    from: 'where check_id = ${checkId} and object_key is null',
    to: 'where check_id = ${checkId}',
    caughtBy: 'src/platform/artwork/artwork-checks.test.ts',
  },
]
