import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from '../../src/database/sql.ts'
import { keyRing, type MasterKeys } from '../../src/vocabulary/keys.ts'
import { seal, unseal } from '../../src/vocabulary/seal.ts'
import { openLink, queueMails } from '../../src/platform/mail/queue-mails.ts'
import { readInvoice } from '../../src/platform/paperwork/invoices.ts'
import { isRecoveryCode, sealRecoveryCode } from '../../src/partners/second-factor.ts'
import { asService, freshDatabase, type FreshDatabase } from '../world/database.ts'
import { testMasterKey } from '../world/master-key.ts'
import { orderBuilder, shipTo } from '../world/order-builder.ts'
import { send, token, withToken } from '../world/partner.ts'
import { placed } from '../world/production.ts'
import { startTestService, type TestService } from '../world/service.ts'
import { askToken, authorizeUrl, newBrowser, newVerifier, signedInTokens, signInOf } from '../world/sign-in.ts'
import { sendStaff } from '../world/staff.ts'

/** A master key is replaced while partners, people and staff go on (docs/keys.md). */
const keyA = testMasterKey
const keyB = Buffer.alloc(32, 'the next key')
const keyC = Buffer.alloc(32, 'a strange key')

let databases: { production: FreshDatabase; sandbox: FreshDatabase }
let dataDir: string
let ports: Record<string, string> = {}

before(async () => {
  const [production, sandbox] = [await freshDatabase('template_production'), await freshDatabase('template_sandbox')]
  databases = { production, sandbox }
  dataDir = await mkdtemp(join(tmpdir(), 'partner-commerce-keys-'))
})
after(async () => {
  for (const service of running) await service.close()
  await Promise.all([databases.production.drop(), databases.sandbox.drop()])
  await rm(dataDir, { recursive: true })
})

const list = (keys: MasterKeys): string => keys.map((key) => key.toString('hex')).join()

const running = new Set<TestService>()

async function start(keys: MasterKeys, variables: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService({
    databases: { production: databases.production.url, sandbox: databases.sandbox.url },
    variables: { SECRET_KEY: '', SECRET_KEYS: list(keys), DATA_DIR: dataDir, ...variables },
  })
  running.add(service)
  return service
}

async function stop(service: TestService): Promise<void> {
  running.delete(service)
  await service.close()
}

/** The command of the operator, with these keys. */
async function keysCommand(keys: MasterKeys, variables: Record<string, string> = {}): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    SECRET_KEYS: list(keys),
    DATA_DIR: dataDir,
    DATABASE_URL: asService(databases.production.url),
    SANDBOX_DATABASE_URL: asService(databases.sandbox.url),
    ...variables,
  }
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'keys'], { env })
  return stdout
}

function get(service: TestService, path: string, bearer: string) {
  return send(service.hosts.baseUrl, 'GET', path, undefined, { authorization: `Bearer ${bearer}` })
}

/** What somebody has in hand while the key changes. */
type Held = Awaited<ReturnType<typeof takeAll>>

async function takeAll(service: TestService) {
  const { baseUrl, consoleUrl } = service.hosts
  const client = service.manifest.partners.primary.clients![0]!
  const bearer = await token(baseUrl, client)
  const page = await get(service, '/v1/products?limit=2', bearer)
  const person = signInOf(service, 'primary')
  const signedIn = await signedInTokens(baseUrl, person)
  const browser = newBrowser(baseUrl)
  const asked = authorizeUrl(baseUrl, person, newVerifier().challenge)
  const signInPage = await browser.follow(asked)

  const session = await sendStaff(consoleUrl, 'POST', '/staff/v1/session', service.manifest.staff)
  const staff = {
    cookie: session.headers.get('set-cookie')!.split(';')[0]!,
    'x-csrf-token': session.body.session.csrfToken as string,
  }
  const partnerPath = `/staff/v1/production/partners/${service.manifest.partners.primary.partnerId}`
  const invited = await sendStaff(
    consoleUrl,
    'POST',
    `${partnerPath}/people`,
    { username: `invited-${randomUUID()}@example.com`, email: 'invited@example.com' },
    staff,
  )
  assert.equal(invited.status, 201, JSON.stringify(invited.body))
  const store = service.production.objectStore
  const upload = await store.presignPut(`held/${randomUUID()}`, {
    contentType: null,
    lifetimeSeconds: 3_600,
    now: new Date(),
  })
  return {
    client,
    bearer,
    cursor: page.body.nextCursor as string,
    person,
    access: signedIn.access_token,
    refresh: signedIn.refresh_token,
    browser,
    signInPage,
    staff,
    partnerPath,
    invitationUrl: invited.body.invitationUrl as string,
    upload,
  }
}

