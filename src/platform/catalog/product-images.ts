import { isDeepStrictEqual } from 'node:util'
import type { Queries, Transaction } from '../../database/database.ts'
import { sql, type SqlPart, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { recordAudit } from '../audit/audit.ts'
import { hasPublishedId } from './published-id.ts'

/** The images of a product: what is known of each, their order, and which one is the primary. */

export type ProductImage = {
  imageId: number
  imagePath: string
  /** null = none was set */
  sequence: number | null
  primary: boolean
  imageAlt: string | null
  attribution: string | null
  imageWidth: number | null
  imageHeight: number | null
}

/** What may be changed. An image can be made the primary one; it stops being primary when another becomes it. */
export type ImageFields = { imageAlt: string | null; sequence: number; primary: true }

/** Which images of a product are meant: its own, or those that customers see, its master's for a share without any. */
const ownImages = sqlText`product.product_number`
const shownImages = sqlText`case
  when exists (select from product_image own where own.product_number = product.product_number)
  then product.product_number else coalesce(product.master_number, product.product_number) end`

/**
 * The images of the product on one of the sites, by sequence, in one round trip; undefined where there is no such
 * product. A share shows its master's until it has its own.
 */
export function productImages(
  queries: Queries,
  siteIds: readonly number[],
  productId: ProductId,
): Promise<ProductImage[] | undefined> {
  return imagesOf(queries, siteIds, productId, shownImages)
}

/** Those that were added to the product itself. */
export function ownProductImages(
  queries: Queries,
  siteIds: readonly number[],
  productId: ProductId,
): Promise<ProductImage[] | undefined> {
  return imagesOf(queries, siteIds, productId, ownImages)
}

async function imagesOf(
  queries: Queries,
  siteIds: readonly number[],
  productId: ProductId,
  bearer: SqlPart,
): Promise<ProductImage[] | undefined> {
  // Served by product's primary key and product_image_by_product.
  const rows = await queries.rows<Omit<ProductImage, 'imageId'> & { imageId: number | null }>(sql`
    select product_image.image_id, product_image.image_path, product_image.sequence,
      product_image.is_primary as "primary", product_image.image_alt, product_image.attribution,
      product_image.image_width, product_image.image_height
    from product
    left join product_image on product_image.product_number = ${bearer}
    where ${hasPublishedId(productId)} and product.site_id = any(${siteIds}::int[])
    order by coalesce(product_image.sequence, 0), product_image.image_id`)
  if (rows.length === 0) return undefined
  return rows.flatMap(({ imageId, ...image }) => (imageId === null ? [] : [{ imageId, ...image }]))
}

/**
 * Changes the given fields of an image of a product on one of the sites. The product is locked, so there is always one
 * primary image, even after concurrent changes. Answers all images of the product after the change.
 */
export async function updateProductImage(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  productId: ProductId,
  imageId: number,
  wish: Partial<ImageFields>,
): Promise<Done<{ images: ProductImage[] }> | { refused: 'product_not_found' | 'image_not_found' }> {
  // Served by product's primary key.
  const product = await tx.row<{ productNumber: number; siteId: number }>(sql`
    select product.product_number, product.site_id from product
    where ${hasPublishedId(productId)} and product.site_id = any(${siteIds}::int[])
    for no key update`)
  if (!product) return { refused: 'product_not_found' }
  const before = await ownProductImages(tx, [product.siteId], productId)
  const image = before?.find((each) => each.imageId === imageId)
  if (!image) return { refused: 'image_not_found' }
  const next = { ...image, ...wish }
  // Without a sequence an image is shown with 0.
  const shown = { ...image, sequence: image.sequence ?? 0 }
  if (isDeepStrictEqual(fieldsOf(shown), fieldsOf({ ...shown, ...wish }))) return { done: { images: before! } }
  const [, , , images] = await Promise.all([
    // The unique index on the primary image checks each row as it is written, so the former one is changed first.
    tx.rows(sql`
      update product_image set is_primary = false
      where product_number = ${product.productNumber} and site_id = ${product.siteId} and is_primary
        and ${wish.primary ?? false} and image_id <> ${imageId}`),
    tx.rows(sql`
      update product_image
      set image_alt = ${next.imageAlt}, sequence = ${next.sequence}, is_primary = ${next.primary}
      where image_id = ${imageId} and product_number = ${product.productNumber} and site_id = ${product.siteId}`),
    tx.rows(sql`
      update product set updated_on = ${change.now}
      where product_number = ${product.productNumber} and site_id = ${product.siteId}`),
    ownProductImages(tx, [product.siteId], productId),
    recordAudit(tx, change, {
      action: 'product_image.updated',
      subject: { kind: 'product_image', id: imageId },
      siteId: product.siteId,
      detail: { before: fieldsOf(image), after: fieldsOf(next) },
    }),
  ])
  return { done: { images: images! } }
}

function fieldsOf({ imageAlt, sequence, primary }: ProductImage) {
  return { imageAlt, sequence, primary }
}
