import type { Static } from 'typebox'
import { type Looked, lookThrough } from '../../database/bounded-look.ts'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { columns, type View } from '../../database/view.ts'
import { hasPublishedId } from '../../platform/catalog/published-id.ts'
import { isLow, reservedPieces } from '../../platform/catalog/stock-levels.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import type { StockMovementKind } from '../../vocabulary/stock-movement-kinds.ts'
import type { StockCountSheet, StockCountSummary, StockLevel, StockMovement } from './contract.ts'

export type StockSearch = {
  siteId: number | undefined
  productId: ProductId | undefined
  sku: string | undefined
  shelf: string | undefined
  low: boolean | undefined
  belowZero: boolean | undefined
  active: boolean | undefined
}

const choices = sqlText`array_remove(array[variant.attribute1_choice, variant.attribute2_choice,
  variant.attribute3_choice], null) as choices`

/**
 * By variant. Served by variant_by_site, variant_by_product, variant_by_sku, stock_shelf_by_name,
 * variant_with_low_stock_level, variant_backorderable or the primary key.
 */
export function findStock(
  queries: Queries,
  { siteId, productId, sku, shelf, low, belowZero, active }: StockSearch,
  { after, limit }: { after: number; limit: number },
): Promise<Static<typeof StockLevel>[]> {
  return queries.rows(sql`
    with found as materialized (
      select variant.variant_id from variant
      ${shelf === undefined ? nothing : sqlText`join stock_shelf on stock_shelf.variant_id = variant.variant_id and stock_shelf.shelf = ${shelf}`}
      where variant.master_variant_id is null and variant.variant_id > ${after}::int
        ${siteId === undefined ? nothing : sqlText`and variant.site_id = ${siteId}`}
        ${productId === undefined ? nothing : sqlText`and variant.product_number = (select product_number from product where ${hasPublishedId(productId)})`}
        ${sku === undefined ? nothing : sqlText`and variant.sku = ${sku}`}
        ${low === undefined ? nothing : low ? sqlText`and ${isLow}` : sqlText`and not ${isLow}`}
        ${belowZero === undefined ? nothing : belowZero ? sqlText`and variant.backorderable and variant.stock_quantity < 0` : sqlText`and coalesce(variant.stock_quantity, 0) >= 0`}
        ${active === undefined ? nothing : sqlText`and variant.active = ${active}`}
      order by variant.variant_id
      limit ${limit}::int
    )
    select variant.variant_id, product.kind || '_' || product.product_number as product_id, product.name as product_name,
      variant.site_id, variant.sku, ${choices}, variant.location, variant.stock_quantity, counted.reserved,
      variant.stock_quantity + counted.reserved as on_hand,
      variant.stock_quantity + counted.reserved - counted.on_shelves as on_no_shelf,
      counted.shelves, variant.low_stock_level, ${isLow} as low, variant.backorderable, variant.active
    from found
    join variant using (variant_id)
    join product on product.product_number = variant.product_number
    cross join lateral (
      select ${reservedPieces} as reserved, coalesce(sum(stock_shelf.pieces), 0)::int as on_shelves,
        coalesce(json_agg(json_build_object('shelf', stock_shelf.shelf, 'pieces', stock_shelf.pieces)
          order by stock_shelf.shelf) filter (where stock_shelf.shelf is not null), '[]') as shelves
      from stock_shelf where stock_shelf.variant_id = variant.variant_id
    ) counted
    order by variant.variant_id`)
}

const movementView: View<Static<typeof StockMovement>> = {
  stockMovementId: 'stock_movement_id',
  kind: 'kind',
  pieces: 'pieces',
  stockAfter: 'stock_after',
  shelf: 'shelf',
  orderNumber: 'order_number',
  lineNumber: 'line_number',
  reason: 'reason',
  actorKind: 'actor_kind',
  actorId: 'actor_id',
  movedOn: 'moved_on',
}

/** How many movements one read looks at. A variant's have no index by kind or shelf. */
const movementsLookedAt = 1_000

/**
 * The newest first. Served by the primary key.
 * @param before the movement to start before; undefined = from the newest
 */
