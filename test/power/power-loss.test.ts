import assert from 'node:assert/strict'
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../src/database/sql.ts'
import { openObjectFolder } from '../../src/outside/object-store/object-folder.ts'
import { assertAnswersHold, startOrders, type Sent } from '../faults/order-load.ts'
import {
  assertOrdersConsistent,
  openSubmissions,
  stockEverHeld,
  type Stock,
  withClient,
} from '../faults/order-world.ts'
import { pdfFile } from '../world/artwork.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner, type Partner } from '../world/partner.ts'
import { placed, type PlacedLine } from '../world/production.ts'
import {
  embeddedUrl,
  killService,
  launchService,
  type ServiceProcess,
  startServiceProcess,
  withServiceDatabase,
} from '../world/service-process.ts'
import { until } from '../world/webhooks.ts'
import { type ForgetfulDisk, type Loss, mountForgetfulDisk, whyNoDisk } from './forgetful-disk.ts'

/**
 * Takes the power from the disk at random moments while partners place orders and upload print files. POWER_LOSSES sets how
 * often; a tenth as often, within a first start. PostgreSQL and the object store are both on the disk.
 */
const losses = Number(process.env.POWER_LOSSES ?? 0)
const reason = losses > 0 ? whyNoDisk() : 'POWER_LOSSES=20 takes the power away twenty times'
if (reason !== undefined) process.stderr.write(`\n!!! SKIPPED: the tests of power losses. ${reason}.\n\n`)
const skip = reason ?? false

const ordersAtOnce = 6
const uploadsAtOnce = 2
/** The loss comes a random delay after a randomly chosen answer; these are the upper bounds. */
const answersMax = 60
const afterwardsMilliseconds = 40
/** A first start takes about so long. */
const firstStartMilliseconds = 8_000
/** Before so many losses one, the service is killed and asked for everything again: what is there then was not synced for it. */
const killedBeforeEach = 4

let disk: ForgetfulDisk
let dataDir: string
let service: ServiceProcess
let stock: Stock

async function startOnDisk(name: string): Promise<void> {
  dataDir = join(disk.folder, name)
  await mkdir(dataDir)
  service = await startServiceProcess(dataDir)
  stock = await withClient(await embeddedUrl(dataDir, 'production'), stockEverHeld)
}

before(async () => {
  if (reason !== undefined) return
  disk = await mountForgetfulDisk()
  await startOnDisk('data')
})
after(async () => {
  service?.signal('SIGKILL')
  await disk?.unmount()
})

/** A print file on its way: its bytes were acknowledged when it has a reservation, and it is on its line when `isAttached`. */
type Upload = { line: PlacedLine; fileName: string; bytes: Buffer; reservationName?: string; isAttached?: boolean }

const artworkOf = ({ orderNumber, itemNumber }: PlacedLine) => `/v1/orders/${orderNumber}/items/${itemNumber}/artwork`

/** Lines that wait for print files. */
async function linesForUploads(speaker: Partner): Promise<PlacedLine[]> {
  const build = orderBuilder(service.manifest)
  const lines = Array.from({ length: 20 }, (_, at) => build.podLine({ partnerLineId: `line-${at}` }))
  return (await placed(speaker, build.order({ lines }))).lines
}

async function uploadUntilGone(speaker: Partner, lines: Iterator<PlacedLine>, uploads: Upload[]): Promise<void> {
  for (let next = lines.next(); !next.done; next = lines.next()) {
    const upload: Upload = { line: next.value, fileName: `${randomUUID()}.pdf`, bytes: pdfFile(randomUUID()) }
    uploads.push(upload)
    try {
      const { status, body } = await speaker.post(`${artworkOf(upload.line)}/upload-url`, { fileName: upload.fileName })
      if (status !== 200) return
      const put = await fetch(body.uploadUrl, { method: 'PUT', body: upload.bytes })
      if (put.status !== 200) return
      upload.reservationName = body.reservationName
      const attached = await speaker.post(artworkOf(upload.line), { reservationName: body.reservationName })
      if (attached.status !== 200) return
      upload.isAttached = true
    } catch {
      return
    }
  }
}

/** What was uploaded can be attached, and what is attached is stored as it was sent. */
async function assertUploadsHold(speaker: Partner, uploads: readonly Upload[]): Promise<void> {
  const folder = await openObjectFolder(join(dataDir, 'objects', 'production'))
  await withServiceDatabase(dataDir, async ({ statements }) => {
    const fileOf = async ({ fileName }: Upload) =>
      (
        await statements.rows<{ key: string; size: number; md5: string }>(
          sql`select object_key as key, size_bytes::int as size, md5 from print_file where file_name = ${fileName}`,
        )
      )[0]
    for (const upload of uploads) {
      if (upload.reservationName === undefined) continue
      if (!upload.isAttached && (await fileOf(upload)) === undefined) {
        const again = await speaker.post(artworkOf(upload.line), { reservationName: upload.reservationName })
        assert.equal(again.status, 200, `an uploaded file is not there: ${JSON.stringify(again.body)}`)
      }
      const file = await fileOf(upload)
      assert.ok(file, 'an attached file is on its line')
      const object = await folder.open(file.key)
      assert.ok(object, 'an attached file is stored')
      const stored = Buffer.concat(await (await object.stream(0, file.size - 1)).toArray())
      assert.deepEqual(stored, upload.bytes)
      assert.equal(createHash('md5').update(stored).digest('hex'), file.md5)
    }
  })
}

