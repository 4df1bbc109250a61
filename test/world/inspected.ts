import assert from 'node:assert/strict'
import { pdfFile } from './artwork.ts'
import type { Partner } from './partner.ts'
import { until } from './webhooks.ts'

/** Print files on lines and in checks, and the end of their inspection. */

type Line = { orderNumber: number; itemNumber: number }
type File = { fileName?: string; bytes?: Uint8Array<ArrayBuffer> }

async function put(url: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  assert.equal((await fetch(url, { method: 'PUT', body: bytes })).status, 200)
}

/** Uploads a file and attaches it to a line of the partner's. */
export async function attached(
  partner: Partner,
  { orderNumber, itemNumber }: Line,
  { fileName = 'cards.pdf', bytes = pdfFile() }: File = {},
): Promise<void> {
  const path = `/v1/orders/${orderNumber}/items/${itemNumber}/artwork`
  const { uploadUrl, reservationName } = (await partner.post(`${path}/upload-url`, { fileName })).body
  await put(uploadUrl, bytes)
  const { status, body } = await partner.post(path, { reservationName })
  assert.equal(status, 200, JSON.stringify(body))
}

/** The files of a line when all are inspected. */
export async function inspected(partner: Partner, { orderNumber, itemNumber }: Line): Promise<any[]> {
  return ended(async () => {
    const { body } = await partner.get(`/v1/orders/${orderNumber}/items/${itemNumber}/artwork`)
    return { record: body.files, statuses: body.files.map((file: any) => file.inspection.status) }
  })
}

/** A check of a file against a product; without bytes nothing is uploaded. */
export async function checkBegun(partner: Partner, productId: string, { fileName = 'cards.pdf', bytes }: File = {}) {
  const at = `/v1/products/${productId}/artwork-checks`
  const { status, body } = await partner.post(at, { fileName })
  assert.equal(status, 201, JSON.stringify(body))
  if (bytes) await put(body.uploadUrl, bytes)
  return { path: `${at}/${body.checkId}`, ...(body as { checkId: string; uploadUrl: string; expiresAt: string }) }
}

/** A check whose file is inspected. */
export async function checkEnded(partner: Partner, path: string): Promise<any> {
  return ended(async () => {
    const { body } = await partner.get(path)
    return { record: body, statuses: [body.status] }
  })
}

async function ended(read: () => Promise<{ record: any; statuses: string[] }>): Promise<any> {
  let last: any
  await until(async () => {
    const { record, statuses } = await read()
    last = record
    return statuses.every((status) => status !== 'queued' && status !== 'inspecting')
  })
  return last
}
