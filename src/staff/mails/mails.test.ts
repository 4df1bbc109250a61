import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { simpleParser, type ParsedMail } from 'mailparser'
import { orderBuilder, shipTo } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { advanceTo, byStaff, placed, publishProof } from '../../../test/world/production.ts'
import { newBrowser } from '../../../test/world/sign-in.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { until } from '../../../test/world/webhooks.ts'
import { sql } from '../../database/sql.ts'
import { ship } from '../../platform/shipments/ship.ts'

const world = '/staff/v1/production'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const siteMails = `${world}/sites/${service.manifest.sites.main}/mails`
const usual = { orderConfirmation: 'OWN_ORDERS', proofWaiting: 'OWN_ORDERS', shipmentShipped: 'ALL_ORDERS' }

type Shown = { mailId: string; kind: string; status: string; to: string; subject: string; text: string; html: string }

/** The mails that match, once all of them have ended. */
async function ended(query: string, count: number, at = world): Promise<Shown[]> {
  let found: Shown[] = []
  await until(async () => {
    found = (await admin.get(`${at}/mails?${query}`)).body.mails
    return found.length >= count && found.every(({ status }) => status !== 'QUEUED')
  })
  assert.equal(found.length, count)
  return Promise.all(found.map(async ({ mailId }) => (await admin.get(`${at}/mails/${mailId}`)).body))
}

async function fileOf({ mailId }: Shown, environment = 'production'): Promise<ParsedMail> {
  return simpleParser(await readFile(join(service.dataDir, 'mail', environment, `${mailId}.eml`)))
}

async function shipAll(
  orderNumber: number,
  packages = [{ trackingNumber: '1Z999', trackingUrl: 'https://carrier.example.com/1Z999', weightOunces: null }],
) {
  const { body } = await admin.get(`${world}/orders/${orderNumber}`)
  const shipped = await byStaff(service.production.database, ship, orderNumber, body.shipments[0].shipmentNumber, {
    packages,
  })
  assert.ok('done' in shipped, JSON.stringify(shipped))
}

test('the address in shipTo.email is told that the goods have left, without prices', async () => {
  const to = `Receiver.${randomUUID()}@whitfield.test`
  const { orderNumber, lines } = await placed(primary, build.order({ shipTo: { ...shipTo, email: to } }))
  await advanceTo(service, lines[0]!, 'PACKING')
  await shipAll(orderNumber)
  const [mail] = await ended(`orderNumber=${orderNumber}`, 1)
  assert.deepEqual([mail!.kind, mail!.status, mail!.to], ['shipment_shipped', 'KEPT', to])
  assert.match(mail!.text, /on their way to you/)
  assert.match(mail!.text, /1Z999/)
  assert.match(mail!.text, /https:\/\/carrier\.example\.com\/1Z999/)
  assert.match(mail!.text, /Dana Reyes/)
  assert.doesNotMatch(mail!.text + mail!.html, /\$/)
  const file = await fileOf(mail!)
  assert.deepEqual([file.subject, file.text!.trim()], [mail!.subject, mail!.text.trim()])
  // The list finds it by its address in any case.
  assert.equal((await admin.get(`${world}/mails?to=${to.toUpperCase()}`)).body.mails.length, 1)
  assert.equal((await admin.get(`${world}/mails?to=${to}&status=SENT`)).body.mails.length, 0)
})

test('an order without an address for ship notifications, or of a site that sends none, tells nobody', async () => {
  const silent = await placed(primary, build.order())
  await advanceTo(service, silent.lines[0]!, 'PACKING')
  await shipAll(silent.orderNumber)
  await admin.put(siteMails, { ...usual, shipmentShipped: 'OWN_ORDERS' })
  const ofPartner = await placed(primary, build.order({ shipTo: { ...shipTo, email: 'dana@whitfield.test' } }))
  await advanceTo(service, ofPartner.lines[0]!, 'PACKING')
  await shipAll(ofPartner.orderNumber)
  await admin.put(siteMails, usual)
  const numbers = [silent.orderNumber, ofPartner.orderNumber]
  const { rows } = service.production.database.statements
  assert.deepEqual(await rows(sql`select kind from mail where order_number = any(${numbers}::bigint[])`), [])
})

