import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { testDatabase } from '../../test/world/database.ts'
import { testMasterKey } from '../../test/world/master-key.ts'
import { sql } from '../database/sql.ts'
import { serviceLog } from '../operations/service-log.ts'
import { systemClock } from '../vocabulary/clock.ts'
import { deriveKey } from '../vocabulary/keys.ts'
import { Outage } from '../vocabulary/outage.ts'
import { erasePerson, type Erasure, finishErasures, reapplyErasures } from './erase-person.ts'
import { startEraser } from './eraser.ts'

const erasureKeys = [deriveKey(testMasterKey, 'PRODUCTION', 'erasure')] as const
const keptMails = { forget: () => Promise.resolve() }

type Database = Awaited<ReturnType<typeof testDatabase>>
type Store = Parameters<typeof finishErasures>[0]['objectStore']

/** A store in memory, with what it holds. */
function memoryStore(): Store & { kept: Map<string, Buffer>; removed: string[] } {
  const kept = new Map<string, Buffer>()
  const removed: string[] = []
  return {
    kept,
    removed,
    write: async (key, body) => {
      const bytes = body as Buffer
      kept.set(key, bytes)
      return { sizeBytes: bytes.byteLength, md5: '' }
    },
    read: async (key) => {
      const bytes = kept.get(key)
      return bytes && Readable.from([bytes])
    },
    remove: async (key) => {
      kept.delete(key)
      removed.push(key)
    },
  }
}

/** Somebody of whom nothing is known but the address. */
async function bounced({ owner }: Database, email = `${randomUUID()}@whitfield.test`): Promise<string> {
  await owner.statements.rows(sql`
    insert into bounced_address (address, reason, noted_on) values (${email}, 'No mailbox', now())`)
  return email
}

async function erase({ database }: Database, email: string): Promise<Erasure> {
  const change = { actor: { kind: 'STAFF', id: 'tester' }, now: new Date(), requestId: null } as const
  const person = { kind: 'RECIPIENT', id: email, reason: 'REQUEST' } as const
  const erased = await database.change((tx) => erasePerson(tx, change, erasureKeys, person))
  assert.ok('done' in erased, JSON.stringify(erased))
  return erased.done
}

/** Erases somebody who leaves files. */
async function eraseWithFiles(world: Database, files: readonly string[]): Promise<Erasure> {
  const erasure = await erase(world, await bounced(world))
  await world.owner.statements.rows(sql`
    update erasure set object_keys = ${[...files]} where erasure_id = ${erasure.erasureId}::uuid`)
  return erasure
}

const isFinished = async ({ owner }: Database, { erasureId }: Erasure): Promise<boolean> => {
  const row = await owner.statements.row<{ is: boolean }>(sql`
    select finished_on is not null as is from erasure where erasure_id = ${erasureId}::uuid`)
  return row!.is
}

const numberOf = async ({ owner }: Database, { erasureId }: Erasure): Promise<number> => {
  const row = await owner.statements.row<{ number: number }>(sql`
    select ledger_number as number from erasure where erasure_id = ${erasureId}::uuid`)
  return row!.number
}

/** Brings back what a backup from before the erasures would have. */
async function forgetErasures({ owner }: Database, numbers: readonly number[]): Promise<void> {
  await owner.statements.rows(sql`delete from erasure where ledger_number = any(${[...numbers]}::int[])`)
}

test('of an order that came to nothing, or was under way, an older backup brings nobody back', async () => {
  const world = await testDatabase('template_production')
  const { database, owner } = world
  const store = memoryStore()
  const email = `Yan.${randomUUID()}@yy.example`
  const body = { partnerOrderId: 'x', shipTo: { name: 'Yan Yarrow', email } }
  const outcome = { errors: [{ code: 'order_rejected', detail: `Write to ${email}`, field: 'shipTo' }] }
  const submission = (status: string, ended: object | null) => sql`
    insert into submission (submission_id, partner_id, partner_order_id, site_id, ordering_user_id, body_hash, body, status,
      outcome, reasons, leased_until, created_on, updated_on)
    select gen_random_uuid(), partner_id, ${randomUUID()}, site_id, ordering_user_id, '', ${JSON.stringify(body)}::jsonb, ${status},
      ${ended === null ? null : JSON.stringify(ended)}::jsonb, ${ended === null ? null : ['service_fault']}::text[], null, now(), now()
    from partner, site where ordering_user_id is not null limit 1`
  const named = () =>
    owner.statements.rows(sql`select status from submission where submission::text ilike ${`%${email}%`} order by 1`)

  await owner.statements.rows(submission('failed', outcome))
  const erasure = await erase(world, email)
  await finishErasures({ database, objectStore: store, keptMails })
  assert.deepEqual(await named(), [])

  await forgetErasures(world, [await numberOf(world, erasure)])
  await owner.statements.rows(sql`delete from submission where body = '{}'`)
  for (const status of ['failed', 'queued', 'processing'])
    await owner.statements.rows(submission(status, status === 'failed' ? outcome : null))
  assert.equal((await named()).length, 3)
  const damaged = () => assert.fail('nothing is damaged')
  assert.equal(await reapplyErasures({ database, objectStore: store, erasureKeys, now: new Date(), damaged }), 1)
  assert.deepEqual(await named(), [])
  // No worker makes an order of what is left.
  const left = await owner.statements.rows<{ status: string; codes: unknown }>(sql`
    select distinct status, jsonb_path_query_array(outcome, '$.errors[*].code') as codes from submission where body = '{}'`)
  assert.deepEqual(left, [{ status: 'failed', codes: ['order_rejected'] }])
})

