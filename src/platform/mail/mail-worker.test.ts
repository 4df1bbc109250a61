import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { testDatabase } from '../../../test/world/database.ts'
import { startMailServer, type MailServer } from '../../../test/world/mail-server.ts'
import { bearerPartner, silent } from '../../../test/world/partner-builder.ts'
import { until } from '../../../test/world/webhooks.ts'
import { sql } from '../../database/sql.ts'
import type { Mailer, Sending } from '../../outside/mailer/mailer.ts'
import { smtpMailer } from '../../outside/mailer/smtp-mailer.ts'
import { systemClock } from '../../vocabulary/clock.ts'
import { clearBouncedAddress, listBouncedAddresses } from './bounced-addresses.ts'
import { claimMails, recordLeft } from './claim-mails.ts'
import { startMailWorker } from './mail-worker.ts'
import { sendMailAgain } from './mail-log.ts'
import { queueMails } from './queue-mails.ts'

const { database } = await testDatabase('template_production')
const { statements } = database
const { partnerId } = await bearerPartner(database, new Date())
const linkKeys = [Buffer.alloc(32, 'link')] as const
const change = { actor: { kind: 'STAFF', id: 'tester' }, now: new Date(), requestId: null } as const

function mailerTo(t: TestContext, { port }: Pick<MailServer, 'port'>): Mailer {
  const plain = { isTls: false, mustEncrypt: false, user: undefined, password: undefined }
  const mailer = smtpMailer({ ...plain, host: '127.0.0.1', port, fromAddress: 'orders@print.example' })
  t.after(mailer.close)
  return mailer
}

function workerWith(t: TestContext, mailer: Mailer): { stop: () => Promise<void>; outcomes: string[] } {
  const outcomes: string[] = []
  const { close } = startMailWorker({
    database,
    objectStore: { read: async () => undefined, presignGet: async () => 'https://storage.example' },
    mailer,
    pageUrl: (link, token) => `https://api.example.com/${link}/${token}`,
    linkKeys,
    isSandbox: false,
    clock: systemClock,
    log: silent,
    observeMail: (outcome) => void outcomes.push(outcome),
  })
  t.after(close)
  return { stop: close, outcomes }
}

/** Queues an alert to an address of its own. */
async function queued(to = `${randomUUID()}@whitfield.test`): Promise<string> {
  const about = { day: '2026-11-22', quota: 10_000, percent: 80 }
  await database.transaction((tx) => queueMails(tx, new Date(), [{ kind: 'quota_nearly_used', to, partnerId, about }]))
  return to
}

type Row = { mailId: string; status: string; reason: string | null; attempts: number; waits: number; claims: number }

async function rowOf(to: string): Promise<Row> {
  return (await statements.row<Row>(sql`
    select mail_id, status, reason, attempts, claims, extract(epoch from due_on - now())::float8 as waits
    from mail where recipient = ${to}`))!
}

function untilStatus(to: string, status: string): Promise<void> {
  return until(async () => (await rowOf(to)).status === status)
}

/** As if the pause or the lease had been over for a moment: the column rounds to milliseconds, so now could be ahead. */
function makeDue(to: string): Promise<unknown> {
  return statements.rows(
    sql`update mail set due_on = now() - interval '1 second' where recipient = ${to} and status = 'QUEUED'`,
  )
}

test('two workers send each of a hundred mails once', async (t) => {
  const server = await startMailServer(t)
  const all = await Promise.all(Array.from({ length: 100 }, () => queued()))
  const workers = [workerWith(t, mailerTo(t, server)), workerWith(t, mailerTo(t, server))]
  for (const to of all) await untilStatus(to, 'SENT')
  assert.deepEqual(server.taken.map(({ to }) => to[0]!).toSorted(), all.toSorted())
  for (const { stop } of workers) await stop()
})

test('a mail that is turned away for now is tried again, later each time, and arrives once', async (t) => {
  let turns = 0
  const server = await startMailServer(t, {
    recipient: () => (++turns <= 2 ? { code: 451, text: '4.7.1 greylisted' } : undefined),
  })
  const to = await queued()
  const { outcomes } = workerWith(t, mailerTo(t, server))
  await until(async () => (await rowOf(to)).reason === 'not_taken')
  const first = await rowOf(to)
  assert.ok(first.waits > 20 && first.waits <= 30, String(first.waits))
  await makeDue(to)
  // Longer than the first pause; the lease of the attempt itself is longer still.
  await until(async () => {
    const { attempts, waits } = await rowOf(to)
    return attempts === 2 && waits > 31 && waits <= 60
  })
  await makeDue(to)
  await untilStatus(to, 'SENT')
  assert.deepEqual([server.taken.length, (await rowOf(to)).reason, outcomes], [1, null, ['delayed', 'delayed', 'sent']])
})

