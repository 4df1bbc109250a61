import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ProofStatus } from '../../vocabulary/statuses.ts'
import { inPrepress, newestArtwork, proofOutdated } from '../lines/artwork-standing.ts'
import { step } from '../order-changes/state-table.ts'
import { proofSteps } from './proof-states.ts'

/**
 * The move that a further proof makes. A line in prepress to which a newer file came since its last proof gets one also
 * while that proof waits for a decision, or after it was approved.
 */
export async function publishStep(
  queries: Queries,
  orderNumber: number,
  lineNumber: number,
  proofStatus: ProofStatus | null,
) {
  const newer = await queries.row(sql`
    select from order_line line
    cross join lateral (${newestArtwork}) as newest
    where line.order_number = ${orderNumber} and line.line_number = ${lineNumber} and ${inPrepress} and ${proofOutdated}`)
  return step(proofSteps, proofStatus, newer ? 'publishNewer' : 'publish')
}