test('all entries of the ledger are written before any file is removed, and no transaction waits for the store', async () => {
  const world = await testDatabase('template_production')
  const { database, owner } = world
  const store = memoryStore()
  const erasures = [await eraseWithFiles(world, ['files/1', 'files/2']), await eraseWithFiles(world, ['files/3'])]
  const seen: unknown[] = []
  const objectStore: Store = {
    ...store,
    remove: async (key) => {
      // A lock that is held fails this at once.
      const free = await owner.transaction((tx) =>
        tx.rows(sql`select from erasure where finished_on is null for update nowait`),
      )
      seen.push([store.kept.size, free.length > 0])
      await store.remove(key)
    },
  }
  assert.equal(await finishErasures({ database, objectStore, keptMails }), 2)
  assert.deepEqual(seen, [
    [2, true],
    [2, true],
    [2, true],
  ])
  for (const erasure of erasures) assert.ok(await isFinished(world, erasure))
})

test('files are removed some at once, and one that is removed is not removed again', async () => {
  const world = await testDatabase('template_production')
  const { database } = world
  const store = memoryStore()
  const files = Array.from({ length: 60 }, (_, index) => `files/${index}`)
  const erasure = await eraseWithFiles(world, files)
  let [underWay, most] = [0, 0]
  const objectStore: Store = {
    ...store,
    remove: async (key) => {
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setImmediate(resolve))
      underWay--
      if (key === 'files/30') throw new Error('is locked')
      await store.remove(key)
    },
  }
  const waits = new RegExp(`what erasure ${erasure.erasureId} leaves cannot be removed`)
  await assert.rejects(finishErasures({ database, objectStore, keptMails }), waits)
  assert.ok(most > 4 && most < 60, String(most))
  assert.deepEqual(store.removed.toSorted(), files.filter((key) => key !== 'files/30').toSorted())
  assert.equal(await finishErasures({ database, objectStore: store, keptMails }), 1)
  assert.deepEqual(store.removed.toSorted(), files.toSorted(), 'each once')
})

test('an erasure that fails holds up its own alone, whatever fails', async () => {
  const world = await testDatabase('template_production')
  const { database } = world
  const store = memoryStore()
  const [first, second, third] = [
    await eraseWithFiles(world, ['files/1']),
    await eraseWithFiles(world, ['files/2']),
    await eraseWithFiles(world, ['files/3']),
  ]
  const entry = `erasures/${await numberOf(world, second)}.json`
  const objectStore: Store = {
    ...store,
    write: (key, body) => (key === entry ? Promise.reject(new Outage('the store')) : store.write(key, body)),
    remove: (key) => (key === 'files/1' ? Promise.reject(new Outage('the store')) : store.remove(key)),
  }
  await assert.rejects(finishErasures({ database, objectStore, keptMails }), Outage)
  assert.deepEqual(
    [await isFinished(world, first), await isFinished(world, second), await isFinished(world, third)],
    [false, false, true],
  )
  assert.equal(await finishErasures({ database, objectStore: store, keptMails }), 2)
})

test('who is erased again while files are removed is in the ledger as it is then', async () => {
  const world = await testDatabase('template_production')
  const { database } = world
  const store = memoryStore()
  const email = await bounced(world)
  const first = await erase(world, email)
  await world.owner.statements.rows(sql`
    update erasure set object_keys = array['files/1'] where erasure_id = ${first.erasureId}::uuid`)
  const objectStore: Store = {
    ...store,
    remove: async (key) => {
      await bounced(world, email)
      await new Promise((resolve) => setTimeout(resolve, 5))
      await erase(world, email)
      await store.remove(key)
    },
  }
  assert.equal(await finishErasures({ database, objectStore, keptMails }), 1)
  const row = await world.owner.statements.row<{ erasedOn: string }>(sql`
    select erased_on from erasure where erasure_id = ${first.erasureId}::uuid`)
  const written = JSON.parse(store.kept.get(`erasures/${await numberOf(world, first)}.json`)!.toString())
  assert.equal(written.erasedOn, row!.erasedOn)
  assert.notEqual(written.erasedOn, first.erasedOn)
})

