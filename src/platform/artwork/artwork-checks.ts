import { randomUUID } from 'node:crypto'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Outcome, Refused } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { hasPublishedId } from '../catalog/published-id.ts'
import { type Upload, uploadLifetimeSeconds } from '../files/presign-upload.ts'
import type { Stores } from '../files/stores.ts'
import { claimStrays, dropStrays, noteStrays } from '../files/stray-objects.ts'
import { artworkQueued } from './artwork-channels.ts'
import { forgetOlderChecksOf } from './forget-checks.ts'
import { rulesOfSource } from './queue-inspections.ts'
import { readCheckInspection, type Inspection } from './read-artwork.ts'

/** A partner has a file looked into without an order: it begins a check, uploads the file and reads what was found. */

/** A check is forgotten then. Its rows are removed a little later. */
export const checkHours = 24

/** A partner has so many checks at most: files that nobody ordered shall not fill the storage. */
export const checksMax = 100

/**
 * Begins a check, and forgets the partner's oldest beyond `checksMax`. Its id is the name of the upload's reservation.
 * There is no audit record: nothing changes for anyone.
 */
export async function beginArtworkCheck(
  { transaction }: Pick<Database, 'transaction'>,
  partnerId: string,
  siteIds: readonly number[],
  productId: ProductId,
  upload: Upload,
): Promise<Outcome<{}, Refused<'product_not_found'>>> {
  // Served by product's primary key.
  return transaction(async (tx) => {
    const begun = await tx.row(sql`
      insert into artwork_check (check_id, partner_id, site_id, product_number, file_name, upload_key, begun_on)
      select ${upload.reservationName}::uuid, ${partnerId}::uuid, site_id, product_number, ${upload.fileName},
        ${upload.objectKey}, ${upload.reservedOn}
      from product
      where ${hasPublishedId(productId)} and site_id = any(${siteIds}::int[])
      returning check_id`)
    if (!begun) return { refused: 'product_not_found' }
    await forgetOlderChecksOf(tx, partnerId, checksMax)
    return { done: {} }
  })
}

type CheckRow = { fileName: string; uploadKey: string; objectKey: string | null; begunOn: string }

/** `inspection` is undefined until there is a file. */
export type ArtworkCheck = {
  checkId: string
  /** the upload URL has expired */
  isLate: boolean
  inspection: Inspection | undefined
}

/**
 * Reads a check of the partner; undefined if there is none. The first read after the upload queues the file.
 * @param now the store's time, by which the upload URL expires
 */
export async function readArtworkCheck(
  stores: Stores,
  partnerId: string,
  siteIds: readonly number[],
  productId: ProductId,
  checkId: string,
  now: Date,
): Promise<ArtworkCheck | undefined> {
  const { reads } = stores.database
  const check = await reads.row<CheckRow>(sql`
    select artwork_check.file_name, upload_key, object_key, begun_on
    from artwork_check
    join product using (site_id, product_number)
    where check_id = ${checkId} and partner_id = ${partnerId} and ${hasPublishedId(productId)}
      and product.site_id = any(${siteIds}::int[])
      and begun_on > ${now}::timestamptz - make_interval(hours => ${checkHours}::int)`)
  if (!check) return undefined
  if (check.objectKey === null) await takeUpload(stores, checkId, check)
  return {
    checkId,
    isLate: now.getTime() > Date.parse(check.begunOn) + uploadLifetimeSeconds * 1_000,
    // Another read may have taken the upload meanwhile.
    inspection: await readCheckInspection(reads, checkId),
  }
}

/**
 * Copies the upload to a key without an upload URL, so that a second PUT changes nothing, and queues the copy. Of
 * several concurrent reads each makes a copy, and one keeps it.
 */
async function takeUpload(
  { database, objectStore }: Stores,
  checkId: string,
  { fileName, uploadKey }: CheckRow,
): Promise<void> {
  if (!(await objectStore.head(uploadKey))) return
  const objectKey = `artwork-checks/${randomUUID()}/${fileName}`
  await noteStrays(database.statements, [objectKey])
  const stored = await objectStore.settle(uploadKey, objectKey)
  if (!stored) return
  const isTaken = await database.transaction(async (tx) => {
    const taken = await tx.row(sql`
      update artwork_check set object_key = ${objectKey}, size_bytes = ${stored.sizeBytes}
      where check_id = ${checkId} and object_key is null
      returning check_id`)
    if (!taken) return false
    await Promise.all([
      claimStrays(tx, [objectKey]),
      noteStrays(tx, [uploadKey]),
      tx.rows(sql`
        insert into artwork_inspection (check_id, site_id, turn_of, profile, artwork_types, profile_key)
        select check_id, artwork_check.site_id, partner_id, ${rulesOfSource}
        from artwork_check
        join product using (product_number)
        join product source on source.product_number = coalesce(product.master_number, product.product_number)
        where check_id = ${checkId}`),
    ])
    tx.hint(artworkQueued)
    return true
  })
  await dropStrays(objectStore, [isTaken ? uploadKey : objectKey])
}
