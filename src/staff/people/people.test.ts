import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { withToken, type Answer } from '../../../test/world/partner.ts'
import { lockWait } from '../../../test/world/lock-waits.ts'
import { testService } from '../../../test/world/service.ts'
import {
  authorizeUrl,
  newBrowser,
  newVerifier,
  signedInTokens,
  signInOf,
  submit,
  type Application,
  type Page,
  type Person,
} from '../../../test/world/sign-in.ts'
import { staffWith } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'
import { endSignIns } from '../../partners/end-sign-ins.ts'
import { codeOf } from '../../partners/second-factor.ts'

const world = '/staff/v1/production'

const service = await testService()
const manager = await staffWith(service, ['PARTNER_MANAGER'])

const password = 'a sentence of words'

async function invited(partnerId = service.manifest.partners.primary.partnerId) {
  const username = `p${randomUUID().slice(0, 8)}@acme.example`
  const answer = await manager.post(`${world}/partners/${partnerId}/people`, { username, email: username })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return { username, partnerId, path: `${world}/people/${answer.body.personId}`, ...answer.body }
}

async function setPassword(invitationUrl: string, chosen = password) {
  const browser = newBrowser(service.hosts.baseUrl)
  const page = await browser.open(invitationUrl, { form: { password: chosen, again: chosen } })
  assert.equal(page.status, 200, page.text)
}

async function newcomer(partnerId?: string) {
  const person = await invited(partnerId)
  await setPassword(person.invitationUrl)
  const who = { ...signInOf(service, 'primary'), username: person.username, password }
  return { ...person, who }
}

function refusal({ status, body }: Answer): [number, string] {
  return [status, body.code]
}

test('SIGN-01 SIGN-02 a person invited by staff sets a password and signs in; once disabled, the next request is refused', async () => {
  const { baseUrl } = service.hosts
  const { path, who } = await newcomer()
  const signedIn = withToken(baseUrl, (await signedInTokens(baseUrl, who)).access_token)
  assert.equal((await signedIn.get('/v1/me')).status, 200)
  const shown = (await manager.get(path)).body
  assert.deepEqual([shown.status, shown.hasSecondFactor, shown.invitationExpiresOn], ['active', false, null])
  assert.ok(shown.lastSignedInOn)

  assert.equal((await manager.post(`${path}/disable`)).body.status, 'disabled')
  assert.equal((await signedIn.get('/v1/me')).status, 401)
  assert.equal((await manager.post(`${path}/enable`)).body.status, 'active')
  // The old tokens stay refused; a new sign-in gives new ones.
  assert.equal((await signedIn.get('/v1/me')).status, 401)
  const again = withToken(baseUrl, (await signedInTokens(baseUrl, who)).access_token)
  assert.equal((await again.get('/v1/me')).status, 200)
  // There is no second factor to reset, so nothing changes and nothing is audited.
  const records = () => auditRecords('person.second_factor_reset', path)
  assert.equal((await manager.post(`${path}/reset-second-factor`)).body.hasSecondFactor, false)
  assert.equal((await again.get('/v1/me')).status, 200)
  assert.deepEqual(await records(), [])
})

async function auditRecords(action: string, personPath: string): Promise<unknown[]> {
  const personId = personPath.split('/').at(-1)!
  return service.production.database.reads.rows(
    sql`select action from audit_record where action = ${action} and detail->>'personId' = ${personId}`,
  )
}

/** A browser in which the person has entered the password; `page` is what it shows next. */
async function afterPassword(who: Person & Application, enteredPassword = who.password) {
  const { baseUrl } = service.hosts
  const browser = newBrowser(baseUrl)
  const first = await browser.follow(authorizeUrl(baseUrl, who, newVerifier().challenge))
  const page = await submit(browser, first, {
    action: 'sign-in',
    username: who.username,
    password: enteredPassword,
  })
  return { browser, page }
}

function keyShown(page: Page): string | undefined {
  return /<code class="secret"[^>]*>([^<]+)</.exec(page.text)?.[1]
}

