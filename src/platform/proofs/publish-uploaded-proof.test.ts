import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done } from '../../../test/world/done.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { byStaff, placed, staff, type PlacedLine } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { removeStrays } from '../files/stray-objects.ts'
import { presignUpload, type Upload } from '../files/presign-upload.ts'
import { reserveLineUpload } from '../print-files/reserve-upload.ts'
import { declineProof } from './decide-proof.ts'
import { publishUploadedProof, type ProofUploads } from './publish-uploaded-proof.ts'
import { putInProofing } from './put-in-proofing.ts'

const pdf = Buffer.from('%PDF-1.7 a proof made elsewhere')
const png = Buffer.from('\x89PNG\r\n\x1a\n and what it shows', 'latin1')

const service = await testService()
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { database, objectStore: store } = service.production

const on = (line: PlacedLine) => [line.orderNumber, line.lineNumber] as const

function publish(line: PlacedLine, uploads: ProofUploads) {
  return publishUploadedProof(service.production, staff(), ...on(line), uploads)
}

async function inProofing(): Promise<PlacedLine> {
  const [line] = (await placed(primary, build.order())).lines
  await done(byStaff(service.production.database, putInProofing, ...on(line!)))
  return line!
}

async function reserved(line: PlacedLine): Promise<Upload> {
  const upload = await presignUpload(store, { fileName: 'proof.pdf', contentType: null }, new Date())
  await done(byStaff(database, reserveLineUpload, ...on(line), upload))
  return upload
}

/** The name of a reservation with a finished upload. */
async function uploaded(line: PlacedLine, bytes: Buffer<ArrayBuffer>): Promise<string> {
  const { reservationName, uploadUrl } = await reserved(line)
  assert.equal((await fetch(uploadUrl, { method: 'PUT', body: bytes })).status, 200)
  return reservationName
}

test('PRF-11 an uploaded proof is published with exactly its bytes, and the next one makes it inactive', async () => {
  const line = await inProofing()
  const upload = async () => ({ file: await uploaded(line, pdf), preview: await uploaded(line, png) })
  const first = await upload()
  assert.equal((await done(publish(line, first))).revision, 1)
  const read = async () =>
    (await primary.get(`/v1/orders/${line.orderNumber}/items/${line.itemNumber}/proof`)).body as {
      files: { link: string; active: boolean }[]
      visualUrl: string
    }
  const proof = await read()
  const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
  assert.deepEqual(await bytesAt(proof.files[0]!.link), pdf)
  assert.deepEqual(await bytesAt(proof.visualUrl), png)

  await done(byStaff(database, declineProof, ...on(line), { reason: 'COLOR' }))
  // A used reservation cannot be published again.
  assert.deepEqual(await publish(line, first), {
    refused: 'reservation_not_usable',
  })
  assert.equal((await done(publish(line, await upload()))).revision, 2)
  assert.deepEqual(
    (await read()).files.map(({ active }) => active),
    [false, true],
  )
  await removeStrays(database, store, 0)
  assert.deepEqual(await bytesAt((await read()).files[1]!.link), pdf)
})

test('uploads of another format, missing or of another line are refused, and stay usable', async () => {
  const [line, other] = [await inProofing(), await inProofing()]
  const file = await uploaded(line, pdf)
  const preview = await uploaded(line, png)
  const refused = async (uploads: ProofUploads) => {
    const outcome = await publish(line, uploads)
    return 'refused' in outcome ? outcome.refused : 'done'
  }
  assert.equal(await refused({ file: preview, preview }), 'reservation_not_usable')
  assert.equal(await refused({ file: preview, preview: file }), 'proof_file_not_pdf')
  assert.equal(await refused({ file, preview: await uploaded(line, pdf) }), 'proof_preview_not_png')
  assert.equal(await refused({ file: await uploaded(line, Buffer.from('%PD')), preview }), 'proof_file_not_pdf')
  assert.equal(await refused({ file, preview: await uploaded(other, png) }), 'reservation_not_usable')
  const empty = await reserved(line)
  assert.equal(await refused({ file, preview: empty.reservationName }), 'reservation_not_usable')
  assert.equal(await refused({ file, preview }), 'done')
})

test('PRF-16 of many concurrent publications of the same uploads one succeeds, and no file is left behind', async () => {
  const line = await inProofing()
  const uploads = { file: await uploaded(line, pdf), preview: await uploaded(line, png) }
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => publish(line, uploads)))
  assert.equal(outcomes.filter((outcome) => 'done' in outcome).length, 1)
  await removeStrays(database, store, 0)
  const { body } = await primary.get(`/v1/orders/${line.orderNumber}/items/${line.itemNumber}/proof`)
  assert.equal(body.files.length, 1)
  assert.equal((await fetch(body.files[0].link)).status, 200)
})
