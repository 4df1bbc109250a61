import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { silent } from '../../test/world/partner-builder.ts'
import { Outage } from '../vocabulary/outage.ts'
import { createReadiness } from './readiness.ts'

test('a process is ready while all that it needs answers, and says what is away and why, without addresses', async () => {
  const readiness = createReadiness(silent)
  readiness.watch('one', async () => undefined)
  assert.deepEqual(await readiness.read(), { ready: true, checked: ['one'], away: [] })

  const coded = (code: string, message: string) => Object.assign(new Error(message), { code })
  const reasons: Record<string, [error: unknown, why: string]> = {
    refused: [
      new Outage('the database', coded('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:5432')),
      'the connection was refused (ECONNREFUSED)',
    ],
    unknown: [coded('CERT_HAS_EXPIRED', 'certificate of 10.0.0.1'), 'it failed (CERT_HAS_EXPIRED)'],
    server: [
      new Outage('the database', coded('57P03', 'the database system is starting up')),
      'the database system is starting up (57P03)',
    ],
    storage: [new Outage('Storage answered 403 (AccessDenied)'), 'Storage answered 403 (AccessDenied)'],
    quoting: [new Error('cannot use redis://app:hidden@10.0.0.1'), 'it failed'],
  }
  const away = createReadiness(silent)
  for (const [what, [error]] of Object.entries(reasons)) away.watch(what, () => Promise.reject(error as Error))
  assert.deepEqual(await away.read(), {
    ready: false,
    checked: Object.keys(reasons),
    away: Object.entries(reasons).map(([what, [, why]]) => ({ what, why })),
  })
})

test('what does not answer within two seconds is away, and all is looked at side by side', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const readiness = createReadiness(silent)
  const begun: string[] = []
  for (const what of ['one', 'two']) {
    readiness.watch(what, () => {
      begun.push(what)
      return new Promise(() => undefined)
    })
  }
  const read = readiness.read()
  assert.deepEqual(begun, ['one', 'two'])
  t.mock.timers.tick(2_000)
  const why = 'it did not answer in time'
  assert.deepEqual((await read).away, [
    { what: 'one', why },
    { what: 'two', why },
  ])
})

test('callers at the same time and within a second share one look', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const readiness = createReadiness(silent)
  let looks = 0
  readiness.watch('one', async () => void looks++)
  await Promise.all([readiness.read(), readiness.read()])
  await readiness.read()
  assert.equal(looks, 1)
  t.mock.timers.tick(1_000)
  await readiness.read()
  assert.equal(looks, 2)
})

test('a process that drains is not ready from that moment on, whatever an earlier look found', async () => {
  const readiness = createReadiness(silent)
  readiness.watch('one', async () => undefined)
  assert.equal((await readiness.read()).ready, true)
  readiness.drain()
  const { ready, away } = await readiness.read()
  assert.deepEqual([ready, away.map(({ what }) => what)], [false, ['draining']])
})

test('the log tells once when something goes away, and once when it is back', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const told: string[] = []
  const log = pino({}, { write: (line) => void told.push((JSON.parse(line) as { msg: string }).msg) })
  const readiness = createReadiness(log)
  let isAway = false
  readiness.watch('one', () => (isAway ? Promise.reject(new Error('gone')) : Promise.resolve()))
  for (const next of [false, true, true, false, false]) {
    isAway = next
    await readiness.read()
    t.mock.timers.tick(1_000)
  }
  assert.deepEqual(told, ['not ready', 'ready again'])
})