export function findMovements(
  queries: Queries,
  variantId: number,
  { kind, shelf }: { kind: StockMovementKind | undefined; shelf: string | undefined },
  before: number | undefined,
  limit: number,
): Promise<Looked<Static<typeof StockMovement>, { stockMovementId: number }>> {
  const walked = sqlText`
    select * from stock_movement
    where variant_id = ${variantId}
      ${before === undefined ? nothing : sqlText`and stock_movement_id < ${before}::bigint`}
    order by stock_movement_id desc`
  return lookThrough(
    queries,
    { walked, lookAt: movementsLookedAt, limit, key: sqlText`stock_movement_id` },
    (looked) => sql`
    select ${columns(movementView)} from (${looked}) as looked
    where true
      ${kind === undefined ? nothing : sqlText`and kind = ${kind}`}
      ${shelf === undefined ? nothing : sqlText`and shelf = ${shelf}`}
    order by stock_movement_id desc
    limit ${limit}::int`,
  )
}

/** What a path names; undefined = no such product. */
export function readVariant(queries: Queries, productId: ProductId, variantId: number) {
  return queries.row<{ variantId: number | null; ofShare: boolean }>(sql`
    select variant.master_variant_id is not null as of_share, variant.variant_id
    from product left join variant on variant.product_number = product.product_number and variant_id = ${variantId}
    where ${hasPublishedId(productId)}`)
}

export type Checked = { variantId: number; differences: { shelf: string | null; pieces: number; moved: number }[] }

/** The next variants, with what of their books differs from their movements. */
export function checkMovements(
  queries: Queries,
  siteId: number | undefined,
  { after, limit }: { after: number; limit: number },
): Promise<Checked[]> {
  return queries.rows<Checked>(sql`
    with checked as materialized (
      select variant_id, coalesce(stock_quantity, 0) as stock from variant
      where master_variant_id is null and variant_id > ${after}::int
        ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}
      order by variant_id
      limit ${limit}::int
    )
    select checked.variant_id, coalesce(differing.list, '[]') as differences
    from checked
    cross join lateral (
      select json_agg(json_build_object('shelf', books.shelf, 'pieces', books.pieces, 'moved', books.moved)) as list
      from (
        select null as shelf, checked.stock::bigint as pieces, coalesce(sum(pieces), 0)::bigint as moved
        from stock_movement where stock_movement.variant_id = checked.variant_id
        union all
        select shelf, coalesce(there.pieces, 0)::bigint, coalesce(moved.pieces, 0)::bigint
        from (select shelf, pieces from stock_shelf where stock_shelf.variant_id = checked.variant_id) there
        full join (
          select shelf, sum(pieces) as pieces from stock_movement
          where stock_movement.variant_id = checked.variant_id and shelf is not null
          group by shelf
        ) moved using (shelf)
      ) books
      where books.pieces <> books.moved
    ) differing
    order by checked.variant_id`)
}

type Summary = Static<typeof StockCountSummary>

const summary = sqlText`stock_count.stock_count_id, stock_count.site_id, stock_count.note, stock_count.begun_by,
  stock_count.begun_on, stock_count.closed_by, stock_count.closed_on, (
    select count(*)::int from stock_count_row where stock_count_row.stock_count_id = stock_count.stock_count_id
  ) as row_count, (
    select count(counted)::int from stock_count_row where stock_count_row.stock_count_id = stock_count.stock_count_id
  ) as counted_count`

/** The newest first. */
export function findStockCounts(
  queries: Queries,
  open: boolean | undefined,
  before: number | undefined,
  limit: number,
): Promise<Summary[]> {
  return queries.rows<Summary>(sql`
    select ${summary} from stock_count
    where true
      ${before === undefined ? nothing : sqlText`and stock_count_id < ${before}::int`}
      ${open === undefined ? nothing : open ? sqlText`and closed_on is null` : sqlText`and closed_on is not null`}
    order by stock_count_id desc
    limit ${limit}::int`)
}

export async function readCountSheet(
  queries: Queries,
  stockCountId: number,
): Promise<Static<typeof StockCountSheet> | undefined> {
  const [head, rows] = await Promise.all([
    queries.row<Summary>(sql`select ${summary} from stock_count where stock_count_id = ${stockCountId}`),
    queries.rows<Static<typeof StockCountSheet>['rows'][number]>(sql`
      select variant.variant_id, product.name as product_name, variant.sku, ${choices}, stock_count_row.shelf,
        stock_count_row.expected, stock_count_row.counted,
        stock_count_row.counted - stock_count_row.expected as difference
      from stock_count_row
      join variant using (variant_id)
      join product using (product_number)
      where stock_count_row.stock_count_id = ${stockCountId}
      order by stock_count_row.shelf nulls last, variant.variant_id`),
  ])
  return head && { ...head, rows }
}