test('when its time is over, a mail that was never taken has failed', async (t) => {
  const server = await startMailServer(t)
  await server.close()
  const to = await queued()
  await statements.rows(sql`update mail set gives_up_on = now() where recipient = ${to}`)
  workerWith(t, mailerTo(t, server))
  await untilStatus(to, 'FAILED')
  assert.equal((await rowOf(to)).reason, 'gave_up')
})

test('an address that refuses for good gets nothing more until staff clear it', async (t) => {
  let isGone = true
  const server = await startMailServer(t, {
    recipient: () => (isGone ? { code: 550, text: '5.1.1 no such mailbox' } : undefined),
  })
  workerWith(t, mailerTo(t, server))
  const to = await queued(`Gone.${randomUUID()}@whitfield.test`)
  await untilStatus(to, 'FAILED')
  assert.equal((await rowOf(to)).reason, 'refused')
  const [noted] = await listBouncedAddresses(database.reads, { email: to, after: undefined, limit: 2 })
  assert.deepEqual([noted!.email, noted!.reason], [to.toLowerCase(), '550 5.1.1 no such mailbox'])

  isGone = false
  const { mailId } = await rowOf(to)
  const again = async () => {
    assert.deepEqual(await database.change((tx) => sendMailAgain(tx, change, mailId)), { done: {} })
  }
  await again()
  await untilStatus(to, 'FAILED')
  assert.deepEqual([(await rowOf(to)).reason, server.taken], ['address_bounced', []])
  await database.change((tx) => clearBouncedAddress(tx, change, noted!.bouncedAddressId))
  await again()
  await untilStatus(to, 'SENT')
  // Each sending is a message of its own.
  assert.equal(server.taken[0]!.mail.messageId, `<${mailId}.3@print.example>`)
})

test('after a crash between the server’s yes and the record, the same message is sent once more', async (t) => {
  const server = await startMailServer(t)
  const real = mailerTo(t, server)
  const said = Promise.withResolvers<void>()
  const revived = Promise.withResolvers<Sending>()
  // A process that dies here never learns that the mail was taken.
  const dying = workerWith(t, {
    send: async (mail) => {
      await real.send(mail)
      said.resolve()
      return revived.promise
    },
    close: real.close,
  })
  const to = await queued()
  await said.promise
  assert.equal((await rowOf(to)).status, 'QUEUED')
  // The dead make no further rounds.
  const stopped = dying.stop()
  const alive = workerWith(t, real)
  await makeDue(to)
  await until(async () => (await rowOf(to)).claims === 2)
  revived.resolve({ outcome: 'unreachable', answer: 'dead' })
  await untilStatus(to, 'SENT')
  await Promise.all([alive.stop(), stopped])
  const ids = server.taken.map(({ mail }) => mail.messageId)
  assert.equal(ids.length, 2)
  assert.equal(new Set(ids).size, 1)
})

test('who comes back after its lease lapsed records nothing', async () => {
  const to = await queued()
  const [slow] = await claimMails(statements, 1)
  assert.equal(slow!.recipient, to)
  await makeDue(to)
  const [next] = await claimMails(statements, 1)
  assert.equal(next!.claims, slow!.claims + 1)
  const record = { subject: 's', text: 't', html: 'h' }
  await recordLeft(statements, slow!, 'SENT', record, {})
  assert.equal((await rowOf(to)).status, 'QUEUED')
  await recordLeft(statements, next!, 'SENT', record, {})
  assert.equal((await rowOf(to)).status, 'SENT')
})

test('a mail to no address, and one whose facts are gone, fail without being tried again', async (t) => {
  const server = await startMailServer(t)
  workerWith(t, mailerTo(t, server))
  const nobody = await queued(`two@a.example, three@b.example ${randomUUID()}`)
  await untilStatus(nobody, 'FAILED')
  assert.equal((await rowOf(nobody)).reason, 'address_not_usable')
  const gone = `${randomUUID()}@whitfield.test`
  await database.transaction((tx) =>
    queueMails(tx, new Date(), [{ kind: 'order_confirmation', to: gone, orderNumber: 5, about: {} }]),
  )
  await untilStatus(gone, 'FAILED')
  assert.deepEqual([(await rowOf(gone)).reason, server.taken], ['nothing_to_tell', []])
})