async function assertAllWorks(service: TestService, held: Held): Promise<void> {
  const { baseUrl, consoleUrl } = service.hosts
  assert.equal((await get(service, '/v1/me', held.bearer)).status, 200, 'the access token of a program')
  const page = await get(service, `/v1/products?limit=2&cursor=${held.cursor}`, held.bearer)
  assert.equal(page.status, 200, `the cursor: ${JSON.stringify(page.body)}`)
  assert.equal((await get(service, '/v1/me', held.access)).status, 200, 'the access token of a person')
  const renewed = await askToken(baseUrl, {
    grant_type: 'refresh_token',
    refresh_token: held.refresh,
    client_id: held.person.clientId,
  })
  assert.equal(renewed.status, 200, `the refresh token: ${JSON.stringify(renewed.body)}`)
  held.refresh = renewed.body.refresh_token
  assert.equal((await get(service, '/v1/me', renewed.body.access_token)).status, 200, 'the renewed token')
  const again = await held.browser.open(held.signInPage.url)
  assert.match(again.text, /name="password"/, 'a sign-in under way')
  const asStaff = { ...held.staff, origin: consoleUrl }
  const change = await sendStaff(consoleUrl, 'PUT', `${held.partnerPath}/tier`, { tier: 'ENTERPRISE' }, asStaff)
  assert.equal(
    change.status,
    200,
    `the session of staff, and its token against forgery: ${JSON.stringify(change.body)}`,
  )
  const invitation = await fetch(held.invitationUrl)
  assert.match(await invitation.text(), /name="password"/, 'the link of an invitation')
  const put = await fetch(held.upload.url, { method: 'PUT', body: 'bytes', headers: { 'if-none-match': '*' } })
  assert.ok(put.status === 200 || put.status === 412, `the link of an upload: ${put.status}`)
  assert.ok(await token(baseUrl, held.client), 'the secret of a client')
}

const personId = randomUUID()

/** A mail with a link that waits to be sent, since its time has not come. */
async function waitingMail(service: TestService, link: string): Promise<string> {
  return service.owner.production.transaction(async (tx) => {
    const to = `waits-${randomUUID()}@example.com`
    const about = { personId, expiresOn: new Date().toISOString() }
    const secret = { token: link, linkKeys: keyRing([keyA], 'PRODUCTION', 'link') }
    await queueMails(tx, new Date(), [{ kind: 'invitation', to, about, secret }])
    const row = await tx.row<{ mailId: string }>(sql`
      update mail set due_on = now() + interval '1 day' where recipient = ${to} returning mail_id`)
    return row!.mailId
  })
}

