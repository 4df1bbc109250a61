import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { pdfFile } from '../../../test/world/artwork.ts'
import { done } from '../../../test/world/done.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { readProductId, type ProductId } from '../../vocabulary/product-id.ts'
import { presignUpload, type Upload } from '../files/presign-upload.ts'
import { removeStrays } from '../files/stray-objects.ts'
import { beginArtworkCheck, checksMax, readArtworkCheck } from './artwork-checks.ts'
import { claimInspections } from './claim-inspections.ts'
import { forgetArtworkChecks } from './forget-checks.ts'

// Without workers a file stays in the queue.
const service = await testService({ variables: { ROLE: 'api' } })
const { database, objectStore: store } = service.production
const { primary, neighbour } = service.manifest.partners
const siteIds: number[] = [service.manifest.sites.main]
const pod = readProductId(service.manifest.fixtures.products.pod) as ProductId

async function begun(by = primary!): Promise<Upload> {
  const upload = await presignUpload(store, { fileName: 'card.pdf', contentType: null }, new Date())
  await done(beginArtworkCheck(database, by.partnerId, siteIds, pod, upload))
  return upload
}

async function put({ uploadUrl }: Upload, text = 'a card'): Promise<void> {
  assert.equal((await fetch(uploadUrl, { method: 'PUT', body: pdfFile(text) })).status, 200)
}

type Reading = { by?: { partnerId: string }; on?: readonly number[]; now?: Date; store?: ObjectStore }

function read({ reservationName }: Pick<Upload, 'reservationName'>, reading: Reading = {}) {
  const { by = primary, on = siteIds, now = new Date(), store: objectStore = store } = reading
  return readArtworkCheck({ database, objectStore }, by.partnerId, on, pod, reservationName, now)
}

async function keyOf({ reservationName }: Upload): Promise<string> {
  const row = await database.statements.row<{ objectKey: string }>(sql`
    select object_key from artwork_check where check_id = ${reservationName}`)
  return row!.objectKey
}

test('a check waits for its upload, and the first read after it queues the file', async () => {
  const check = await begun()
  const before = await read(check)
  assert.deepEqual([before?.inspection, before?.isLate], [undefined, false])
  assert.equal((await read(check, { now: new Date(Date.now() + 61_000) }))?.isLate, true)
  await put(check)
  // Both reads have made their copy before either keeps it.
  const copied = Promise.withResolvers<void>()
  let copies = 0
  const meeting: ObjectStore = {
    ...store,
    settle: async (fromKey, toKey) => {
      const stored = await store.settle(fromKey, toKey)
      if (++copies === 2) copied.resolve()
      await copied.promise
      return stored
    },
  }
  const reads = await Promise.all([read(check, { store: meeting }), read(check, { store: meeting })])
  for (const each of reads) assert.equal(each?.inspection?.status, 'queued')
  const key = await keyOf(check)
  const first = await store.head(key)
  await put(check, 'another card')
  assert.equal((await read(check))?.inspection?.status, 'queued')
  assert.equal(await keyOf(check), key)
  assert.deepEqual(await store.head(key), first)
})

test('a check belongs to its partner, to a product of its sites, and to no other', async () => {
  const check = await begun()
  assert.equal(await read(check, { by: neighbour! }), undefined)
  assert.equal(await read(check, { on: [service.manifest.sites.foreign!] }), undefined)
  assert.equal(await read({ reservationName: randomUUID() }), undefined)
  const elsewhere = await beginArtworkCheck(database, primary!.partnerId, [service.manifest.sites.foreign!], pod, check)
  assert.deepEqual(elsewhere, { refused: 'product_not_found' })
})

test('of two partners that wait each gets a turn, however many files one of them sent before', async () => {
  for (const by of [primary!, primary!, neighbour!]) {
    const check = await begun(by)
    await put(check)
    await read(check, { by })
  }
  const claims = await claimInspections(database.statements, 2, [], 3)
  assert.deepEqual(
    new Set(claims.map(({ partnerId }) => partnerId)),
    new Set([primary!.partnerId, neighbour!.partnerId]),
  )
})

test('a partner has so many checks, and beginning one more forgets its oldest', async () => {
  const [oldest, others] = [await begun(), await begun(neighbour!)]
  const next = await begun()
  for (let newer = 1; newer < checksMax; newer++) await begun()
  assert.equal(await read(oldest), undefined)
  assert.ok(await read(next))
  assert.ok(await read(others, { by: neighbour! }))
})

test('a check is forgotten with its files', async () => {
  const [checked, unused] = [await begun(), await begun()]
  await put(checked)
  await read(checked)
  await put(unused)
  const key = await keyOf(checked)
  assert.ok((await forgetArtworkChecks(database, new Date(Date.now() + 1_000))) >= 2)
  assert.equal(await read(checked), undefined)
  await removeStrays(database, store, 0)
  for (const each of [key, checked.objectKey, unused.objectKey]) assert.equal(await store.head(each), undefined)
})
