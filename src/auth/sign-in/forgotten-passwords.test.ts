import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { simpleParser } from 'mailparser'
import { withToken } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { authorizeUrl, newBrowser, newVerifier, signedInTokens, signInOf, submit } from '../../../test/world/sign-in.ts'
import { staff } from '../../../test/world/staff.ts'
import { until } from '../../../test/world/webhooks.ts'
import { sql } from '../../database/sql.ts'

const service = await testService({ variables: { TRUSTED_PROXIES: '127.0.0.1' } })
const admin = await staff(service)
const { baseUrl } = service.hosts
const world = '/staff/v1/production'
const first = 'a sentence of words'
const second = 'quite another sentence'

/** A person with a password. */
async function newcomer() {
  const username = `p${randomUUID().slice(0, 8)}@acme.example`
  const { partnerId } = service.manifest.partners.primary
  const { body } = await admin.post(`${world}/partners/${partnerId}/people`, { username })
  await newBrowser(baseUrl).open(body.invitationUrl, { form: { password: first, again: first } })
  return {
    username,
    personId: body.personId as string,
    who: { ...signInOf(service, 'primary'), username, password: first },
  }
}

function ask(username: string, address = '198.51.100.7') {
  const headers = { 'x-forwarded-for': address }
  return newBrowser(baseUrl).open(`${baseUrl}/oauth2/forgotten-password`, { form: { username }, headers })
}

async function mailsTo(username: string, kind: string): Promise<{ mailId: string; status: string; text: string }[]> {
  return (await admin.get(`${world}/mails?to=${username}&kind=${kind}`)).body.mails
}

/** The link in the newest of `count` mails to this person. */
async function linkTo(username: string, count = 1): Promise<string> {
  await until(async () => {
    const mails = await mailsTo(username, 'password_reset')
    return mails.length === count && mails.every(({ status }) => status !== 'QUEUED')
  })
  const [{ mailId }] = (await mailsTo(username, 'password_reset')) as unknown as [{ mailId: string }]
  const { text } = await simpleParser(await readFile(join(service.dataDir, 'mail', 'production', `${mailId}.eml`)))
  return /^http\S+reset-password\S+$/m.exec(text!)![0]
}

function choose(link: string, password = second) {
  return newBrowser(baseUrl).open(link, { form: { password, again: password } })
}

test('SIGN-01 a person who forgot the password sets another by a link that works once, and every sign-in ends', async () => {
  const { username, who } = await newcomer()
  const signedIn = withToken(baseUrl, (await signedInTokens(baseUrl, who)).access_token)
  const asking = newBrowser(baseUrl)
  const page = await asking.follow(authorizeUrl(baseUrl, who, newVerifier().challenge))
  assert.match(page.text, /<a href="\.\.\/forgotten-password">/)
  assert.match((await asking.open(`${baseUrl}/oauth2/forgotten-password`)).text, /Enter your username/)
  assert.match((await ask(` ${username.toUpperCase()} `)).text, /is on its way/)
  const link = await linkTo(username)
  // Asking ends nothing, and neither does a look at the page.
  assert.equal((await signedIn.get('/v1/me')).status, 200)
  assert.match((await newBrowser(baseUrl).open(link)).text, new RegExp(`Choose a new password[\\s\\S]*${username}`))
  assert.equal((await choose(link, 'password1234')).status, 400)
  assert.equal((await choose(link)).status, 200)
  assert.equal((await signedIn.get('/v1/me')).status, 401)
  assert.equal((await choose(link, 'a third sentence of words')).status, 404)
  const again = withToken(baseUrl, (await signedInTokens(baseUrl, { ...who, password: second })).access_token)
  assert.equal((await again.get('/v1/me')).status, 200)
  // The person learns of it, and staff never see the link.
  await until(async () => (await mailsTo(username, 'password_changed')).some(({ status }) => status === 'KEPT'))
  const token = link.split('/').at(-1)!
  const [{ mailId }] = (await mailsTo(username, 'password_reset')) as unknown as [{ mailId: string }]
  const shown = JSON.stringify((await admin.get(`${world}/mails/${mailId}`)).body)
  for (const text of [shown, service.logLines.join('')]) assert.ok(!text.includes(token))
})

test('SIGN-01 a second factor stays when the password is reset', async () => {
  const { username, personId, who } = await newcomer()
  await service.production.database.statements.rows(sql`
    update partner_person set second_factor = ${Buffer.from('sealed')} where person_id = ${personId}`)
  await ask(username)
  assert.equal((await choose(await linkTo(username))).status, 200)
  const browser = newBrowser(baseUrl)
  const page = await browser.follow(authorizeUrl(baseUrl, who, newVerifier().challenge))
  const next = await submit(browser, page, { action: 'sign-in', username, password: second })
  assert.match(next.text, /One more step/)
})

