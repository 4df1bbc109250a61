import assert from 'node:assert/strict'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pdfFile } from '../world/artwork.ts'
import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/sql.ts'
import { openObjectFolder, type ObjectFolder } from '../../src/outside/object-store/object-folder.ts'
import { registerEndpoint } from '../../src/webhooks/endpoints.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner, type Answer, type Partner } from '../world/partner.ts'
import { done } from '../world/done.ts'
import { placed, staff, type PlacedLine } from '../world/production.ts'
import { startReceiver, type Delivered } from '../world/receiver.ts'
import {
  freshDataDir,
  killService,
  startServiceProcess,
  type ServiceProcess,
  withServiceDatabase,
} from '../world/service-process.ts'
import { settled } from '../world/webhooks.ts'

/**
 * Kills the service at random moments while it sends order webhooks and while artwork is reserved, uploaded and attached,
 * then restarts it on the same data. CRASH_CYCLES sets the number of kills. Every other kill includes PostgreSQL.
 */
const cycles = Number(process.env.CRASH_CYCLES ?? 2)
const orderersAtOnce = 3
const uploadersAtOnce = 4
/** The kill comes a random delay after a randomly chosen delivery; these are the upper bounds. */
const deliveriesMax = 60
const afterwardsMilliseconds = 40

let dataDir: string
let remove: () => Promise<void>
let service: ServiceProcess

before(async () => {
  ;({ dataDir, remove } = await freshDataDir())
  service = await startServiceProcess(dataDir)
})
after(async () => {
  service?.signal('SIGKILL')
  await remove?.()
})

async function listen(database: Database, url: string): Promise<string> {
  const { partnerId } = service.manifest.partners.primary!
  const wish = { partnerId, url, allowHost: true, signed: false }
  const { endpointId } = await done(database.change((tx) => registerEndpoint(tx, staff(), [Buffer.alloc(32)], wish)))
  return endpointId
}

async function orderUntilGone(speaker: Partner, orderNumbers: number[]): Promise<void> {
  const build = orderBuilder(service.manifest)
  for (;;) {
    const answer = await speaker.post('/v1/orders', build.order()).catch(() => undefined)
    if (!answer) return
    if (answer.body.status === 'completed') orderNumbers.push(answer.body.order.orderNumber)
  }
}

/** What was sent for a reservation, and which steps were acknowledged. */
type Upload = {
  line: PlacedLine
  name: string
  sizeBytes: number
  md5: string
  isPut: boolean
  attached?: Answer['body']
}

const artworkOf = ({ orderNumber, itemNumber }: PlacedLine) => `/v1/orders/${orderNumber}/items/${itemNumber}/artwork`

/** Every third upload gets two concurrent attach calls. */
async function uploadUntilGone(speaker: Partner, line: PlacedLine, uploads: Upload[]): Promise<void> {
  try {
    for (let turn = 0; ; turn++) {
      const { body } = await speaker.post(`${artworkOf(line)}/upload-url`, { fileName: 'cards.pdf' })
      const bytes = Buffer.concat([pdfFile(), randomBytes(randomInt(1, 300_000))])
      const md5 = createHash('md5').update(bytes).digest('hex')
      const upload: Upload = { line, name: body.reservationName, sizeBytes: bytes.length, md5, isPut: false }
      uploads.push(upload)
      upload.isPut = (await fetch(body.uploadUrl, { method: 'PUT', body: bytes })).status === 200
      const attach = async (): Promise<void> => {
        const answer = await speaker.post(artworkOf(line), { reservationName: upload.name })
        if (answer.status === 200) upload.attached = answer.body
      }
      await Promise.all(Array.from({ length: turn % 3 === 2 ? 2 : 1 }, attach))
    }
  } catch {
    return
  }
}

type DeliveryRow = { eventId: string; body: string; claims: number; outcome: string | null }

const deliveriesTo = (database: Database, endpointId: string) =>
  database.statements.rows<DeliveryRow>(sql`
    select event_id, body, claims, outcome from webhook_delivery where endpoint_id = ${endpointId}`)

