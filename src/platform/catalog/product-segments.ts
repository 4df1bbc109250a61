import type { Transaction } from '../../database/database.ts'
import { insertRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { recordId } from '../../vocabulary/whole-number.ts'
import { recordAudit } from '../audit/audit.ts'
import { hasPublishedId } from './published-id.ts'

/** The segments that a product is assigned to: their users see it while its visibility is SEGMENTS. */

export type AssignedSegment = { segmentId: number; name: string }

/**
 * Replaces the segments of a product on one of the sites, or changes nothing (CAT-30, CAT-32). The product is locked,
 * so the last of several concurrent changes wins as a whole. Answers the assigned segments, by id.
 */
export async function replaceProductSegments(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  productId: ProductId,
  segmentIds: readonly number[],
): Promise<
  | Done<{ segments: AssignedSegment[] }>
  | { refused: 'product_not_found' }
  | { refused: 'segment_not_on_site'; segmentIds: number[] }
> {
  const wanted = [...new Set(segmentIds)]
  // Served by product's primary key.
  const product = await tx.row<{ productNumber: number; siteId: number }>(sql`
    select product.product_number, product.site_id from product
    where ${hasPublishedId(productId)} and product.site_id = any(${siteIds}::int[])
    for no key update`)
  if (!product) return { refused: 'product_not_found' }
  // Served by the primary keys of segment and product_segment.
  const [segments, present] = await Promise.all([
    tx.rows<AssignedSegment>(sql`
      select segment_id, name from segment
      where segment_id = any(${wanted.map(recordId)}::int[]) and site_id = ${product.siteId}
      order by segment_id
      for key share`),
    tx.rows<{ segmentId: number }>(sql`
      select segment_id from product_segment
      where product_number = ${product.productNumber} and site_id = ${product.siteId}
      order by segment_id`),
  ])
  const strays = wanted.filter((segmentId) => segments.every((each) => each.segmentId !== segmentId))
  if (strays.length > 0) return { refused: 'segment_not_on_site', segmentIds: strays }
  const before = new Set(present.map((each) => each.segmentId))
  const segmentsAdded = segments.map((each) => each.segmentId).filter((id) => !before.has(id))
  const segmentsRemoved = [...before].filter((id) => !wanted.includes(id))
  if (segmentsAdded.length + segmentsRemoved.length === 0) return { done: { segments } }
  await Promise.all([
    tx.rows(sql`
      delete from product_segment
      where product_number = ${product.productNumber} and site_id = ${product.siteId}
        and segment_id = any(${segmentsRemoved}::int[])`),
    insertRows(
      tx,
      'product_segment',
      segmentsAdded.map((segmentId) => ({ ...product, segmentId })),
    ),
    tx.rows(sql`
      update product set updated_on = ${change.now}
      where product_number = ${product.productNumber} and site_id = ${product.siteId}`),
    recordAudit(tx, change, {
      action: 'product.segments_replaced',
      subject: { kind: 'product', id: product.productNumber },
      siteId: product.siteId,
      detail: { segmentsAdded, segmentsRemoved },
    }),
  ])
  return { done: { segments } }
}
