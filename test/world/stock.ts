import assert from 'node:assert/strict'
import type { Queries } from '../../src/database/database.ts'
import { sql } from '../../src/database/sql.ts'

/** Asserts that the movements of every variant add up to its stock, and those of every shelf to what lies there. */
export async function assertStockAddsUp(queries: Pick<Queries, 'rows'>): Promise<void> {
  const wrong = await queries.rows(sql`
    select variant_id, variant.stock_quantity as stock, moved.pieces from variant
    left join (select variant_id, sum(pieces)::int as pieces from stock_movement group by variant_id) moved
      using (variant_id)
    where coalesce(variant.stock_quantity, 0) <> coalesce(moved.pieces, 0)`)
  assert.deepEqual(wrong, [])
  const shelves = await queries.rows(sql`
    select variant_id, shelf, stock_shelf.pieces as there, moved.pieces from stock_shelf
    full join (
      select variant_id, shelf, sum(pieces)::int as pieces from stock_movement
      where shelf is not null group by variant_id, shelf
    ) moved using (variant_id, shelf)
    where coalesce(stock_shelf.pieces, 0) <> coalesce(moved.pieces, 0)`)
  assert.deepEqual(shelves, [])
}