test('SIGN-01 the page says the same of every name, and sends nothing to who has no password or is disabled', async () => {
  const known = await newcomer()
  const disabled = await newcomer()
  await admin.post(`${world}/people/${disabled.personId}/disable`)
  const invited = `i${randomUUID().slice(0, 8)}@acme.example`
  const { partnerId } = service.manifest.partners.primary
  await admin.post(`${world}/partners/${partnerId}/people`, { username: invited })
  const answers = []
  for (const name of [known.username, disabled.username, invited, 'nobody@acme.example', "'; drop table x --"]) {
    const { status, text, headers } = await ask(name)
    answers.push(JSON.stringify([status, text, [...headers.keys()]]))
  }
  assert.equal(new Set(answers).size, 1)
  await linkTo(known.username)
  for (const name of [disabled.username, invited]) assert.deepEqual(await mailsTo(name, 'password_reset'), [])
})

test('SIGN-01 every link ends with the first that is used, or after an hour, and a disabled person’s is none', async () => {
  const { username, personId } = await newcomer()
  await ask(username)
  const oldest = await linkTo(username)
  await ask(username)
  const older = await linkTo(username, 2)
  const both = await Promise.all([choose(oldest), choose(oldest, 'a third sentence of words')])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 404])
  assert.equal((await choose(older)).status, 404)
  await ask(username)
  const newer = await linkTo(username, 3)
  const { statements } = service.production.database
  await admin.post(`${world}/people/${personId}/disable`)
  assert.equal((await choose(newer)).status, 404)
  await admin.post(`${world}/people/${personId}/enable`)
  const [{ left }] = (await statements.rows(sql`
    select extract(epoch from expires_on - now())::int as left from password_reset_link where person_id = ${personId}`)) as [
    { left: number },
  ]
  assert.ok(left > 3_000 && left <= 3_600, String(left))
  await service.owner.production.statements.rows(
    sql`update password_reset_link set expires_on = now() where person_id = ${personId}`,
  )
  assert.equal((await choose(newer)).status, 404)
  // The token of an invitation is none for a reset, and the other way about.
  assert.equal((await choose(newer.replace('reset-password', 'invitation'))).status, 404)
})

test('SIGN-01 whoever asks for another’s name stops neither their sign-in, nor their asking, nor a link that they have', async () => {
  const { username, who } = await newcomer()
  await ask(username)
  const own = await linkTo(username)
  for (let turn = 0; turn < 5; turn++) await ask(username, '203.0.113.1')
  await linkTo(username, 4)
  // The person signs in with the password, or asks again elsewhere, or uses the first link.
  await signedInTokens(baseUrl, who)
  await ask(username)
  await linkTo(username, 5)
  assert.equal((await choose(own)).status, 200)
  await signedInTokens(baseUrl, { ...who, password: second })
})

test('SIGN-01 nobody fills a mailbox from many networks either', async () => {
  const { username } = await newcomer()
  for (let network = 1; network <= 6; network++) {
    for (let turn = 0; turn < 3; turn++) assert.equal((await ask(username, `203.0.113.${network}`)).status, 200)
  }
  await linkTo(username, 12)
})

test('SIGN-01 nobody fills a mailbox: three links in a quarter of an hour, and then nothing that is told', async () => {
  const { username } = await newcomer()
  const answers = []
  for (let turn = 0; turn < 5; turn++) answers.push((await ask(username)).status)
  assert.deepEqual(answers, [200, 200, 200, 200, 200])
  await linkTo(username, 3)
  const { statements } = service.production.database
  await statements.rows(sql`delete from sign_in_attempts`)
  const statuses = []
  for (let turn = 0; turn < 21; turn++) statuses.push((await ask(`n${turn}@acme.example`)).status)
  assert.deepEqual(statuses.slice(18), [200, 200, 429])
  await statements.rows(sql`delete from sign_in_attempts`)
})

test('a form of a foreign page asks for nothing', async () => {
  const { username } = await newcomer()
  const sent = await newBrowser(baseUrl).open(`${baseUrl}/oauth2/forgotten-password`, {
    form: { username },
    headers: { origin: 'https://evil.example' },
  })
  assert.equal(sent.status, 403)
  assert.deepEqual(await mailsTo(username, 'password_reset'), [])
})
