import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { inUse, type InUse, namesCountedMax } from '../../vocabulary/named-by.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { recordAudit } from '../audit/audit.ts'
import { noteStrays } from '../files/stray-objects.ts'
import { isStoredImage } from './product-image-files.ts'
import { hasPublishedId } from './published-id.ts'

/**
 * What was never used is deleted; what was is archived: it is not offered, and lists leave it out. Deleting locks the rows
 * against orders that are being placed: those that come first keep them, and those that come later find them gone.
 */

type Counts = Readonly<Record<string, number>>

/** Deletes a product with its variants, prices, discounts, segments and images. Movements of its stock are kept. */
export async function deleteProduct(
  tx: Transaction,
  change: Change,
  productId: ProductId,
): Promise<Done | Refused<'product_not_found'> | InUse> {
  const product = await tx.row<{ productNumber: number; siteId: number; name: string; code: string }>(sql`
    select product_number, site_id, name, code from product where ${hasPublishedId(productId)} for update`)
  if (!product) return { refused: 'product_not_found' }
  const { productNumber, siteId, name, code } = product
  await tx.rows(sql`
    select variant_id from variant where product_number = ${productNumber} order by variant_id for update`)
  const named = await tx.row<Counts>(sql`
    select
      (select count(*)::int from (
        select from order_line where product_number = ${productNumber} limit ${namesCountedMax}::int) line) as "order line",
      (select count(*)::int from product share where share.master_number = ${productNumber}) as "share",
      (select count(*)::int from artwork_check where product_number = ${productNumber}) as "artwork check",
      (select coalesce(sum(abs(stock_quantity)), 0)::int8 from variant where product_number = ${productNumber})
        as "stocked piece",
      (select count(distinct stock_count_id)::int from stock_count_row join variant using (variant_id)
        where product_number = ${productNumber}) as "count sheet"`)
  const used = inUse(named!)
  if (used) return used
  const images = await tx.rows<{ imagePath: string }>(sql`
    delete from product_image where product_number = ${productNumber} returning image_path`)
  const stored = images.map(({ imagePath }) => imagePath).filter(isStoredImage)
  await Promise.all([
    noteStrays(tx, stored),
    tx.rows(sql`delete from price_break where product_number = ${productNumber}`),
    tx.rows(sql`delete from product_discount where product_number = ${productNumber}`),
    tx.rows(sql`delete from product_segment where product_number = ${productNumber}`),
    tx.rows(sql`
      delete from stock_shelf using variant
      where variant.variant_id = stock_shelf.variant_id and variant.product_number = ${productNumber}`),
    tx.rows(sql`delete from variant where product_number = ${productNumber}`),
    tx.rows(sql`delete from product where product_number = ${productNumber}`),
    recordAudit(tx, change, {
      action: 'product.deleted',
      subject: { kind: 'product', id: productNumber },
      siteId,
      detail: { name, code, images: stored.length },
    }),
  ])
  return { done: {} }
}

/** Deletes a variant of a product that a site owns, with the variants that its shares have of it. */
export async function deleteVariant(
  tx: Transaction,
  change: Change,
  productId: ProductId,
  variantId: number,
): Promise<Done | Refused<'product_not_found' | 'variant_not_found' | 'variants_of_master'> | InUse> {
  const product = await tx.row<{ productNumber: number; siteId: number }>(sql`
    select product_number, site_id from product where ${hasPublishedId(productId)} for no key update`)
  if (!product) return { refused: 'product_not_found' }
  if (productId.kind === 'SLS') return { refused: 'variants_of_master' }
  const variants = await tx.rows<{ variantId: number; sku: string | null }>(sql`
    select variant_id, sku from variant
    where variant_id = ${variantId} and product_number = ${product.productNumber}
      or master_variant_id = ${variantId} and exists (
        select from variant master where master.variant_id = ${variantId} and master.product_number = ${product.productNumber})
    order by variant_id
    for update`)
  const own = variants.find((each) => each.variantId === variantId)
  if (!own) return { refused: 'variant_not_found' }
  const ids = variants.map((each) => each.variantId)
  const named = await tx.row<Counts>(sql`
    select
      (select count(*)::int from (
        select from order_line where variant_id = any(${ids}::int[]) limit ${namesCountedMax}::int) line) as "order line",
      (select coalesce(sum(abs(stock_quantity)), 0)::int8 from variant where variant_id = any(${ids}::int[]))
        as "stocked piece",
      (select count(distinct stock_count_id)::int from stock_count_row where variant_id = any(${ids}::int[]))
        as "count sheet"`)
  const used = inUse(named!)
  if (used) return used
  await Promise.all([
    tx.rows(sql`delete from price_break where variant_id = any(${ids}::int[])`),
    tx.rows(sql`delete from stock_shelf where variant_id = any(${ids}::int[])`),
    tx.rows(sql`delete from variant where variant_id = any(${ids}::int[])`),
    recordAudit(tx, change, {
      action: 'variant.deleted',
      subject: { kind: 'variant', id: variantId },
      siteId: product.siteId,
      detail: { productNumber: product.productNumber, sku: own.sku, ofShares: ids.length - 1 },
    }),
  ])
  return { done: {} }
}

/** Archives a product, which is then no longer active, or brings it back, still inactive. */
export async function archiveProduct(
  tx: Transaction,
  change: Change,
  productId: ProductId,
  archived: boolean,
): Promise<Done | Refused<'product_not_found'>> {
  const product = await tx.row<{ productNumber: number; siteId: number; archivedOn: string | null }>(sql`
    select product_number, site_id, archived_on from product where ${hasPublishedId(productId)} for no key update`)
  if (!product) return { refused: 'product_not_found' }
  const { productNumber, siteId } = product
  if ((product.archivedOn !== null) === archived) return { done: {} }
  await Promise.all([
    tx.rows(sql`
      update product set archived_on = ${archived ? change.now : null}, active = false, updated_on = ${change.now}
      where product_number = ${productNumber}`),
    recordAudit(tx, change, {
      action: archived ? 'product.archived' : 'product.restored',
      subject: { kind: 'product', id: productNumber },
      siteId,
    }),
  ])
  return { done: {} }
}