test('a key is replaced: everything works under both, and what lasts under the new one alone', async () => {
  let service = await start([keyA])
  const portOf = (url: string): string => new URL(url).port
  const { baseUrl, sandboxBaseUrl, consoleUrl, storageUrl } = service.hosts
  ports = {
    PORT: portOf(baseUrl),
    SANDBOX_PORT: portOf(sandboxBaseUrl),
    CONSOLE_PORT: portOf(consoleUrl),
    STORAGE_PORT: portOf(storageUrl),
  }
  const credentials = [service.manifest.staff, service.manifest.partners.primary.clients![0]]
  const held = await takeAll(service)
  const asStaff = async (path: string, body?: object) => {
    const answer = await sendStaff(consoleUrl, 'POST', path, body, { ...held.staff, origin: consoleUrl })
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body
  }
  const endpoint = await asStaff(`${held.partnerPath}/webhook-endpoints`, {
    url: 'https://example.com/hook',
    signed: true,
  })
  const { endpointId } = endpoint.endpoint as { endpointId: string }
  const endpointPath = `/staff/v1/production/webhook-endpoints/${endpointId}`
  const rotated = await asStaff(`${endpointPath}/rotate-secret?overlapHours=24`)
  const { orderNumber } = await placed(withToken(baseUrl, held.bearer), orderBuilder(service.manifest).order())
  const { siteId, invoiceNumber } = await asStaff(`/staff/v1/production/orders/${orderNumber}/invoices`)
  const invoiceWith = (keys: MasterKeys) =>
    readInvoice(
      service.production.database.statements,
      keyRing(keys, 'PRODUCTION', 'person-key'),
      siteId,
      invoiceNumber,
    )
  const invoice = await invoiceWith([keyA])
  assert.ok(invoice!.shipTo.includes(shipTo.name), String(invoice!.shipTo))
  const mailId = await waitingMail(service, 'the end of a link')
  const stored = keyRing([keyA], 'PRODUCTION', 'stored-secret')
  await service.owner.production.statements.rows(sql`
    insert into partner_person (person_id, partner_id, username, second_factor, recovery_codes, created_on, updated_on)
    values (${personId}, ${service.manifest.partners.primary.partnerId}, 'factor@example.com',
      ${seal(stored, personId, 'a second factor')}, ${[sealRecoveryCode(stored, personId, 'ABCD')]}, now(), now())`)
  await stop(service)

  service = await start([keyB, keyA], ports)
  assert.deepEqual([service.manifest.staff, service.manifest.partners.primary.clients![0]], credentials)
  await assertAllWorks(service, held)
  const said = await keysCommand([keyB, keyA])
  assert.match(said, /signing secrets of webhook endpoints: [1-9]\d* sealed by an older key, 0 left/)
  assert.match(said, /client secrets of app clients: [1-9]\d* sealed by an older key, 0 left/)
  assert.match(said, /it can go, from 20\d\d-/)
  assert.match(await keysCommand([keyB, keyA]), /client secrets of app clients: 0 sealed by an older key, 0 left/)
  await assertAllWorks(service, held)
  await stop(service)

  service = await start([keyB], ports)
  const anew = keyRing([keyB], 'PRODUCTION', 'stored-secret')
  const row = await service.owner.production.reads.row<{
    secret: Buffer
    former: Buffer
    factor: Buffer
    codes: Buffer[]
    link: Buffer
  }>(sql`
    select webhook_endpoint.secret_sealed as secret, former_secret_sealed as former, second_factor as factor,
      recovery_codes as codes, mail.secret_sealed as link
    from webhook_endpoint, partner_person, mail
    where endpoint_id = ${endpointId} and person_id = ${personId} and mail_id = ${mailId}`)
  assert.equal(unseal(anew, endpointId, row!.secret).toString(), rotated.signingSecret)
  assert.equal(unseal(anew, endpointId, row!.former).toString(), endpoint.signingSecret)
  assert.equal(openLink(keyRing([keyB], 'PRODUCTION', 'link'), mailId, row!.link), 'the end of a link')
  assert.deepEqual(await invoiceWith([keyB]), invoice)
  assert.equal(unseal(anew, personId, row!.factor).toString(), 'a second factor')
  assert.ok(isRecoveryCode(anew, personId, 'abcd', row!.codes[0]!))
  const bearer = await token(baseUrl, held.client)
  assert.equal((await get(service, '/v1/me', bearer)).status, 200)
  assert.equal((await get(service, '/v1/me', held.bearer)).status, 401, 'what the old key signed is over')
  assert.ok(await signedInTokens(baseUrl, held.person), 'a person signs in anew')
  assert.match(await keysCommand([keyB]), /One key is listed, and it is the only one in use/)
  await stop(service)

  await assert.rejects(start([keyC], ports), /SECRET_KEYS has no key that the production database was made with/)
})

test('nothing is sealed under a key that no instance makes things with yet, and the command says what comes first', async () => {
  const spare = Buffer.alloc(32, 'a key that is only read')
  const service = await start([keyB, spare])
  const client = service.manifest.partners.primary.clients![0]!
  for (const keys of [
    [keyC, keyB],
    [spare, keyB],
  ] as MasterKeys[]) {
    await assert.rejects(keysCommand(keys), (error: Error & { code: number; stderr: string }) => {
      assert.equal(error.code, 2, error.stderr)
      assert.match(error.stderr, /^The first key of SECRET_KEYS .* production .*: start every instance with it first/)
      return true
    })
    assert.ok(await token(service.hosts.baseUrl, client), 'the secret of a client')
  }
  await stop(service)
})

