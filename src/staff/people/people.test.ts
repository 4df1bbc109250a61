import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { withToken, type Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { authorizeUrl, newBrowser, newVerifier, signedInTokens, signInOf, submit } from '../../../test/world/sign-in.ts'
import { staffWith } from '../../../test/world/staff.ts'

const world = '/staff/v1/production'

const service = await testService()
const manager = await staffWith(service, ['PARTNER_MANAGER'])

const password = 'a sentence of words'

async function invited() {
  const { partnerId } = service.manifest.partners.primary
  const username = `p${randomUUID().slice(0, 8)}@acme.example`
  const answer = await manager.post(`${world}/partners/${partnerId}/people`, { username, email: username })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return { username, path: `${world}/people/${answer.body.personId}`, ...answer.body }
}

async function setPassword(invitationUrl: string) {
  const browser = newBrowser(service.hosts.baseUrl)
  const page = await browser.open(invitationUrl, { form: { password, again: password } })
  assert.equal(page.status, 200, page.text)
}

async function newcomer() {
  const person = await invited()
  await setPassword(person.invitationUrl)
  const who = { ...signInOf(service, 'primary'), username: person.username, password }
  return { ...person, who }
}

function codeOf({ status, body }: Answer): [number, string] {
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
  assert.equal((await manager.post(`${path}/reset-second-factor`)).status, 200)
  assert.equal((await again.get('/v1/me')).status, 401)
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
  assert.deepEqual(codeOf(unknown), [404, 'partner_not_found'])
  assert.deepEqual(codeOf(await manager.get(`${world}/partners/${nobody}/people`)), [404, 'partner_not_found'])
  assert.deepEqual(codeOf(await manager.post(`${world}/people/${nobody}/disable`)), [404, 'person_not_found'])
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
  assert.deepEqual(codeOf(await manager.post(`${world}/sign-in-clients`, client)), [409, 'client_id_taken'])
  const tokens = await signedInTokens(baseUrl, { ...who, clientId: client.clientId, redirectUri })
  const signedIn = withToken(baseUrl, tokens.access_token)
  assert.equal((await signedIn.get('/v1/me')).status, 200)
  const path = `${world}/sign-in-clients/${client.clientId}/remove`
  assert.equal((await manager.post(path)).status, 200)
  assert.equal((await signedIn.get('/v1/me')).status, 401)
  assert.deepEqual(codeOf(await manager.post(path)), [404, 'sign_in_client_not_found'])
  for (const [wrong, code] of [
    [{ clientId: 'https://x.example' }, 'client_id_not_usable'],
    [{ name: ' ' }, 'client_name_not_usable'],
    [{ redirectUris: [] }, 'redirect_uris_not_usable'],
    [{ redirectUris: ['http://far.example/back'] }, 'redirect_uris_not_usable'],
  ] as const) {
    const answer = await manager.post(`${world}/sign-in-clients`, { ...client, ...wrong })
    assert.deepEqual(codeOf(answer), [422, code])
  }
})