test('an order of a partner is confirmed only where the site says so, with lines and amounts', async () => {
  const before = await placed(primary, build.order())
  await admin.put(siteMails, { ...usual, orderConfirmation: 'ALL_ORDERS' })
  const lines = [build.podLine({ jobName: 'Cards for <b>بسام</b> & Søn' }), build.stockLine()]
  const after = await placed(primary, build.order({ lines }))
  await admin.put(siteMails, usual)
  const [mail] = await ended(`orderNumber=${after.orderNumber}`, 1)
  assert.equal(mail!.kind, 'order_confirmation')
  const { totalPrice } = (await primary.get(`/v1/orders/${after.orderNumber}`)).body
  assert.match(mail!.text, new RegExp(`Total: \\$${totalPrice.replace(/\B(?=(\d{3})+\.)/g, ',')}`))
  assert.match(mail!.text, /Cards for <b>بسام<\/b> & Søn/)
  assert.match(mail!.html, /Cards for &lt;b&gt;بسام&lt;\/b&gt; &amp; Søn/)
  assert.deepEqual((await admin.get(`${world}/mails?orderNumber=${before.orderNumber}`)).body.mails, [])
})

test('a proof that waits is shown to the customer, with its picture and a link that works', async () => {
  await admin.put(siteMails, { ...usual, proofWaiting: 'ALL_ORDERS' })
  const { orderNumber, lines } = await placed(primary, build.order())
  await publishProof(service, lines[0]!)
  await admin.put(siteMails, usual)
  const [mail] = await ended(`orderNumber=${orderNumber}`, 1)
  assert.equal(mail!.kind, 'proof_waiting')
  const file = await fileOf(mail!)
  const picture = file.attachments.find(({ cid }) => cid === 'proof')!
  assert.equal(picture.content.subarray(1, 4).toString(), 'PNG')
  const link = /^(http:\S+)$/m.exec(mail!.text)![1]!
  const opened = await fetch(link)
  assert.equal(opened.headers.get('content-type'), 'application/pdf')
  assert.equal(new URL(link).searchParams.get('X-Amz-Expires'), String(7 * 86_400))
  // Once it is decided, there is nothing to send again.
  await admin.post(`${world}/orders/${orderNumber}/lines/1/proof/approve`, { comment: 'By telephone' })
  assert.equal((await admin.post(`${world}/mails/${mail!.mailId}/send-again`)).status, 200)
  const [again] = await ended(`orderNumber=${orderNumber}`, 1)
  assert.deepEqual([again!.status, (again as unknown as { reason: string }).reason], ['FAILED', 'nothing_to_tell'])
})

test('an invited person gets the link by mail; staff see the mail without it', async () => {
  const { partnerId } = service.manifest.partners.primary
  const username = `kim.${randomUUID().slice(0, 8)}@acme.example`
  const { body } = await admin.post(`${world}/partners/${partnerId}/people`, { username })
  const [mail] = await ended(`to=${username}`, 1)
  const token = new URL(body.invitationUrl).pathname.split('/').at(-1)!
  for (const shown of [mail!.text, mail!.html, service.logLines.join('')]) assert.ok(!shown.includes(token))
  const { statements } = service.production.database
  const stored = await statements.rows(sql`select mail::text as row from mail where mail_id = ${mail!.mailId}`)
  assert.ok(!JSON.stringify(stored).includes(token))
  const file = await fileOf(mail!)
  assert.ok(file.text!.includes(body.invitationUrl))
  assert.equal((await stat(join(service.dataDir, 'mail', 'production', `${mail!.mailId}.eml`))).mode & 0o777, 0o600)
  assert.match((await newBrowser(service.hosts.baseUrl).follow(body.invitationUrl)).text, new RegExp(username))
  assert.ok(service.logLines.some((line) => line.includes('kept a mail as a file') && line.includes(mail!.mailId)))
  const refused = await admin.post(`${world}/mails/${mail!.mailId}/send-again`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'mail_not_repeatable'])
})

