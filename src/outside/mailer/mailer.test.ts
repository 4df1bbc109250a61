import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { simpleParser } from 'mailparser'
import { startMailServer, type MailServer } from '../../../test/world/mail-server.ts'
import { keptMails } from './kept-mails.ts'
import type { OutgoingMail } from './mailer.ts'
import { smtpMailer, type SmtpServer } from './smtp-mailer.ts'

const password = 'a very secret password'

function outgoing(changes: Partial<OutgoingMail> = {}): OutgoingMail {
  const mailId = randomUUID()
  return {
    mailId,
    to: 'dana@whitfield.test',
    fromName: 'Whitfield Print',
    replyTo: 'help@whitfield.test',
    messageName: `${mailId}.1`,
    date: new Date('2026-11-22T12:00:00Z'),
    subject: 'Your order',
    text: 'Hello\n',
    html: '<p>Hello</p><img src="cid:logo">',
    pictures: [{ cid: 'logo', fileName: 'logo.png', contentType: 'image/png', content: Buffer.from('png') }],
    ...changes,
  }
}

function mailerTo(
  t: TestContext,
  server: Pick<MailServer, 'port'>,
  changes: Partial<SmtpServer> = {},
  milliseconds?: number,
) {
  const settings: SmtpServer = {
    host: '127.0.0.1',
    port: server.port,
    isTls: false,
    mustEncrypt: false,
    user: undefined,
    password: undefined,
    fromAddress: 'orders@print.example',
    ...changes,
  }
  const mailer = smtpMailer(settings, milliseconds)
  t.after(mailer.close)
  return mailer
}

test('a mail arrives with text, HTML, its pictures and the headers of mail that nobody wrote by hand', async (t) => {
  const server = await startMailServer(t)
  const sent = outgoing()
  assert.equal((await mailerTo(t, server).send(sent)).outcome, 'sent')
  const [{ from, to, mail, raw }] = server.taken as [(typeof server.taken)[0]]
  assert.deepEqual([from, to], ['orders@print.example', ['dana@whitfield.test']])
  assert.equal(mail.from!.text, '"Whitfield Print" <orders@print.example>')
  assert.deepEqual(mail.replyTo!.value[0]!.address, 'help@whitfield.test')
  assert.equal(mail.messageId, `<${sent.mailId}.1@print.example>`)
  assert.equal(mail.headers.get('auto-submitted'), 'auto-generated')
  assert.equal(mail.date!.toISOString(), '2026-11-22T12:00:00.000Z')
  assert.deepEqual([mail.text, (mail.html as string).trim()], ['Hello\n', sent.html])
  assert.deepEqual(
    mail.attachments.map(({ cid, contentType, content }) => [cid, contentType, content.toString()]),
    [['logo', 'image/png', 'png']],
  )
  assert.match(raw, /multipart\/alternative/)
})

test('a name or subject with line breaks adds no header and no recipient', async (t) => {
  const server = await startMailServer(t)
  const evil = 'Dana\r\nBcc: all@whitfield.test\r\n\r\nSurprise \u2028 <x@y.test>, "other" <z@y.test>'
  assert.equal((await mailerTo(t, server).send(outgoing({ subject: evil, fromName: evil }))).outcome, 'sent')
  const [{ to, mail }] = server.taken as [(typeof server.taken)[0]]
  assert.deepEqual(to, ['dana@whitfield.test'])
  assert.equal(mail.headers.get('bcc'), undefined)
  assert.equal(mail.from!.value.length, 1)
  assert.equal(mail.from!.value[0]!.address, 'orders@print.example')
  assert.match(mail.subject!, /^Dana Bcc: all@whitfield.test Surprise/)
})

test('names and subjects of any script arrive as they are', async (t) => {
  const server = await startMailServer(t)
  const words = 'مطبعة النور – בית דפוס – โรงพิมพ์ – 印刷廠 – 🖨️'
  await mailerTo(t, server).send(outgoing({ subject: words, fromName: words, text: `${words}\n`, html: words }))
  const [{ mail }] = server.taken as [(typeof server.taken)[0]]
  assert.deepEqual([mail.subject, mail.from!.value[0]!.name, mail.text], [words, words, `${words}\n`])
})