/** The code that an authenticator app with this key shows, `later` steps of 30 seconds from now. */
function codeFor(key: string, later = 0): string {
  const bits = Array.from(key.replaceAll(' ', ''), (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('')
  const secret = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  return codeOf(secret, Math.floor(Date.now() / 30_000) + later)
}

/** A partner whose people need a second factor, with a person who has set one up. */
async function withSecondFactor() {
  const partner = await otherPartner()
  const person = await newcomer(partner)
  await manager.put(`${world}/partners/${partner}/second-factor`, { required: true })
  const { browser, page } = await afterPassword(person.who)
  const key = keyShown(page)!
  const codes = await submit(browser, page, { action: 'enrol', code: codeFor(key) })
  const consent = await submit(browser, codes, { action: 'continue' })
  assert.match(consent.text, /would like to act for you/)
  return { ...person, key, browser, consent }
}

/** Another partner, with the sites of the first. */
async function otherPartner(): Promise<string> {
  const { siteIds } = service.manifest.partners.primary
  const { partnerId } = (await manager.post(`${world}/partners`, { name: 'Other', machineMethod: 'BEARER' })).body
  assert.equal((await manager.put(`${world}/partners/${partnerId}/sites`, { siteIds })).status, 200)
  const capabilities = ['orders:read', 'sites:read']
  assert.equal((await manager.put(`${world}/partners/${partnerId}/capabilities`, { capabilities })).status, 200)
  return partnerId
}

const ended = /This sign-in has ended/

test('SIGN-01 a half-proven sign-in ends when its person gets another password, another second factor or is disabled', async () => {
  const { path, who, key, browser, consent } = await withSecondFactor()
  const otherPassword = 'another sentence of words'
  const ways: [what: string, way: () => Promise<unknown>][] = [
    ['second factor', () => manager.post(`${path}/reset-second-factor`)],
    [
      'disabling',
      async () => {
        await manager.post(`${path}/disable`)
        await manager.post(`${path}/enable`)
      },
    ],
    [
      'password',
      async () => setPassword((await manager.post(`${path}/invite-again`)).body.invitationUrl, otherPassword),
    ],
  ]
  let atCode = await afterPassword(who)
  assert.match(atCode.page.text, /One more step/)
  for (const [what, way] of ways) {
    await way()
    const sent = await submit(atCode.browser, atCode.page, { action: 'second-factor', code: codeFor(key, 1) })
    assert.match(sent.text, ended, what)
    assert.match((await atCode.browser.follow(atCode.page.url)).text, ended, what)
    if (what !== 'password') atCode = await afterPassword(who)
  }
  // So does one that waits for consent.
  assert.match((await submit(browser, consent, { action: 'allow' })).text, ended)
})

test('SIGN-01 a sign-in with the former password does not overtake the reset of the password', async () => {
  const { path, who } = await newcomer()
  const browser = newBrowser(service.hosts.baseUrl)
  const page = await browser.follow(authorizeUrl(service.hosts.baseUrl, who, newVerifier().challenge))
  const { database } = service.production
  const personId = path.split('/').at(-1)!
  const sent = await database.change(async (tx) => {
    await endSignIns(tx, personId)
    const sending = submit(browser, page, { action: 'sign-in', username: who.username, password })
    await lockWait(database, 'partner_person')
    return { done: { sending } }
  })
  assert.match((await sent.done.sending).text, ended)
})

test('SIGN-01 who knows only a password uses up no codes of the browser in which the person signed in before', async () => {
  const { who, key, browser } = await withSecondFactor()
  const thief = await afterPassword(who)
  const statuses: number[] = []
  for (let turn = 0; turn < 7; turn++) {
    statuses.push((await submit(thief.browser, thief.page, { action: 'second-factor', code: '000000' })).status)
  }
  assert.deepEqual(statuses.slice(5), [401, 429])
  const asked = authorizeUrl(service.hosts.baseUrl, who, newVerifier().challenge, { prompt: 'login' })
  const page = await submit(browser, await browser.follow(asked), {
    action: 'sign-in',
    username: who.username,
    password,
  })
  const sent = await submit(browser, page, { action: 'second-factor', code: codeFor(key, 1) })
  assert.match(sent.text, /would like to act for you/)
})

test('SIGN-01 an invited person cannot choose a password that many people use', async () => {
  const { invitationUrl } = await invited()
  const browser = newBrowser(service.hosts.baseUrl)
  const choose = (chosen: string) => browser.open(invitationUrl, { form: { password: chosen, again: chosen } })
  for (const common of ['JustinBieber', 'password1234', 'Passw0rd!Passw0rd!', 'abcdefghijklm']) {
    const { status, text } = await choose(common)
    assert.equal(status, 400, common)
    assert.match(text, /not a password that many people use/)
  }
  assert.equal((await choose(password)).status, 200)
})

test('SIGN-01 the key of an authenticator app is made for one sign-in and shown once', async () => {
  const partner = await otherPartner()
  const { who } = await newcomer(partner)
  await manager.put(`${world}/partners/${partner}/second-factor`, { required: true })
  const first = await afterPassword(who)
  const second = await afterPassword(who)
  const [key, otherKey] = [keyShown(first.page)!, keyShown(second.page)!]
  assert.notEqual(key, otherKey)
  // Neither a reload nor a wrong code shows it again, but the code of the key still counts.
  const reloaded = await first.browser.follow(first.page.url)
  const wrong = await submit(first.browser, reloaded, { action: 'enrol', code: '000000' })
  assert.deepEqual([wrong.status, keyShown(reloaded), keyShown(wrong)], [401, undefined, undefined])
  assert.equal((await submit(first.browser, wrong, { action: 'enrol', code: codeFor(otherKey) })).status, 401)
  // Who lost it gets a new one, and the first counts no more.
  const renewed = await submit(first.browser, wrong, { action: 'new-key' })
  assert.notEqual(keyShown(renewed), key)
  assert.equal((await submit(first.browser, renewed, { action: 'enrol', code: codeFor(key) })).status, 401)
  const codes = await submit(first.browser, renewed, { action: 'enrol', code: codeFor(keyShown(renewed)!) })
  assert.match(codes.text, /recovery codes/)
  // The other sign-in cannot set up a second one.
  assert.match((await submit(second.browser, second.page, { action: 'enrol', code: codeFor(otherKey) })).text, ended)
})

test('SIGN-01 requiring a second factor ends the sign-ins of people without one, and of nobody else', async () => {
  const { baseUrl } = service.hosts
  const { partnerId, browser, consent, who, key } = await withSecondFactor()
  await manager.put(`${world}/partners/${partnerId}/second-factor`, { required: false })
  const without = await newcomer(partnerId)
  const elsewhere = await newcomer()
  const tokens = await Promise.all(
    [without, elsewhere].map(async (person) => (await signedInTokens(baseUrl, person.who)).access_token),
  )
  const waiting = await afterPassword(without.who)
  const statuses = () =>
    Promise.all(tokens.map(async (token) => (await withToken(baseUrl, token).get('/v1/me')).status))
  assert.deepEqual(await statuses(), [200, 200])
  await manager.put(`${world}/partners/${partnerId}/second-factor`, { required: true })
  assert.deepEqual(await statuses(), [401, 200])
  assert.match((await submit(waiting.browser, waiting.page, { action: 'allow' })).text, ended)
  const back = await submit(browser, consent, { action: 'allow' })
  assert.ok(new URL(back.url).searchParams.get('code'))
  assert.match((await afterPassword(who)).page.text, /One more step/)
  assert.ok(key)
})

test('a link leads to the environment to which the person is invited', async () => {
  const { sandboxBaseUrl, baseUrl } = service.hosts
  assert.ok((await invited()).invitationUrl.startsWith(`${baseUrl}/`))
  const { partnerId } = service.manifest.partners.sandbox
  const at = `/staff/v1/sandbox/partners/${partnerId}/people`
  const { body } = await manager.post(at, { username: 'tester@acme.example' })
  assert.ok(body.invitationUrl.startsWith(`${sandboxBaseUrl}/`))
  assert.match((await newBrowser(sandboxBaseUrl).follow(body.invitationUrl)).text, /tester@acme.example/)
})

test('the link of an invitation is shown once and ends when another is made; no secret can be read again', async () => {
  const { partnerId } = service.manifest.partners.primary
  const first = await invited()
  const second = (await manager.post(`${first.path}/invite-again`)).body
  assert.notEqual(second.invitationUrl, first.invitationUrl)
  const browser = newBrowser(service.hosts.baseUrl)
  assert.match((await browser.follow(first.invitationUrl)).text, /cannot be used/)
  await setPassword(second.invitationUrl)
  const token = new URL(second.invitationUrl).pathname.split('/').at(-1)!
  const everything = [
    await manager.get(first.path),
    await manager.get(`${world}/partners/${partnerId}/people?limit=200`),
    await (await staffWith(service, ['ADMIN'])).get(`${world}/audit-records?limit=200`),
  ]
  for (const { body } of everything) {
    for (const secret of [token, password, 'scrypt', 'hash']) assert.ok(!JSON.stringify(body).includes(secret), secret)
  }
  assert.ok(!service.logLines.join('').includes(token))
})

test('a partner’s people need a second factor from when staff say so', async () => {
  const { partnerId } = service.manifest.partners.primary
  const { who } = await newcomer()
  const rule = `${world}/partners/${partnerId}/second-factor`
  const { baseUrl } = service.hosts
  const pageAfterPassword = async () => {
    const browser = newBrowser(baseUrl)
    const page = await browser.follow(authorizeUrl(baseUrl, who, newVerifier().challenge))
    return (await submit(browser, page, { action: 'sign-in', username: who.username, password })).text
  }
  assert.match(await pageAfterPassword(), /would like to act for you/)
  assert.deepEqual((await manager.put(rule, { required: true })).body, { required: true })
  assert.equal((await manager.get(`${world}/partners/${partnerId}`)).body.secondFactorRequired, true)
  assert.doesNotMatch(await pageAfterPassword(), /would like to act for you/)
  await manager.put(rule, { required: false })
  assert.match(await pageAfterPassword(), /would like to act for you/)
})

test('people are listed by username in pages, and an invalid invitation is refused', async () => {
  const created = await manager.post(`${world}/partners`, { name: 'Crowded', machineMethod: 'BEARER' })
  const at = `${world}/partners/${created.body.partnerId}/people`
  const names = ['a-1', 'a.1', 'b_2', 'c@3'].map((name) => `${name}.${created.body.partnerId.slice(0, 8)}`)
  for (const username of names) assert.equal((await manager.post(at, { username })).status, 201)
  const listed: string[] = []
  let cursor: string | null = null
  do {
    const { body }: Answer = await manager.get(`${at}?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`)
    listed.push(...body.people.map(({ username }: { username: string }) => username))
    cursor = body.nextCursor
  } while (cursor !== null)
  assert.deepEqual(listed, names)
  for (const [body, code] of [
    [{ username: names[0]!.toUpperCase() }, 'username_taken'],
    [{ username: 'ü' }, 'person_username_not_usable'],
    [{ username: 'fine', email: 'nowhere' }, 'email_not_usable'],
  ] as const) {
    assert.equal((await manager.post(at, body)).body.code, code)
  }
  const nobody = '00000000-0000-4000-8000-000000000000'
  const unknown = await manager.post(`${world}/partners/${nobody}/people`, { username: 'fine' })
  assert.deepEqual(refusal(unknown), [404, 'partner_not_found'])
  assert.deepEqual(refusal(await manager.get(`${world}/partners/${nobody}/people`)), [404, 'partner_not_found'])
  assert.deepEqual(refusal(await manager.post(`${world}/people/${nobody}/disable`)), [404, 'person_not_found'])
})

test('SIGN-01 people sign in with an application that staff register; its removal signs everyone out', async () => {
  const { baseUrl } = service.hosts
  const { who } = await newcomer()
  const redirectUri = 'https://desk.example/back'
  const client = { clientId: `desk-${randomUUID()}`, name: ' Desk ', redirectUris: [redirectUri] }
  const registered = await manager.post(`${world}/sign-in-clients`, client)
  assert.deepEqual([registered.status, registered.body.name, registered.body.isNative], [201, 'Desk', false])
  const listed = (await manager.get(`${world}/sign-in-clients`)).body.clients
  assert.deepEqual(
    listed.filter(({ clientId }: { clientId: string }) => clientId === client.clientId),
    [registered.body],
  )
  assert.deepEqual(refusal(await manager.post(`${world}/sign-in-clients`, client)), [409, 'client_id_taken'])
  const tokens = await signedInTokens(baseUrl, { ...who, clientId: client.clientId, redirectUri })
  const signedIn = withToken(baseUrl, tokens.access_token)
  assert.equal((await signedIn.get('/v1/me')).status, 200)
  const path = `${world}/sign-in-clients/${client.clientId}/remove`
  assert.equal((await manager.post(path)).status, 200)
  assert.equal((await signedIn.get('/v1/me')).status, 401)
  assert.deepEqual(refusal(await manager.post(path)), [404, 'sign_in_client_not_found'])
  for (const [wrong, code] of [
    [{ clientId: 'https://x.example' }, 'client_id_not_usable'],
    [{ name: ' ' }, 'client_name_not_usable'],
    [{ redirectUris: [] }, 'redirect_uris_not_usable'],
    [{ redirectUris: ['http://far.example/back'] }, 'redirect_uris_not_usable'],
  ] as const) {
    const answer = await manager.post(`${world}/sign-in-clients`, { ...client, ...wrong })
    assert.deepEqual(refusal(answer), [422, code])
  }
})