test('a person without an address gets no mail, and mails of the sandbox say that they are', async () => {
  const { partnerId } = service.manifest.partners.sandbox
  const at = '/staff/v1/sandbox'
  const named = `p${randomUUID().slice(0, 8)}`
  await admin.post(`${at}/partners/${partnerId}/people`, { username: named })
  const email = `${named}@acme.example`
  await admin.post(`${at}/partners/${partnerId}/people`, { username: `${named}.two`, email })
  const [mail] = await ended(`to=${email}`, 1, at)
  assert.equal(mail!.status, 'KEPT')
  assert.match(mail!.subject, /^\[Sandbox\] /)
  const { rows } = service.sandbox.database.statements
  assert.deepEqual(await rows(sql`select recipient from mail where recipient like ${`${named}%`}`), [
    { recipient: email },
  ])
})

test('nothing is written to the outbox by a change that is rolled back', async () => {
  const { partnerId } = service.manifest.partners.primary
  const username = `taken.${randomUUID().slice(0, 8)}@acme.example`
  await admin.post(`${world}/partners/${partnerId}/people`, { username })
  const again = await admin.post(`${world}/partners/${partnerId}/people`, { username })
  assert.equal(again.body.code, 'username_taken')
  const { orderNumber } = await placed(primary, build.order({ shipTo: { ...shipTo, email: 'early@whitfield.test' } }))
  const { body } = await admin.get(`${world}/orders/${orderNumber}`)
  const packages = [{ trackingNumber: null, weightOunces: null }]
  const refused = await admin.post(
    `${world}/orders/${orderNumber}/shipments/${body.shipments[0].shipmentNumber}/ship`,
    {
      packages,
    },
  )
  assert.equal(refused.body.code, 'line_not_packed')
  await ended(`to=${username}`, 1)
  assert.deepEqual((await admin.get(`${world}/mails?orderNumber=${orderNumber}`)).body.mails, [])
})

test('mails come in pages, newest first, by every filter', async () => {
  const { statements } = service.production.database
  await statements.rows(sql`
    insert into mail (mail_id, kind, recipient, order_number, status, gives_up_on, created_on)
    select gen_random_uuid(), 'order_confirmation', 'pages@whitfield.test', 77, 'FAILED', now(),
      '2031-01-01'::timestamptz + make_interval(mins => turn / 2)
    from generate_series(1, 7) as turn`)
  for (const filter of [
    'to=pages@whitfield.test',
    'orderNumber=77',
    'status=FAILED&since=2031-01-01',
    'kind=order_confirmation&since=2031-01-01',
  ]) {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await admin.get(`${world}/mails?${filter}&limit=3${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.mails.map(({ mailId }: Shown) => mailId))
      cursor = body.nextCursor
    }
    assert.equal(new Set(seen).size, 7, filter)
    assert.equal(seen.length, 7, filter)
  }
})

test('who works in the plant reads mails and sends none', async () => {
  const operations = await staffWith(service, ['OPERATIONS'])
  assert.equal((await operations.get(`${world}/mails?limit=1`)).status, 200)
  const body = { email: 'a@whitfield.test', reason: 'It bounced.' }
  assert.equal((await operations.post(`${world}/bounced-addresses`, body)).status, 403)
  const wrong = await admin.post(`${world}/bounced-addresses`, { ...body, email: 'no address' })
  assert.deepEqual([wrong.status, wrong.body.code], [422, 'email_not_usable'])
})
