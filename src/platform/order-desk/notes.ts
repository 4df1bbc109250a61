import type { Queries, Transaction } from '../../database/database.ts'
import { insertRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { isBlank } from '../../vocabulary/text.ts'
import { recordAudit } from '../audit/audit.ts'
import { changeOrder } from '../order-changes/change-order.ts'

/** Notes of staff on an order or a line. Nobody edits a note; it can be withdrawn. */

/** STAFF = nobody but staff reads it; PARTNER = the partner reads it with the order */
export const noteAudiences = ['STAFF', 'PARTNER'] as const

export type NoteAudience = (typeof noteAudiences)[number]

export type NewNote = {
  audience: NoteAudience
  text: string
  /** null = about the whole order */
  lineNumber: number | null
}

/** Notes of one order, withdrawn ones too. */
export const notesMax = 500
export const noteLengthMax = 2_000

/** Within this time the same note counts as sent twice. */
const sameNoteSeconds = 60

type NoteRefused = 'note_text_missing' | 'order_not_of_partner' | 'line_not_found' | 'line_not_shown' | 'too_many_notes'

/** Writes a note on an order in whatever state. One for the partner changes the order as the partner reads it. */
export function writeNote(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  { audience, lineNumber, ...note }: NewNote,
) {
  const text = note.text.trim()
  return withOrder<NoteRefused>(tx, change, orderNumber, audience, async () => {
    if (isBlank(text)) return { refused: 'note_text_missing' }
    const found = await tx.row<{
      notes: number
      again: boolean
      ofPartner: boolean
      known: boolean
      shown: boolean
    }>(sql`
      select count(*)::int as notes,
        coalesce(bool_or(
          audience = ${audience} and text = ${text} and line_number is not distinct from ${lineNumber}::int
          and actor_id = ${change.actor.id} and withdrawn_on is null
          and written_on > ${change.now}::timestamptz - make_interval(secs => ${sameNoteSeconds})
        ), false) as again,
        (select partner_id is not null from orders where order_number = ${orderNumber}) as of_partner,
        exists (select from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}) as known,
        exists (
          select from visible_order_line where order_number = ${orderNumber} and line_number = ${lineNumber}
        ) as shown
      from order_note where order_number = ${orderNumber}`)
    const { notes, again, ofPartner, known, shown } = found!
    if (audience === 'PARTNER' && !ofPartner) return { refused: 'order_not_of_partner' }
    if (lineNumber !== null && !known) return { refused: 'line_not_found' }
    if (lineNumber !== null && audience === 'PARTNER' && !shown) return { refused: 'line_not_shown' }
    const subject = { kind: 'order', id: orderNumber }
    const audit = { action: 'order.note_written', subject, detail: { audience, lineNumber } }
    if (again) return { done: {}, audit, unchanged: true }
    if (notes >= notesMax) return { refused: 'too_many_notes' }
    await insertRows(tx, 'order_note', [
      {
        orderNumber,
        lineNumber,
        audience,
        text,
        writtenOn: change.now,
        actorKind: change.actor.kind,
        actorId: change.actor.id,
      },
    ])
    return { done: {}, audit }
  })
}

/** Withdraws a note: the partner no longer reads it, staff see that it was withdrawn. */
export async function withdrawNote(tx: Transaction, change: Change, orderNumber: number, noteId: number) {
  const note = await tx.row<{ audience: NoteAudience }>(sql`
    select audience from order_note where order_number = ${orderNumber} and note_id = ${noteId}`)
  if (!note) return { refused: 'note_not_found' } as const
  return withOrder<never>(tx, change, orderNumber, note.audience, async () => {
    const withdrawn = await tx.rows(sql`
      update order_note set withdrawn_on = ${change.now}, withdrawn_by = ${change.actor.id}
      where order_number = ${orderNumber} and note_id = ${noteId} and withdrawn_on is null
      returning note_id`)
    const subject = { kind: 'order', id: orderNumber }
    const audit = { action: 'order.note_withdrawn', subject, detail: { noteId, audience: note.audience } }
    return { done: {}, audit, unchanged: withdrawn.length === 0 }
  })
}

type Worked<Reason extends string> =
  | { done: {}; audit: { action: string; subject: { kind: string; id: number }; detail: object }; unchanged?: boolean }
  | { refused: Reason }

/** What only staff read does not date the order anew for its partner. */
async function withOrder<Reason extends string>(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  audience: NoteAudience,
  work: () => Promise<Worked<Reason>>,
): Promise<{ done: {} } | { refused: Reason | 'order_not_found' }> {
  if (audience === 'PARTNER') {
    return changeOrder(tx, change, orderNumber, null, async () => {
      const worked = await work()
      return 'refused' in worked
        ? worked
        : { ...worked, audit: { ...worked.audit, detail: { ...worked.audit.detail } } }
    })
  }
  const order = await tx.row<{ siteId: number }>(sql`
    select site_id from orders where order_number = ${orderNumber} for no key update`)
  if (!order) return { refused: 'order_not_found' }
  const worked = await work()
  if ('refused' in worked) return worked
  if (worked.unchanged) return { done: {} }
  await recordAudit(tx, change, { ...worked.audit, detail: { ...worked.audit.detail }, siteId: order.siteId })
  return { done: {} }
}

export type ShownNote = {
  noteId: number
  lineNumber: number | null
  audience: NoteAudience
  text: string
  writtenOn: string
  author: string
  withdrawnOn: string | null
  withdrawnBy: string | null
}

/** All notes of an order, oldest first. Served by order_note_by_order. */
export function readNotes(queries: Queries, orderNumber: number): Promise<ShownNote[]> {
  return queries.rows<ShownNote>(sql`
    select note_id, line_number, audience, text, written_on, actor_id as author, withdrawn_on, withdrawn_by
    from order_note where order_number = ${orderNumber}
    order by note_id`)
}

/** Called before lines are removed, to which notes refer. */
export async function forgetNotes(tx: Transaction, orderNumbers: readonly number[]): Promise<void> {
  await tx.rows(sql`delete from order_note where order_number = any(${orderNumbers}::bigint[])`)
}