test('a hole in the ledger does not end it: what follows is applied, the missing numbers are told, and what comes later is applied too', async () => {
  const world = await testDatabase('template_production')
  const { database, owner } = world
  const store = memoryStore()
  const emails: string[] = []
  const numbers: number[] = []
  for (let person = 0; person < 6; person++) {
    emails.push(await bounced(world))
    numbers.push(await numberOf(world, await erase(world, emails[person]!)))
  }
  await finishErasures({ database, objectStore: store, keptMails })
  const isThere = async (person: number): Promise<boolean> =>
    (await owner.statements.row(sql`select from bounced_address where address = ${emails[person]!}`)) !== undefined
  const lost = numbers.slice(1, 3).map((number) => `erasures/${number}.json`)
  const copies = lost.map((key) => [key, store.kept.get(key)!] as const)
  for (const key of lost) store.kept.delete(key)
  await forgetErasures(world, numbers)
  for (const email of emails) await bounced(world, email)

  const told: number[] = []
  const parts = {
    database,
    objectStore: store,
    erasureKeys,
    now: new Date(),
    damaged: () => assert.fail('nothing is damaged'),
  }
  const beyond = { ...parts, missing: (ledgerNumbers: readonly number[]) => void told.push(...ledgerNumbers) }
  assert.equal(await reapplyErasures(beyond), 4)
  assert.deepEqual(told, numbers.slice(1, 3))
  assert.deepEqual(await Promise.all(emails.map((_, person) => isThere(person))), [
    false,
    true,
    true,
    false,
    false,
    false,
  ])

  // Somebody finds one of them again.
  const [key, entry] = copies[0]!
  store.kept.set(key, entry)
  told.length = 0
  assert.equal(await reapplyErasures(beyond), 1)
  assert.deepEqual(told, [numbers[2]])
  assert.equal(await isThere(1), false)
  assert.equal(await reapplyErasures(beyond), 0)

  // The number of who was erased a second time is no hole, and the former entry erases nobody again.
  await bounced(world, emails[0])
  await finishErasures({ database, objectStore: store, keptMails })
  await erase(world, emails[0]!)
  await finishErasures({ database, objectStore: store, keptMails })
  await bounced(world, emails[0])
  assert.equal(await reapplyErasures(beyond), 0)
  assert.equal(await isThere(0), true)
})

test('a start tells of missing entries by their numbers', async () => {
  const world = await testDatabase('template_production')
  const store = memoryStore()
  const numbers: number[] = []
  for (let person = 0; person < 3; person++)
    numbers.push(await numberOf(world, await erase(world, await bounced(world))))
  await finishErasures({ database: world.database, objectStore: store, keptMails })
  await forgetErasures(world, numbers)
  store.kept.delete(`erasures/${numbers[1]}.json`)
  const lines: string[] = []
  const eraser = await startEraser({
    database: world.database,
    objectStore: store,
    keptMails: { ...keptMails, list: async () => [] },
    erasureKeys,
    clock: systemClock,
    log: serviceLog('info', { write: (line: string) => void lines.push(line) }),
  })
  await eraser.close()
  const told = lines.map((line) => JSON.parse(line)).find(({ ledgerNumbers }) => ledgerNumbers !== undefined)
  assert.deepEqual(told.ledgerNumbers, [numbers[1]])
  assert.match(told.msg, /entries of the ledger of erasures are missing/)
  assert.match(lines.join(''), /"persons":2/)
})

test('an entry that cannot be applied keeps no other from being applied', async () => {
  const world = await testDatabase('template_production')
  const { database } = world
  const store = memoryStore()
  const numbers: number[] = []
  for (let person = 0; person < 2; person++)
    numbers.push(await numberOf(world, await erase(world, await bounced(world))))
  await finishErasures({ database, objectStore: store, keptMails })
  await forgetErasures(world, numbers)
  const key = `erasures/${numbers[0]}.json`
  const good = store.kept.get(key)!
  store.kept.set(key, Buffer.from(JSON.stringify({ ...JSON.parse(good.toString()), kind: 'NOBODY' })))
  const parts = {
    database,
    objectStore: store,
    erasureKeys,
    now: new Date(),
    damaged: () => undefined,
    missing: () => undefined,
  }
  await assert.rejects(reapplyErasures(parts))
  const rows = await database.statements.rows(sql`select ledger_number as number from erasure`)
  assert.deepEqual(rows, [{ number: numbers[1] }])
  store.kept.set(key, good)
  assert.equal(await reapplyErasures(parts), 1)
})
