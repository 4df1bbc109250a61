import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ArtworkSource } from '../../vocabulary/product-kinds.ts'
import type { ProofStatus } from '../../vocabulary/statuses.ts'
import { newestArtwork, proofOutdated, type ArtworkStanding } from './artwork-standing.ts'
import type { LockedLine } from './change-line.ts'

/** What keeps a line in prepress, as codes of refusals, in the order in which they are told. */
export const prepressGuards = [
  'proof_missing',
  'proof_not_approved',
  'template_variables_missing',
  'artwork_missing',
  'artwork_being_inspected',
  'artwork_needs_changes',
  'proof_outdated',
] as const

export type PrepressGuard = (typeof prepressGuards)[number]

/** Those of the proof itself. A decision on it is not kept back by them. */
export const proofGuards: readonly PrepressGuard[] = ['proof_missing', 'proof_not_approved']

type Facts = {
  proofStatus: ProofStatus | null
  requiresProof: boolean
  artworkSource: ArtworkSource
  hasVariables: boolean
  standing: ArtworkStanding | null
  outdated: boolean
}

/**
 * All that keeps a locked line from leaving prepress: its product, or being in proofing, asks for an approved proof; an
 * UPLOAD line needs a print file, a TEMPLATE line the file drawn for it or its variables, from which somebody draws it;
 * the newest file must be inspected, free of errors, and no newer than the last proof. Lines with artwork on file, or
 * without any, need no file. Proofs that are made as records of production need neither.
 */
export async function prepressObstacles(
  queries: Queries,
  { orderNumber, lineNumber }: Pick<LockedLine, 'orderNumber' | 'lineNumber'>,
): Promise<PrepressGuard[]> {
  const line = await queries.row<Facts & { forCustomer: boolean }>(sql`
    select line.proof_status, line.artwork_source, line.record_kind <> 'PROOF' as for_customer,
      coalesce(master.requires_proof, product.requires_proof) as requires_proof,
      jsonb_typeof(line.template_variables) is not distinct from 'object' and line.template_variables <> '{}'
        as has_variables,
      newest.standing, line.proof_status is not null and coalesce(${proofOutdated}, false) as outdated
    from order_line line
    join product using (product_number)
    left join product master on master.product_number = product.master_number
    left join lateral (${newestArtwork}) as newest on true
    where line.order_number = ${orderNumber} and line.line_number = ${lineNumber}`)
  if (!line) return []
  const stands: Readonly<Record<PrepressGuard, boolean>> = {
    proof_missing: line.forCustomer && line.requiresProof && line.proofStatus === null,
    proof_not_approved: line.proofStatus !== null && line.proofStatus !== 'APPROVED',
    template_variables_missing:
      line.forCustomer && line.artworkSource === 'TEMPLATE' && line.standing === null && !line.hasVariables,
    artwork_missing: line.forCustomer && line.artworkSource === 'UPLOAD' && line.standing === null,
    artwork_being_inspected: line.standing === 'inspecting',
    artwork_needs_changes: line.standing === 'blocked',
    proof_outdated: line.outdated && line.standing === 'ready',
  }
  return prepressGuards.filter((guard) => stands[guard])
}
