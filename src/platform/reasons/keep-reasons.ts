import type { Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import type { ArtworkSource } from '../../vocabulary/product-kinds.ts'
import { isName } from '../../vocabulary/text.ts'
import { recordAudit } from '../audit/audit.ts'
import { tableDifference } from '../audit/table-difference.ts'
import type { ReasonKind } from './reasons.ts'

export type Reason = {
  code: string
  label: string
  description: string | null
  /** of declines: offered only on lines with artwork from there; null = on all */
  artworkSource: ArtworkSource | null
  active: boolean
}

/** A reason as listed. `used`: a decision named it, so it can only be switched off. */
export type ListedReason = Reason & { used: boolean }

export const reasonsMax = 100
export const reasonCodeMax = 50
export const reasonLabelMax = 100
export const reasonDescriptionMax = 500
/** The form of a code, as a pattern that contracts publish. */
export const reasonCodeForm = '^[A-Z][A-Z0-9_]*$'

/** The list of a kind in its sequence. */
export function reasonList(queries: Queries, kind: ReasonKind): Promise<ListedReason[]> {
  return queries.rows<ListedReason>(sql`
    select code, label, description, artwork_source, active, used
    from reason where kind = ${kind} order by sequence, code`)
}

/**
 * Replaces the list of a kind; its order is the sequence. A reason that a decision named cannot be left out: decisions keep
 * naming it.
 */
export async function replaceReasons(
  tx: Transaction,
  change: Change,
  kind: ReasonKind,
  wanted: readonly Reason[],
): Promise<Done | (Refused<'reasons_not_usable' | 'reason_in_use'> & { detail: string })> {
  const wrong = wanted.map((reason, index) => fault(kind, reason, index, wanted)).find((each) => each !== undefined)
  if (wrong) return { refused: 'reasons_not_usable', detail: wrong }
  // Two lists at once do not mix, and decisions that name a reason for the first time wait.
  await tx.rows(sql`select code from reason where kind = ${kind} order by code for update`)
  const before = await reasonList(tx, kind)
  const kept = new Set(wanted.map(({ code }) => code))
  const missing = before.filter(({ code, used }) => used && !kept.has(code)).map(({ code }) => code)
  if (missing.length > 0) {
    const detail = `Decisions name ${missing.join(', ')}: keep what they name in the list, with active false.`
    return { refused: 'reason_in_use', detail }
  }
  const difference = tableDifference(before.map(asTuple), wanted.map(asTuple))
  await Promise.all([
    tx.rows(sql`
      delete from reason where kind = ${kind} and not code = any(${[...kept]}::text[])`),
    tx.rows(sql`
      insert into reason (kind, code, label, description, artwork_source, active, sequence)
      select ${kind}, code, label, description, artwork_source, active, sequence
      from unnest(${wanted.map(({ code }) => code)}::text[], ${wanted.map(({ label }) => label)}::text[],
        ${wanted.map(({ description }) => description)}::text[], ${wanted.map(({ artworkSource }) => artworkSource)}::text[],
        ${wanted.map(({ active }) => active)}::boolean[])
        with ordinality as given(code, label, description, artwork_source, active, sequence)
      on conflict (kind, code) do update set label = excluded.label, description = excluded.description,
        artwork_source = excluded.artwork_source, active = excluded.active, sequence = excluded.sequence`),
    recordAudit(tx, change, {
      action: 'reasons.replaced',
      subject: { kind: 'reasons', id: kind },
      siteId: null,
      detail: difference,
    }),
  ])
  return { done: {} }
}

function fault(kind: ReasonKind, reason: Reason, index: number, list: readonly Reason[]): string | undefined {
  const { code, label, description, artworkSource } = reason
  const at = `In reasons[${index}]:`
  if (!new RegExp(reasonCodeForm).test(code) || code.length > reasonCodeMax) {
    return `${at} The field code must be 1 to ${reasonCodeMax} capital letters, digits and underscores, and begin with a letter.`
  }
  // Partners would take it for a reason that this service does not know (PRF-24).
  if (kind === 'decline' && code === 'UNKNOWN') return `${at} UNKNOWN cannot be a reason to decline a proof.`
  if (list.findIndex((other) => other.code === code) < index) return `${at} An earlier reason has the same code.`
  if (!isName(label, reasonLabelMax)) {
    return `${at} The field label must be one line of 1 to ${reasonLabelMax} characters, and at least one must be visible.`
  }
  if (description !== null && !isName(description, reasonDescriptionMax)) {
    return `${at} The field description must be one line of 1 to ${reasonDescriptionMax} characters, or null.`
  }
  if (kind !== 'decline' && artworkSource !== null) {
    return `${at} Only reasons to decline have an artworkSource: leave it out.`
  }
  return undefined
}

function asTuple({ code, label, description, artworkSource, active }: Reason) {
  return [code, label, description, artworkSource, active] as const
}