async function assertAllHolds(sent: readonly Sent[], uploads: readonly Upload[]): Promise<void> {
  const url = await embeddedUrl(dataDir, 'production')
  // Without power, the service can only answer that it cannot.
  const answered = sent.map((order) =>
    order.answer && order.answer.status >= 500 ? { ...order, answer: undefined } : order,
  )
  await assertAnswersHold(service, answered)
  await assertUploadsHold(await partner(service, 'primary'), uploads)
  await withClient(url, async (client) => {
    await until(async () => (await openSubmissions(client)) === 0)
    await assertOrdersConsistent(client, stock)
  })
}

/** Sends orders and print files, and runs `end` at a random moment. */
async function underLoad(sent: Sent[], uploads: Upload[], end: () => Promise<void>): Promise<void> {
  const speaker = await partner(service, 'primary')
  const lines = (await linesForUploads(speaker)).values()
  const { gone } = await startOrders(service, ordersAtOnce, sent)
  const uploading = Array.from({ length: uploadsAtOnce }, () => uploadUntilGone(speaker, lines, uploads))
  const answers = randomInt(answersMax)
  while (sent.filter((order) => order.answer).length < answers) await pause(5)
  await pause(randomInt(afterwardsMilliseconds))
  await end()
  await Promise.all([gone, ...uploading])
}

async function losePower(loss: Loss): Promise<string> {
  const seed = randomInt(1, 2 ** 31)
  const forgotten = await disk.powerOff(loss, seed)
  await service.ended
  await disk.powerOn()
  return `${loss === 'all' ? 'all' : `some by ${seed}`} forgotten: ${JSON.stringify(forgotten)}`
}

for (let cycle = 1; cycle <= Math.max(losses, 1); cycle++) {
  const loss = cycle % 2 === 1 ? 'all' : 'some'
  const isKilledBefore = cycle % killedBeforeEach === 0
  const how = isKilledBefore ? `killed, asked again, and without power (${loss})` : `without power (${loss})`
  test(
    `SUB-13 ${how}, the service restarts with every answered order and print file (${cycle} of ${losses})`,
    { skip },
    async (context) => {
      const sent: Sent[] = []
      const uploads: Upload[] = []
      if (isKilledBefore) {
        await underLoad(sent, uploads, () => killService(service, dataDir, cycle % (2 * killedBeforeEach) === 0))
        service = await startServiceProcess(dataDir)
        await assertAllHolds(sent, uploads)
      }
      let told = ''
      await underLoad(sent, uploads, async () => void (told = await losePower(loss)))
      service = await startServiceProcess(dataDir)
      await assertAllHolds(sent, uploads)
      const answered = sent.filter((order) => order.answer).length
      const stored = uploads.filter((upload) => upload.reservationName).length
      context.diagnostic(`${answered} of ${sent.length} orders answered, ${stored} files stored; ${told}`)
    },
  )
}

for (let cycle = 1; cycle <= Math.ceil(losses / 10); cycle++) {
  test(
    `without power during its first start, the service starts as new or as it was (${cycle})`,
    { skip },
    async (context) => {
      service.signal('SIGTERM')
      await service.ended
      dataDir = join(disk.folder, `first-${cycle}`)
      await mkdir(dataDir)
      const launched = launchService(dataDir, { BENCH_LIMITS: 'off' })
      const wait = randomInt(firstStartMilliseconds)
      await pause(wait)
      const wasReady = launched.stdout().includes('"ready":true')
      const manifest = wasReady ? await readFile(join(dataDir, 'demo.json'), 'utf8') : undefined
      const forgotten = await disk.powerOff(cycle % 2 === 1 ? 'all' : 'some', randomInt(1, 2 ** 31))
      await launched.ended
      await disk.powerOn()
      await mkdir(dataDir, { recursive: true })
      service = await startServiceProcess(dataDir)
      if (manifest !== undefined) assert.equal(await readFile(join(dataDir, 'demo.json'), 'utf8'), manifest)
      assert.equal((await (await partner(service, 'primary')).get('/v1/products?limit=1')).status, 200)
      context.diagnostic(`after ${wait} ms, ${wasReady ? '' : 'not '}ready; forgotten: ${JSON.stringify(forgotten)}`)
    },
  )
}

test('the control: a disk that does not sync loses orders that were answered', { skip }, async (context) => {
  service.signal('SIGTERM')
  await service.ended
  await startOnDisk('control')
  await disk.ignoreSyncs()
  const sent: Sent[] = []
  await underLoad(sent, [], async () => {
    while (sent.filter((order) => order.answer).length < 10) await pause(5)
    await losePower('all')
  })
  service = await startServiceProcess(dataDir)
  const answered = sent.filter((order) => order.answer && order.answer.status < 300)
  const kept = await withServiceDatabase(dataDir, ({ statements }) =>
    statements.rows(
      sql`select 1 from submission where partner_order_id = any(${answered.map(({ body }) => String(body.partnerOrderId))}::text[])`,
    ),
  )
  await assert.rejects(assertAllHolds(sent, []), { name: 'AssertionError', message: /an answered order is known/ })
  context.diagnostic(`${answered.length - kept.length} of ${answered.length} answered orders were lost`)
})
