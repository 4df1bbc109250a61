import { randomUUID } from 'node:crypto'
import type { Database, Transaction } from '../../database/database.ts'
import { insertRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { recordAudit } from '../audit/audit.ts'
import { claimStrays, noteStrays } from '../files/stray-objects.ts'
import { imageFile, type ImageFile } from './image-files.ts'
import { hasPublishedId } from './published-id.ts'

/** Adds images to products and removes them. `product-images.ts` has their order, alt text and which one is primary. */

const folder = 'product-images/'
const imagesMax = 100

/** Whether the image is an object of the store; the demo's are not. */
export function isStoredImage(imagePath: string): boolean {
  return imagePath.startsWith(folder)
}

/** A link that a browser can read the image by for ten minutes; null if the image is not in the store. */
export async function imageLink(objectStore: ObjectStore, imagePath: string, now: Date): Promise<string | null> {
  if (!isStoredImage(imagePath)) return null
  return objectStore.presignGet(imagePath, { lifetimeSeconds: 600, now, contentType: imageType(imagePath) })
}

/** The media type of a stored image. */
export function imageType(imagePath: string): string {
  return `image/${imagePath.slice(imagePath.lastIndexOf('.') + 1)}`
}

/**
 * Stores an image and adds it to a product, after the others; the first one is the primary. The bytes decide the
 * image's format, not the sender.
 */
export async function addProductImage(
  { database, objectStore }: Parts,
  change: Change,
  productId: ProductId,
  upload: { mediaType: string; bytes: Buffer },
): Promise<Done<{ imageId: number }> | { refused: 'product_not_found' | 'not_an_image' | 'images_full' }> {
  const file = imageFile(upload.bytes)
  if (!file || upload.mediaType !== `image/${file.kind}`) return { refused: 'not_an_image' }
  const product = await database.statements.row<{ siteId: number }>(sql`
    select site_id from product where ${hasPublishedId(productId)}`)
  if (!product) return { refused: 'product_not_found' }
  const imagePath = `${folder}${product.siteId}/${randomUUID()}.${file.kind}`
  // Before any row is locked, because a store may be slow.
  await noteStrays(database.statements, [imagePath])
  await objectStore.write(imagePath, upload.bytes)
  const added = await database.change((tx) => writeImage(tx, change, productId, imagePath, file, upload.bytes.length))
  if ('refused' in added) await objectStore.remove(imagePath).catch(() => undefined)
  return added
}

type Parts = { database: Database; objectStore: ObjectStore }

async function writeImage(
  tx: Transaction,
  change: Change,
  productId: ProductId,
  imagePath: string,
  { width, height }: ImageFile,
  bytes: number,
): Promise<Done<{ imageId: number }> | { refused: 'product_not_found' | 'images_full' }> {
  const product = await lockProduct(tx, productId)
  if (!product) return { refused: 'product_not_found' }
  const present = await tx.row<{ count: number; sequence: number }>(sql`
    select count(*)::int as count, coalesce(max(sequence), 0) as sequence
    from product_image where product_number = ${product.productNumber}`)
  const { count, sequence } = present!
  if (count >= imagesMax) return { refused: 'images_full' }
  await claimStrays(tx, [imagePath])
  const [image] = await insertRows<{ imageId: number }>(
    tx,
    'product_image',
    [
      {
        ...product,
        imagePath,
        sequence: Math.min(sequence + 1, 2_147_483_647),
        isPrimary: count === 0,
        imageWidth: width,
        imageHeight: height,
      },
    ],
    ['imageId'],
  )
  await record(tx, product, 'product_image.added', image!.imageId, { imagePath, bytes }, change)
  return { done: image! }
}

/** Takes an image off a product. If it was the primary one, the first of those left becomes it. */
export async function removeProductImage(
  { database, objectStore }: Parts,
  change: Change,
  productId: ProductId,
  imageId: number,
): Promise<Done | { refused: 'product_not_found' | 'image_not_found' }> {
  const removed = await database.change((tx) => deleteImage(tx, change, productId, imageId))
  if ('refused' in removed) return removed
  // The objects are noted as strays: those that cannot be removed now are removed later.
  await Promise.all(removed.done.stored.map((imagePath) => objectStore.remove(imagePath).catch(() => undefined)))
  return { done: {} }
}

async function deleteImage(
  tx: Transaction,
  change: Change,
  productId: ProductId,
  imageId: number,
): Promise<Done<{ stored: string[] }> | { refused: 'product_not_found' | 'image_not_found' }> {
  const product = await lockProduct(tx, productId)
  if (!product) return { refused: 'product_not_found' }
  const image = await tx.row<{ imagePath: string; isPrimary: boolean }>(sql`
    delete from product_image where image_id = ${imageId} and product_number = ${product.productNumber}
    returning image_path, is_primary`)
  if (!image) return { refused: 'image_not_found' }
  if (image.isPrimary) {
    await tx.rows(sql`
      update product_image set is_primary = true
      where image_id = (
        select image_id from product_image where product_number = ${product.productNumber}
        order by coalesce(sequence, 0), image_id limit 1
      )`)
  }
  const stored = isStoredImage(image.imagePath) ? [image.imagePath] : []
  await noteStrays(tx, stored)
  await record(tx, product, 'product_image.removed', imageId, { imagePath: image.imagePath }, change)
  return { done: { stored } }
}

type Locked = { productNumber: number; siteId: number }

/** Whoever changes a product's images locks the product. */
function lockProduct(tx: Transaction, productId: ProductId): Promise<Locked | undefined> {
  return tx.row<Locked>(sql`
    select product_number, site_id from product where ${hasPublishedId(productId)} for no key update`)
}

async function record(
  tx: Transaction,
  product: Locked,
  action: string,
  imageId: number,
  detail: Readonly<Record<string, unknown>>,
  change: Change,
): Promise<void> {
  await Promise.all([
    tx.rows(sql`update product set updated_on = ${change.now} where product_number = ${product.productNumber}`),
    recordAudit(tx, change, {
      action,
      subject: { kind: 'product_image', id: imageId },
      siteId: product.siteId,
      detail: { productNumber: product.productNumber, ...detail },
    }),
  ])
}