/** Every committed event was delivered. Only deliveries in flight at the kill were repeated, with the same body. */
async function assertTold(
  database: Database,
  endpointId: string,
  delivered: readonly Delivered[],
  orderNumbers: readonly number[],
  knownAtKill: readonly DeliveryRow[],
): Promise<number> {
  const arrivals = Map.groupBy(delivered, ({ headers }) => String(headers['platform-event-id']))
  const rows = await deliveriesTo(database, endpointId)
  const untold = await database.statements.rows(sql`
    select event_id from event
    where order_number = any(${orderNumbers}::bigint[])
      and event_id::text not in (select event_id from webhook_delivery where endpoint_id = ${endpointId})`)
  assert.deepEqual(untold, [], 'an event was not told')
  const toldOrders = new Set(delivered.map(({ event }) => event.orderNumber))
  for (const orderNumber of orderNumbers) assert.ok(toldOrders.has(orderNumber), 'an order was not told')

  let repeated = 0
  const ended = new Set(knownAtKill.filter(({ outcome }) => outcome !== null).map(({ eventId }) => eventId))
  for (const { eventId, body, claims, outcome } of rows) {
    const times = arrivals.get(eventId) ?? []
    assert.equal(outcome, 'DELIVERED')
    assert.ok(times.length >= 1 && times.length <= claims, `told ${times.length} times on ${claims} claims`)
    for (const each of times) assert.equal(each.body.toString(), body)
    if (times.length === 1) continue
    repeated++
    assert.ok(!ended.has(eventId), 'told again after its outcome was recorded')
  }
  return repeated
}

/** Each upload is either attached once and complete, or not attached and still attachable. */
async function assertAttached(database: Database, folder: ObjectFolder, uploads: readonly Upload[]): Promise<void> {
  const speaker = await partner(service, 'primary')
  const filesOf = (name: string) =>
    database.statements.rows<{ objectKey: string; sizeBytes: number; md5: string }>(sql`
      select object_key, size_bytes, md5 from print_file where reservation_name = ${name}`)
  for (const { line, name, sizeBytes, md5, isPut, attached } of uploads) {
    if (attached) assert.equal((await filesOf(name)).length, 1, 'an acknowledged file is lost')
    const again = await speaker.post(artworkOf(line), { reservationName: name })
    const files = await filesOf(name)
    assert.ok(again.status === 200 || again.body.code === 'artwork_reservation_not_usable', JSON.stringify(again.body))
    if (attached) assert.equal(again.status, 409)
    if (isPut || again.status === 200) assert.equal(files.length, 1, 'an acknowledged upload is lost')
    for (const file of files) {
      assert.deepEqual([file.sizeBytes, file.md5], [sizeBytes, md5])
      const stored = await folder.open(file.objectKey)
      const hash = createHash('md5')
      for await (const piece of await stored!.stream(0, sizeBytes - 1)) hash.update(piece as Buffer)
      assert.equal(hash.digest('hex'), md5)
    }
  }
}

for (let cycle = 1; cycle <= cycles; cycle++) {
  const together = cycle % 2 === 1
  test(`EVT-13 EVT-18 ART-04 ART-15 ART-18 killed ${together ? 'with its database' : 'alone'} (${cycle} of ${cycles}), the service delivers every event, repeats with the same body, and stores every file once and complete`, async (context) => {
    const receiver = await startReceiver(context, async (response) => {
      await pause(randomInt(20))
      response.end()
    })
    const endpointId = await withServiceDatabase(dataDir, (database) => listen(database, receiver.url))
    const speaker = await partner(service, 'primary')
    const build = orderBuilder(service.manifest)
    const orderNumbers: number[] = []
    const uploads: Upload[] = []
    const lines: PlacedLine[] = []
    for (let turn = 0; turn < uploadersAtOnce; turn++) {
      const order = await placed(speaker, build.order())
      orderNumbers.push(order.orderNumber)
      lines.push(...order.lines)
    }
    const load = [
      ...Array.from({ length: orderersAtOnce }, () => orderUntilGone(speaker, orderNumbers)),
      ...lines.map((line) => uploadUntilGone(speaker, line, uploads)),
    ]
    await receiver.arrival(uploadersAtOnce + randomInt(deliveriesMax))
    await pause(randomInt(afterwardsMilliseconds))
    await killService(service, dataDir, together)
    await Promise.all(load)
    const knownAtKill = together
      ? []
      : await withServiceDatabase(dataDir, (database) => deliveriesTo(database, endpointId))

    service = await startServiceProcess(dataDir)
    const folder = await openObjectFolder(join(dataDir, 'objects', 'production'))
    await withServiceDatabase(dataDir, async (database) => {
      await settled(database)
      await assertAttached(database, folder, uploads)
      // Files attached only now send events too.
      await settled(database)
      const repeated = await assertTold(database, endpointId, receiver.delivered, orderNumbers, knownAtKill)
      const count = (is: (upload: Upload) => unknown): number => uploads.filter(is).length
      context.diagnostic(
        `${orderNumbers.length} orders, ${receiver.delivered.length} deliveries, ${repeated} of them again; ` +
          `${uploads.length} reservations, ${count(({ isPut }) => isPut)} uploaded, ${count(({ attached }) => attached)} attached at the kill`,
      )
    })
  })
}
