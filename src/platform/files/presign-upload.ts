import { randomUUID } from 'node:crypto'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { urlSafeFileName } from '../../vocabulary/text.ts'

/** An upload address for one file. The URL is a credential and is not stored. */
export type Upload = {
  reservationName: string
  /** as the sender wrote it */
  givenName: string
  fileName: string
  objectKey: string
  uploadUrl: string
  reservedOn: Date
  expiresOn: Date
}

/** "About one minute" (ART-05). */
export const uploadLifetimeSeconds = 60

/** Where the bytes of a reservation are stored. */
export function uploadKey(reservationName: string, fileName: string): string {
  return `uploads/${reservationName}/${fileName}`
}

/** Signs the URL of an upload; the caller keeps the reservation. @param now the store's time */
export async function presignUpload(
  objectStore: ObjectStore,
  file: { fileName: string; contentType: string | null },
  now: Date,
): Promise<Upload> {
  const reservationName = randomUUID()
  const fileName = urlSafeFileName(file.fileName)
  const objectKey = uploadKey(reservationName, fileName)
  const { url, expiresOn } = await objectStore.presignPut(objectKey, {
    contentType: file.contentType,
    lifetimeSeconds: uploadLifetimeSeconds,
    now,
  })
  return { reservationName, givenName: file.fileName, fileName, objectKey, uploadUrl: url, reservedOn: now, expiresOn }
}