test('a refused recipient is the address’s fault, a refused message or a policy is not', async (t) => {
  const server = await startMailServer(t, {
    recipient: (address) =>
      ({
        'gone@whitfield.test': { code: 550, text: '5.1.1 no such mailbox' },
        'policy@whitfield.test': { code: 550, text: '5.7.1 not from you' },
        'grey@whitfield.test': { code: 451, text: '4.7.1 greylisted, come back' },
      })[address],
    message: (mail) => (mail.subject === 'spam' ? { code: 554, text: '5.6.0 looks like spam' } : undefined),
  })
  const mailer = mailerTo(t, server)
  const to = async (changes: Partial<OutgoingMail>) => {
    const { outcome, isOfAddress, answer } = (await mailer.send(outgoing(changes))) as Record<string, unknown>
    return [outcome, isOfAddress, answer]
  }
  assert.deepEqual(await to({ to: 'gone@whitfield.test' }), ['refused', true, '550 5.1.1 no such mailbox'])
  assert.deepEqual(await to({ to: 'policy@whitfield.test' }), ['refused', false, '550 5.7.1 not from you'])
  assert.deepEqual(await to({ to: 'grey@whitfield.test' }), ['delayed', undefined, '451 4.7.1 greylisted, come back'])
  assert.deepEqual(await to({ subject: 'spam' }), ['refused', false, '554 5.6.0 looks like spam'])
  assert.equal((await mailer.send(outgoing())).outcome, 'sent')
})

test('a server that cuts after the message, keeps silent or is not there can be tried again', async (t) => {
  const cutting = await startMailServer(t, { message: () => 'cut' })
  assert.equal((await mailerTo(t, cutting).send(outgoing())).outcome, 'unreachable')
  const silent = await startMailServer(t, { message: () => 'silence' })
  assert.equal((await mailerTo(t, silent, {}, 300).send(outgoing())).outcome, 'unreachable')
  const gone = await startMailServer(t)
  await gone.close()
  assert.equal((await mailerTo(t, gone).send(outgoing())).outcome, 'unreachable')
})

test('mails share a few connections', async (t) => {
  const server = await startMailServer(t)
  const mailer = mailerTo(t, server)
  await Promise.all(Array.from({ length: 20 }, () => mailer.send(outgoing())))
  assert.equal(server.taken.length, 20)
  assert.ok(server.connections <= 4, String(server.connections))
})

test('nothing is sent unencrypted where TLS is required, nor to a server that nobody vouches for', async (t) => {
  const plain = await startMailServer(t)
  assert.notEqual((await mailerTo(t, plain, { mustEncrypt: true }).send(outgoing())).outcome, 'sent')
  // smtp-server brings a certificate that no authority signed.
  const tls = await startMailServer(t, {}, { secure: true, disabledCommands: ['AUTH'] })
  const strict = mailerTo(t, tls, { isTls: true, mustEncrypt: true })
  assert.notEqual((await strict.send(outgoing())).outcome, 'sent')
  const upgrading = await startMailServer(t, {}, { disabledCommands: ['AUTH'] })
  assert.notEqual((await mailerTo(t, upgrading, { mustEncrypt: true }).send(outgoing())).outcome, 'sent')
  assert.deepEqual([plain.taken, tls.taken, upgrading.taken], [[], [], []])
  // On this machine such a certificate is all there is.
  assert.equal((await mailerTo(t, tls, { isTls: true }).send(outgoing())).outcome, 'sent')
  assert.equal((await mailerTo(t, upgrading).send(outgoing())).outcome, 'sent')
  assert.deepEqual([tls.taken[0]!.isEncrypted, upgrading.taken[0]!.isEncrypted], [true, true])
})

test('a refused password is the operator’s fault, and stands in no answer', async (t) => {
  const server = await startMailServer(
    t,
    {},
    {
      secure: true,
      authOptional: false,
      onAuth: (auth, _session, callback) =>
        auth.password === password
          ? callback(null, { user: 'orders' })
          : callback(Object.assign(new Error(`5.7.8 not ${auth.password}`), { responseCode: 535 })),
    },
  )
  const wrong = await mailerTo(t, server, { isTls: true, user: 'orders', password: 'another secret' }).send(outgoing())
  assert.equal(wrong.outcome, 'delayed')
  assert.ok(!JSON.stringify(wrong).includes('another secret'))
  const right = await mailerTo(t, server, { isTls: true, user: 'orders', password }).send(outgoing())
  assert.equal(right.outcome, 'sent')
})

test('a kept mail is a whole message in a file that only its owner can read, until it is forgotten', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kept-mails-'))
  t.after(() => rm(folder, { recursive: true }))
  const kept = keptMails(join(folder, 'mail', 'production'))
  const sent = outgoing()
  const answer = await kept.send(sent)
  assert.ok(answer.outcome === 'kept')
  assert.equal((await stat(answer.file)).mode & 0o777, 0o600)
  const mail = await simpleParser(await readFile(answer.file))
  assert.deepEqual([mail.subject, mail.attachments.length], ['Your order', 1])
  await kept.send(sent)
  await kept.forget([sent.mailId, randomUUID()])
  await assert.rejects(stat(answer.file), { code: 'ENOENT' })
})
