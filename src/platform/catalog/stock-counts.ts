import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { recordAudit } from '../audit/audit.ts'
import { lockStocks, type Movement, stockRefusal, writeStock } from './stock-changes.ts'
import { reservedPieces } from './stock-levels.ts'

/**
 * Count sheets. A sheet notes what should lie on each shelf when the count begins; closing it changes stock and shelves by
 * the difference from what was found. So pieces that orders took, or that came, left or moved since then, stay counted.
 */

export const countRowsMax = 2_000

/** Which variants with tracked stock a sheet lists. */
export type CountScope = { siteId: number | null; variantIds: readonly number[] | null; shelf: string | null }

/** One statement, so that stock, shelves and lines are of the same moment. */
export async function beginStockCount(
  tx: Transaction,
  change: Change,
  { siteId, variantIds, shelf }: CountScope,
  note: string | null,
): Promise<Done<{ stockCountId: number }> | Refused<'nothing_to_count' | 'count_too_large' | 'site_not_found'>> {
  if (siteId !== null) {
    const site = await tx.row(sql`select site_id from site where site_id = ${siteId}`)
    if (!site) return { refused: 'site_not_found' }
  }
  const [begun] = await tx.rows<{ stockCountId: number }>(sql`
    insert into stock_count (site_id, note, begun_by, begun_on)
    values (${siteId}, ${note}, ${change.actor.id}, ${change.now})
    returning stock_count_id`)
  const { stockCountId } = begun!
  const rows = await tx.rows(sql`
    with chosen as (
      select variant.variant_id, variant.stock_quantity + ${reservedPieces} as on_hand,
        coalesce((
          select sum(stock_shelf.pieces) from stock_shelf where stock_shelf.variant_id = variant.variant_id
        ), 0)::int as on_shelves
      from variant
      where variant.master_variant_id is null and variant.stock_quantity is not null
        and (${siteId}::int is null or variant.site_id = ${siteId})
        and (${variantIds}::int[] is null or variant.variant_id = any(${variantIds}::int[]))
        and (${shelf}::text is null or exists (
          select from stock_shelf where stock_shelf.shelf = ${shelf} and stock_shelf.variant_id = variant.variant_id))
      order by variant.variant_id
      limit ${countRowsMax + 1}::int
    )
    insert into stock_count_row (stock_count_id, variant_id, shelf, expected)
    select ${stockCountId}::int, * from (
      select variant_id, shelf, pieces from chosen join stock_shelf using (variant_id)
      where ${shelf}::text is null or shelf = ${shelf}
      union all
      select variant_id, null, on_hand - on_shelves from chosen where ${shelf}::text is null
    ) as listed (variant_id, shelf, expected)
    order by variant_id, shelf nulls last
    limit ${countRowsMax + 1}::int
    returning variant_id`)
  if (rows.length === 0) return { refused: 'nothing_to_count' }
  if (rows.length > countRowsMax) return { refused: 'count_too_large' }
  await recordAudit(tx, change, {
    action: 'stock_count.begun',
    subject: { kind: 'stock_count', id: stockCountId },
    siteId,
    detail: { rows: rows.length, shelf, note },
  })
  return { done: { stockCountId } }
}

export type CountEntry = { variantId: number; shelf: string | null; counted: number | null }

type NotOpen = Refused<'count_not_found' | 'count_closed'>

/**
 * Enters what was found; null takes an entry back. The last entry of a row counts. A shelf that the sheet does not list is
 * added to its variant with nothing expected.
 */