test('the command says in one sentence that a database or the key file is not there, and makes no key', async () => {
  const sentences = (variables: Record<string, string>) =>
    keysCommand([keyB], variables).then(
      () => assert.fail('it went through'),
      ({ code, stderr }: { code: number; stderr: string }): [number, string] => [code, stderr],
    )
  const nobody = 'postgres://service:a-password@127.0.0.1:9/production'
  assert.deepEqual(await sentences({ DATABASE_URL: nobody }), [
    2,
    'The production database cannot be used: connect ECONNREFUSED 127.0.0.1:9.\n',
  ])
  const [code, missing] = await sentences({ SECRET_KEYS: '' })
  assert.equal(code, 2)
  assert.match(missing, /^There is no key file .*secret\.key: restore it, .*\.\n$/)
  await assert.rejects(access(join(dataDir, 'secret.key')), /ENOENT/)
})

test('instances go over one after the other without a failed request, if all learn to read the new key first', async () => {
  // The first test left these databases with key B.
  const [old, anew] = [keyB, Buffer.alloc(32, 'the key after it')] as const
  const instances = [await start([old]), await start([old])]
  const client = instances[0]!.manifest.partners.primary.clients![0]!
  let asked = 0
  /** What one instance made is read by the other. */
  const askBoth = async (): Promise<void> => {
    for (const [one, other] of [instances, instances.toReversed()] as [TestService, TestService][]) {
      const bearer = await token(one.hosts.baseUrl, client)
      const page = await get(one, '/v1/products?limit=1', bearer)
      const next = await get(other, `/v1/products?limit=1&cursor=${page.body.nextCursor}`, bearer)
      assert.equal(next.status, 200, JSON.stringify(next.body))
      const { orderNumber } = await placed(withToken(one.hosts.baseUrl, bearer), orderBuilder(one.manifest).order())
      const read = await get(other, `/v1/orders/${orderNumber}`, bearer)
      assert.equal(read.status, 200, JSON.stringify(read.body))
      asked += 6
    }
  }
  const goOver = async (turn: number, keys: MasterKeys): Promise<void> => {
    const former = instances[turn]!
    const change = start(keys)
    let isOver = false
    const over = change.finally(() => (isOver = true))
    while (!isOver) await askBoth()
    instances[turn] = await over
    await stop(former)
    await askBoth()
  }
  for (const keys of [
    [old, anew],
    [anew, old],
  ] as MasterKeys[]) {
    await goOver(0, keys)
    await goOver(1, keys)
  }
  await keysCommand([anew, old])
  await askBoth()
  await goOver(0, [anew])
  assert.ok(asked > 60)
  for (const service of instances) await stop(service)
})

test('a key that something is still sealed with cannot be dropped, and the refusal names it', async () => {
  const [old, anew] = [Buffer.alloc(32, 'the key after it'), Buffer.alloc(32, 'one more')] as const
  await stop(await start([anew, old]))
  const refused = start([anew])
  await assert.rejects(
    refused,
    /SECRET_KEYS lacks a key that the production database still needs, for .*client secrets/,
  )
  // The other way round: only the demo data is sealed with the first key so far.
  await assert.rejects(start([old]), /The key of the production demo data was sealed with a master key .* not listed/)
  await assert.rejects(keysCommand([anew, old]), /start every instance with it first/)
  await stop(await start([anew, old]))
  await keysCommand([anew, old])
  await assert.rejects(start([old]), /SECRET_KEYS lacks a key that the production database still needs/)
  const one = { SECRET_KEYS: '', SECRET_KEY: list([keyC]) }
  await assert.rejects(start([keyC], one), /SECRET_KEY has no key that the production database was made with/)
  await assert.rejects(
    start([old], { SECRET_KEYS: '', SECRET_KEY: list([old]) }),
    /SECRET_KEY lacks a key .* last in SECRET_KEYS/,
  )
})
