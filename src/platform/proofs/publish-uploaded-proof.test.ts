import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { done, placed, staff, type PlacedLine } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { removeStrays } from '../files/stray-objects.ts'
import * as production from '../orders/production.ts'

const pdf = Buffer.from('%PDF-1.7 a proof made elsewhere')
const png = Buffer.from('\x89PNG\r\n\x1a\n and what it shows', 'latin1')

const service = await testService()
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { database, objectStore: store } = service.production

const on = (line: PlacedLine) => [database, store, line.orderNumber, line.lineNumber] as const

async function inProofing(): Promise<PlacedLine> {
  const [line] = (await placed(primary, build.order())).lines
  await done(production.putInProofing(database, line!.orderNumber, line!.lineNumber, staff()))
  return line!
}

/** The name of a reservation whose upload has come. */
async function uploaded(line: PlacedLine, bytes: Buffer<ArrayBuffer>): Promise<string> {
  const file = { fileName: 'proof.pdf', contentType: null }
  const { reservationName, uploadUrl } = await done(
    production.reserveLineUpload(...on(line), file, new Date(), staff()),
  )
  assert.equal((await fetch(uploadUrl, { method: 'PUT', body: bytes })).status, 200)
  return reservationName
}

test('PRF-11 a proof made elsewhere is given out with its very bytes, and the next one makes it inactive', async () => {
  const line = await inProofing()
  const upload = async () => ({ file: await uploaded(line, pdf), preview: await uploaded(line, png) })
  const first = await upload()
  assert.equal((await done(production.publishUploadedProof(...on(line), first, staff()))).revision, 1)
  const read = async () =>
    (await primary.get(`/v1/orders/${line.orderNumber}/items/${line.itemNumber}/proof`)).body as {
      files: { link: string; active: boolean }[]
      visualUrl: string
    }
  const proof = await read()
  const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
  assert.deepEqual(await bytesAt(proof.files[0]!.link), pdf)
  assert.deepEqual(await bytesAt(proof.visualUrl), png)

  const decline = { decision: 'decline', reason: 'COLOR' } as const
  await done(production.decideProof(database, line.orderNumber, line.lineNumber, decline, staff()))
  // What is used up cannot be given out again.
  assert.deepEqual(await production.publishUploadedProof(...on(line), first, staff()), {
    refused: 'reservation_not_usable',
  })
  assert.equal((await done(production.publishUploadedProof(...on(line), await upload(), staff()))).revision, 2)
  assert.deepEqual(
    (await read()).files.map(({ active }) => active),
    [false, true],
  )
  await removeStrays(database, store, 0)
  assert.deepEqual(await bytesAt((await read()).files[1]!.link), pdf)
})

test('what is no PDF, no PNG, not there or of another line is refused, and the uploads stay usable', async () => {
  const [line, other] = [await inProofing(), await inProofing()]
  const file = await uploaded(line, pdf)
  const preview = await uploaded(line, png)
  const refused = async (uploads: production.ProofUploads) => {
    const outcome = await production.publishUploadedProof(...on(line), uploads, staff())
    return 'refused' in outcome ? outcome.refused : 'done'
  }
  assert.equal(await refused({ file: preview, preview }), 'reservation_not_usable')
  assert.equal(await refused({ file: preview, preview: file }), 'proof_file_not_pdf')
  assert.equal(await refused({ file, preview: await uploaded(line, pdf) }), 'proof_preview_not_png')
  assert.equal(await refused({ file: await uploaded(line, Buffer.from('%PD')), preview }), 'proof_file_not_pdf')
  assert.equal(await refused({ file, preview: await uploaded(other, png) }), 'reservation_not_usable')
  const empty = await done(
    production.reserveLineUpload(...on(line), { fileName: 'x.png', contentType: null }, new Date(), staff()),
  )
  assert.equal(await refused({ file, preview: empty.reservationName }), 'reservation_not_usable')
  assert.equal(await refused({ file, preview }), 'done')
})

test('PRF-16 of many who give out the same uploads at once one does, and no file is left behind', async () => {
  const line = await inProofing()
  const uploads = { file: await uploaded(line, pdf), preview: await uploaded(line, png) }
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, () => production.publishUploadedProof(...on(line), uploads, staff())),
  )
  assert.equal(outcomes.filter((outcome) => 'done' in outcome).length, 1)
  await removeStrays(database, store, 0)
  const { body } = await primary.get(`/v1/orders/${line.orderNumber}/items/${line.itemNumber}/proof`)
  assert.equal(body.files.length, 1)
  assert.equal((await fetch(body.files[0].link)).status, 200)
})
