import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { recordId } from '../../vocabulary/whole-number.ts'

/**
 * Decides which division may be the parent of another: a site's divisions are a forest of at most ten levels (LIM-29).
 * The answers are valid only while the site's row is locked, see `divisions.ts`.
 */

const levelsMax = 10

export type ParentRefusal = { refused: 'parent_not_on_site' | 'division_parent_invalid' }

/**
 * Why a division may not have this parent; undefined if it may.
 * @param movedId the division, which moves with its whole subtree; null = a new one
 */
export async function parentRefusal(
  tx: Transaction,
  siteId: number,
  parentId: number,
  movedId: number | null,
): Promise<ParentRefusal | undefined> {
  const [above, height] = await Promise.all([
    upwardsFrom(tx, siteId, recordId(parentId)),
    movedId === null ? 1 : levelsFrom(tx, siteId, movedId),
  ])
  if (above.length === 0) return { refused: 'parent_not_on_site' }
  const closesCycle = movedId !== null && above.includes(movedId)
  if (closesCycle || above.length + height > levelsMax) return { refused: 'division_parent_invalid' }
  return undefined
}

/** The division and those above it, at most as many as the limit needs; empty if the site has no such division. */
async function upwardsFrom(tx: Transaction, siteId: number, divisionId: number): Promise<number[]> {
  // Served by division_on_site.
  const rows = await tx.rows<{ divisionId: number }>(sql`
    with recursive above as (
      select division_id, parent_id, 1 as steps from division
      where site_id = ${siteId} and division_id = ${divisionId}
      union all
      select parent.division_id, parent.parent_id, above.steps + 1
      from above
      join division parent on parent.site_id = ${siteId} and parent.division_id = above.parent_id
      where above.steps < ${levelsMax}
    )
    select division_id from above`)
  return rows.map((row) => row.divisionId)
}

/** The depth of a division's subtree, counted at most as far as the limit needs. */
async function levelsFrom(tx: Transaction, siteId: number, divisionId: number): Promise<number> {
  // Served by division_by_parent.
  const row = await tx.row<{ levels: number }>(sql`
    with recursive below as (
      select ${divisionId}::int as division_id, 1 as level
      union all
      select child.division_id, below.level + 1
      from below
      join division child on child.site_id = ${siteId} and child.parent_id = below.division_id
      where below.level < ${levelsMax}
    )
    select max(level) as levels from below`)
  return row!.levels
}
