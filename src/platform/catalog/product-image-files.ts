import { randomUUID } from 'node:crypto'
import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { claimStrays, noteStrays } from '../files/stray-objects.ts'
import { imageFile } from './image-files.ts'
import { hasPublishedId } from './published-id.ts'

/** How images come to products and leave them. Their order, alt text and which is primary: `product-images.ts`. */

const folder = 'product-images/'
const imagesMax = 100

/** A link by which a browser reads the image for a while; null where the image lies elsewhere. */
export async function imageLink(objectStore: ObjectStore, imagePath: string, now: Date): Promise<string | null> {
  if (!imagePath.startsWith(folder)) return null
  const contentType = `image/${imagePath.slice(imagePath.lastIndexOf('.') + 1)}`
  return objectStore.presignGet(imagePath, { lifetimeSeconds: 600, now, contentType })
}

/**
 * Stores an image and adds it to a product, behind the others; the first one is the primary. What it is, its bytes tell,
 * not its sender.
 */
export async function addProductImage(
  database: Database,
  objectStore: ObjectStore,
  productId: ProductId,
  upload: { mediaType: string; bytes: Buffer },
  change: Change,
): Promise<{ imageId: number } | { refused: 'product_not_found' | 'not_an_image' | 'images_full' }> {
  const file = imageFile(upload.bytes)
  if (!file || upload.mediaType !== `image/${file.kind}`) return { refused: 'not_an_image' }
  const product = await database.statements.row<{ siteId: number }>(sql`
    select site_id from product where ${hasPublishedId(productId)}`)
  if (!product) return { refused: 'product_not_found' }
  const imagePath = `${folder}${product.siteId}/${randomUUID()}.${file.kind}`
  // Before any row is locked: a store may be slow.
  await noteStrays(database.statements, [imagePath])
  await objectStore.write(imagePath, upload.bytes)
  const added = await database.transaction(async (tx) => {
    const held = await holdProduct(tx, productId)
    if (!held) return { refused: 'product_not_found' as const }
    const [{ count, sequence }] = (await tx.rows<{ count: number; sequence: number }>(sql`
      select count(*)::int as count, coalesce(max(sequence), 0) as sequence
      from product_image where product_number = ${held.productNumber}`)) as [{ count: number; sequence: number }]
    if (count >= imagesMax) return { refused: 'images_full' as const }
    await claimStrays(tx, [imagePath])
    const image = await tx.row<{ imageId: number }>(sql`
      insert into product_image
        (site_id, product_number, image_path, sequence, is_primary, image_width, image_height)
      values (${held.siteId}, ${held.productNumber}, ${imagePath}, ${Math.min(sequence + 1, 2_147_483_647)},
        ${count === 0}, ${file.width}, ${file.height})
      returning image_id`)
    await record(tx, held, 'product_image.added', image!.imageId, { imagePath, bytes: upload.bytes.length }, change)
    return image!
  })
  if ('refused' in added) await objectStore.remove(imagePath).catch(() => undefined)
  return added
}

/** Takes an image off a product. Where it was the primary one, the first of those left is. */
export async function removeProductImage(
  database: Database,
  objectStore: ObjectStore,
  productId: ProductId,
  imageId: number,
  change: Change,
): Promise<{ removed: true } | { refused: 'product_not_found' | 'image_not_found' }> {
  const removed = await database.transaction(async (tx) => {
    const held = await holdProduct(tx, productId)
    if (!held) return { refused: 'product_not_found' as const }
    const image = await tx.row<{ imagePath: string; isPrimary: boolean }>(sql`
      delete from product_image where image_id = ${imageId} and product_number = ${held.productNumber}
      returning image_path, is_primary`)
    if (!image) return { refused: 'image_not_found' as const }
    if (image.isPrimary) {
      await tx.rows(sql`
        update product_image set is_primary = true
        where image_id = (
          select image_id from product_image where product_number = ${held.productNumber}
          order by coalesce(sequence, 0), image_id limit 1
        )`)
    }
    const stored = image.imagePath.startsWith(folder) ? [image.imagePath] : []
    await noteStrays(tx, stored)
    await record(tx, held, 'product_image.removed', imageId, { imagePath: image.imagePath }, change)
    return { stored }
  })
  if (removed.refused !== undefined) return { refused: removed.refused }
  // Noted as strays: what is not removed now is removed in its time.
  await Promise.all(removed.stored.map((imagePath) => objectStore.remove(imagePath).catch(() => undefined)))
  return { removed: true }
}

type Held = { productNumber: number; siteId: number }

/** Whoever changes a product's images holds its row. */
function holdProduct(tx: Transaction, productId: ProductId): Promise<Held | undefined> {
  return tx.row<Held>(sql`
    select product_number, site_id from product where ${hasPublishedId(productId)} for no key update`)
}

async function record(
  tx: Transaction,
  product: Held,
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
