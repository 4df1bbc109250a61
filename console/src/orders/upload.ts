import { call, type Environment } from '../api/api.ts'
import { Unreachable } from '../api/problems.ts'

/**
 * Sends a file of a line straight to the object store.
 * @returns the name of the reservation, by which the file is attached
 */
export async function uploadFile(
  environment: Environment,
  path: { orderNumber: number; lineNumber: number },
  file: Blob,
  fileName: string,
): Promise<string> {
  const contentType = file.type || 'application/octet-stream'
  const { uploadUrl, reservationName } = await call('reserveLineUpload', environment, {
    path,
    body: { fileName, contentType },
  })
  const answer = await fetch(uploadUrl, { method: 'PUT', body: file, headers: { 'Content-Type': contentType } }).catch(
    () => undefined,
  )
  if (!answer?.ok) throw new Unreachable()
  return reservationName
}
