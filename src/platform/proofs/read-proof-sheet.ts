import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import type { ProofStatus } from '../../vocabulary/statuses.ts'
import type { ProofSheet } from './drawing/proof-sheet.ts'

/** What a proof of a line says of its order and its product; undefined if there is no such line. */
export type ProofFacts = Omit<ProofSheet, 'drawnOn' | 'files' | 'picture'> & {
  proofStatus: ProofStatus | null
  updatedOn: string
}

/** @returns `revision` is that of the next proof */
export async function readProofFacts(
  queries: Queries,
  orderNumber: number,
  lineNumber: number,
): Promise<ProofFacts | undefined> {
  // The primary keys of all tables
  const line = await queries.row<Omit<ProofFacts, 'format'> & { profile: ArtworkProfile }>(sql`
    select site.name as site_name, line.order_number, line.item_number, line.product_name, line.job_name, line.quantity,
      line.proof_status, line.updated_on, source.artwork_profile as profile, (
        select coalesce(max(revision), 0) + 1 from proof_file
        where proof_file.order_number = line.order_number and proof_file.line_number = line.line_number
      ) as revision
    from order_line line
    join site using (site_id)
    join product using (product_number)
    join product source on source.product_number = coalesce(product.master_number, product.product_number)
    where line.order_number = ${orderNumber} and line.line_number = ${lineNumber}`)
  if (!line) return undefined
  const { profile, ...facts } = line
  const { trimWidth, trimHeight } = profile
  return {
    ...facts,
    format: trimWidth === null || trimHeight === null ? null : { width: trimWidth, height: trimHeight },
  }
}
