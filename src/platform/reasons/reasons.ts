import type { Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { isBlank } from '../../vocabulary/text.ts'
import type { Refused } from '../../vocabulary/outcome.ts'

/** Reasons of decisions, from lists that staff keep: one list for each kind of decision. */

export const reasonKinds = ['hold', 'cancel', 'decline', 'problem', 'refund', 'return', 'reprint', 'override'] as const

export type ReasonKind = (typeof reasonKinds)[number]

/** Why somebody decides: a code of the list of its kind, and what they say beyond it. Both may be absent. */
export type Why = { reason?: string | null; comment?: string | null }

/** The same as it is kept: null = nothing was said. */
export type GivenReason = { reason: string | null; comment: string | null }

/** A blank comment counts as absent. */
export function givenReason({ reason, comment }: Why): GivenReason {
  const said = (comment ?? '').trim()
  return { reason: reason ?? null, comment: isBlank(said) ? null : said }
}

/**
 * Checks that a verb may give this reason, and notes that it was used, so that it is never deleted. Call it in the verb's
 * transaction, after the locks of orders and lines.
 * @param code null or undefined = no reason is given, which is fine
 * @returns the refusal of a code that its list does not have, or that is switched off
 */
export async function refuseReason(
  tx: Transaction,
  kind: ReasonKind,
  code: string | null | undefined,
): Promise<(Refused<'reason_not_usable'> & { detail: string }) | undefined> {
  if (code === null || code === undefined) return undefined
  const found = await tx.row<{ used: boolean }>(sql`
    select used from reason where kind = ${kind} and code = ${code} and active for key share`)
  if (!found) return { refused: 'reason_not_usable', detail: await reasonsInWords(tx, kind) }
  if (!found.used) await tx.rows(sql`update reason set used = true where kind = ${kind} and code = ${code}`)
  return undefined
}

async function reasonsInWords(queries: Queries, kind: ReasonKind): Promise<string> {
  const active = await queries.rows<{ code: string }>(sql`
    select code from reason where kind = ${kind} and active order by sequence, code`)
  if (active.length === 0) return `The list of reasons for ${kind} has no active reason.`
  return `The reason must be an active one of the list ${kind}: ${active.map(({ code }) => code).join(', ')}.`
}
