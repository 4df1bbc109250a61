import type { Queries } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'

/**
 * The reasons for declining a proof: the list `decline` that staff keep. A line's reasons depend on the source of its
 * artwork and on the reasons that its site has switched off (PRF-24). `UNKNOWN` is never among them.
 */
export type DenialReason = { code: string; label: string; description: string | null }

/** The reasons that `line` offers, as a JSON list in the list's sequence. By the primary keys. */
export const denialReasonsOfLine = sqlText`(
  select coalesce(json_agg(
    json_build_object('code', reason.code, 'label', reason.label, 'description', reason.description)
    order by reason.sequence, reason.code
  ), '[]')
  from reason
  where reason.kind = 'decline' and reason.active
    and coalesce(reason.artwork_source = line.artwork_source, true)
    and not exists (
      select from denial_reason_switched_off off where off.site_id = line.site_id and off.code = reason.code
    )
)`

/** The reasons of a line; undefined if there is no such line. */
export async function readDenialReasons(
  queries: Queries,
  orderNumber: number,
  lineNumber: number,
): Promise<DenialReason[] | undefined> {
  const line = await queries.row<{ reasons: DenialReason[] }>(sql`
    select ${denialReasonsOfLine} as reasons
    from order_line line where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  return line?.reasons
}

/** The detail for a reason that a line does not offer (PRF-25). @param offered the codes that it offers */
export function offeredReasons(offered: readonly string[]): string {
  return offered.length === 0
    ? 'The line offers no reasons to decline.'
    : `The line does not offer this reason. Offered: ${offered.join(', ')}.`
}
