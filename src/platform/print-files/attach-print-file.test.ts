import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { pdfFile } from '../../../test/world/artwork.ts'
import { blindEngine } from '../../../test/world/artwork-engine.ts'
import { done } from '../../../test/world/done.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { byStaff, placed, type PlacedLine } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { removeStrays } from '../files/stray-objects.ts'
import { holdOrder, releaseOrder } from '../orders/hold-order.ts'
import { attachPrintFile } from './attach-print-file.ts'

const bytes = pdfFile()

const service = await testService({ artworkEngine: blindEngine() })
const primary = await partner(service, 'primary')
const { database, objectStore: store } = service.production
const build = orderBuilder(service.manifest)
const [line] = (await placed(primary, build.order())).lines as [PlacedLine]

/** The name of a reservation with a finished upload. */
async function uploaded(): Promise<string> {
  const path = `/v1/orders/${line.orderNumber}/items/${line.itemNumber}/artwork/upload-url`
  const { body } = await primary.post(path, { fileName: 'cards.pdf' })
  assert.equal((await fetch(body.uploadUrl, { method: 'PUT', body: bytes })).status, 200)
  return body.reservationName
}

function attach(reservationName: string, by: ObjectStore = store) {
  const actor = { kind: 'PARTNER', id: service.manifest.partners.primary.partnerId } as const
  const change = { actor, now: new Date(), requestId: null }
  return attachPrintFile({ database, objectStore: by }, change, line.orderNumber, line.lineNumber, reservationName)
}

async function strays(): Promise<string[]> {
  const rows = await database.statements.rows<{ objectKey: string }>(sql`select object_key from stray_object`)
  return rows.map((row) => row.objectKey)
}

test('ART-15 a slow store that settles an upload does not block other changes of the order', async () => {
  const reservationName = await uploaded()
  const reached = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  const attaching = attach(reservationName, {
    ...store,
    settle: async (fromKey, toKey) => {
      reached.resolve()
      await slow.promise
      return store.settle(fromKey, toKey)
    },
  })
  await reached.promise
  await done(byStaff(database, holdOrder, line.orderNumber))
  await done(byStaff(database, releaseOrder, line.orderNumber))
  // Another attach of the same upload does not wait either, and wins.
  const { md5 } = await done(attach(reservationName))
  assert.equal(md5, createHash('md5').update(bytes).digest('hex'))
  slow.resolve()
  assert.deepEqual(await attaching, { refused: 'reservation_not_usable' })
})

test('ART-04 ART-18 the settled copy of an attach that died is removed later, and the reservation can still be attached', async () => {
  const reservationName = await uploaded()
  let settledKey = ''
  const dying: ObjectStore = {
    ...store,
    settle: async (fromKey, toKey) => {
      settledKey = toKey
      await store.settle(fromKey, toKey)
      throw new Error('the process died')
    },
  }
  await assert.rejects(attach(reservationName, dying), /died/)
  assert.ok((await strays()).includes(settledKey))
  assert.ok(await store.head(settledKey))

  await done(attach(reservationName))
  await removeStrays(database, store, 24)
  assert.ok(await store.head(settledKey), 'a stray of today may still be claimed')
  await removeStrays(database, store, 0)
  assert.equal(await store.head(settledKey), undefined)
  assert.deepEqual(await strays(), [])
  const files = await database.statements.rows<{ objectKey: string }>(sql`
    select object_key from print_file where order_number = ${line.orderNumber}`)
  for (const { objectKey } of files) assert.equal((await store.head(objectKey))?.sizeBytes, bytes.length)
})