export async function enterStockCount(
  tx: Transaction,
  change: Change,
  stockCountId: number,
  entries: readonly CountEntry[],
): Promise<Done | NotOpen | (Refused<'entry_not_usable'> & { detail: string })> {
  const count = await lockCount(tx, stockCountId)
  if ('refused' in count) return count
  const last = new Map(entries.map((entry) => [JSON.stringify([entry.variantId, entry.shelf]), entry]))
  if (last.size < entries.length) {
    return { refused: 'entry_not_usable', detail: 'Two entries name the same variant and shelf.' }
  }
  const listed = await tx.rows<{ variantId: number }>(sql`
    select distinct variant_id from stock_count_row where stock_count_id = ${stockCountId}`)
  const known = new Set(listed.map(({ variantId }) => variantId))
  const stranger = entries.find(({ variantId }) => !known.has(variantId))
  if (stranger) {
    return { refused: 'entry_not_usable', detail: `The sheet does not list variant ${stranger.variantId}.` }
  }
  await tx.rows(sql`
    insert into stock_count_row (stock_count_id, variant_id, shelf, expected, counted)
    select ${stockCountId}::int, variant_id, shelf, 0, counted
    from unnest(${entries.map(({ variantId }) => variantId)}::int[], ${entries.map(({ shelf }) => shelf)}::text[],
      ${entries.map(({ counted }) => counted)}::int[]) as entered(variant_id, shelf, counted)
    on conflict (stock_count_id, variant_id, shelf) do update set counted = excluded.counted`)
  await recordAudit(tx, change, {
    action: 'stock_count.entered',
    subject: { kind: 'stock_count', id: stockCountId },
    siteId: count.siteId,
    detail: { entries: entries.length },
  })
  return { done: {} }
}

/** Changes the stock by what was found and ends the count; rows without an entry change nothing. */
export async function closeStockCount(
  tx: Transaction,
  change: Change,
  stockCountId: number,
): Promise<Done<{ changed: number }> | NotOpen | (Refused<'difference_not_usable'> & { detail: string })> {
  const count = await lockCount(tx, stockCountId)
  if ('refused' in count) return count
  const rows = await tx.rows<{ variantId: number; shelf: string | null; difference: number }>(sql`
    select variant_id, shelf, counted - expected as difference from stock_count_row
    where stock_count_id = ${stockCountId} and counted <> expected
    order by variant_id, shelf nulls last`)
  const byVariant = Map.groupBy(rows, ({ variantId }) => variantId)
  const variants = await lockStocks(tx, [...byVariant.keys()])
  const reason = `Count ${stockCountId}`
  const changes = []
  for (const [variantId, found] of byVariant) {
    const variant = variants.get(variantId)
    const movements = found.map(({ shelf, difference }): Movement => ({
      kind: 'COUNTED',
      pieces: difference,
      shelf,
      reason,
    }))
    const refusal =
      !variant || variant.stock === null ? 'stock_not_tracked' : stockRefusal({ variant, movements })?.refused
    if (refusal) return { refused: 'difference_not_usable', detail: `Variant ${variantId}: ${sentences[refusal]}` }
    changes.push({ variant: variant!, movements })
  }
  await Promise.all([
    ...(changes.length > 0 ? [writeStock(tx, change, changes)] : []),
    tx.rows(sql`
      update stock_count set closed_by = ${change.actor.id}, closed_on = ${change.now}
      where stock_count_id = ${stockCountId}`),
    recordAudit(tx, change, {
      action: 'stock_count.closed',
      subject: { kind: 'stock_count', id: stockCountId },
      siteId: count.siteId,
      detail: {
        changed: changes.length,
        pieces: rows.reduce((sum, { difference }) => sum + difference, 0),
      },
    }),
  ])
  return { done: { changed: changes.length } }
}

const sentences = {
  stock_not_tracked: 'the stock is no longer tracked.',
  stock_below_zero: 'the stock would fall below zero, since orders took the pieces that are missing.',
  stock_out_of_range: 'the stock would be out of range.',
  shelf_short: 'pieces that are missing have left the shelf since the count began.',
}

async function lockCount(tx: Transaction, stockCountId: number): Promise<{ siteId: number | null } | NotOpen> {
  const count = await tx.row<{ siteId: number | null; closed: boolean }>(sql`
    select site_id, closed_on is not null as closed from stock_count where stock_count_id = ${stockCountId}
    for no key update`)
  if (!count) return { refused: 'count_not_found' }
  return count.closed ? { refused: 'count_closed' } : count
}
