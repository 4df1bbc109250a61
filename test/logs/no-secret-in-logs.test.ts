import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request, type RequestOptions } from 'node:http'
import { test } from 'node:test'
import pg from 'pg'
import { sql } from '../../src/database/sql.ts'
import { methodOf, pathOf } from '../../src/contract/operation.ts'
import { openDatabase } from '../../src/database/database.ts'
import { staffApi } from '../../src/staff/api.ts'
import {
  entryIds,
  foreignIds,
  missingIds,
  ownIds,
  sampleCall,
  urlOf,
  type EntryId,
} from '../every-operation/sample-calls.ts'
import { sendSample, urlOf as staffUrlOf } from '../every-staff-operation/send-sample.ts'
import type { StaffOperation } from '../../src/staff/operation.ts'
import { pdfFile } from '../world/artwork.ts'
import { freshDatabase } from '../world/database.ts'
import { startMailServer } from '../world/mail-server.ts'
import { sendAs, type Holder } from '../world/mutual-tls.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner } from '../world/partner.ts'
import { silent } from '../world/partner-builder.ts'
import { testMasterKey } from '../world/master-key.ts'
import { startReceiver } from '../world/receiver.ts'
import type { TestService } from '../world/service.ts'
import { freshDataDir, startServiceProcess } from '../world/service-process.ts'
import { newBrowser, signedInTokens, signInOf } from '../world/sign-in.ts'
import { staff } from '../world/staff.ts'
import { until } from '../world/webhooks.ts'
import { secretScan, type SecretScan } from './secret-scan.ts'

/**
 * Nothing that lets anybody in is in the log of a real process, whatever is called and whatever fails, at the most talkative
 * level. `LOG_SCAN_BYTES` says how much log is read at least, such as 1000000000.
 */
const bytesMin = Number(process.env.LOG_SCAN_BYTES ?? 1_000_000)
/** A test of its own for each part, so that the runner sees that a long scan goes on. */
const partBytes = 10_000_000
/** Tokens end after an hour. */
const tokensMilliseconds = 45 * 60_000

test('a secret is found in every form in which a log could show it, also across two pieces of the log', () => {
  const secret = 'pcs_a-secret/of+the?works'
  const forms = [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    ...['a:', 'ab:', 'abc:'].map((before) => Buffer.from(`${before}${secret}&c=d`).toString('base64')),
  ]
  for (const form of forms)
    for (const cut of [0, 5, form.length]) {
      const scan = secretScan()
      scan.keep('the secret', secret)
      scan.read(`before ${form.slice(0, cut)}`)
      scan.read(`${form.slice(cut)} after`)
      assert.ok(scan.found().length > 0, `${form} cut at ${cut}`)
    }
  const scan = secretScan()
  scan.keep('the secret', secret)
  scan.read('nothing of it: pcs_ secret works')
  assert.deepEqual(scan.found(), [])
})

test(
  'no secret is in the log of a process that did every operation and met failures',
  // Infinity would leave the runner's limit in force.
  { timeout: 24 * 3_600_000 },
  async (t) => {
    const scan = secretScan()
    const secretOf = (what: string): string => {
      const made = randomBytes(18).toString('base64url')
      scan.keep(what, made)
      return made
    }
    scan.keep('SECRET_KEY', testMasterKey)
    const variables = await variablesWithSecrets(t, secretOf)
    const { dataDir, remove } = await freshDataDir()
    t.after(remove)
    const started = await startServiceProcess(dataDir, variables, 'node', scan.read)
    t.after(async () => {
      started.signal('SIGKILL')
      await started.ended
    })
    scan.keep('the password of a staff account', started.manifest.staff.password)
    for (const [key, { clients = [], signIn, certificate }] of Object.entries(started.manifest.partners)) {
      for (const { clientSecret } of clients) scan.keep(`a client secret of ${key}`, clientSecret)
      if (signIn) scan.keep(`a password at ${key}`, signIn.password)
      if (certificate) scan.keep(`the key of ${key}`, readFileSync(certificate.keyFile).subarray(28, 80))
    }

    const open = (url: string) => openDatabase(url, { log: silent })
    const owner = {
      production: open(variables.MIGRATION_DATABASE_URL!),
      sandbox: open(variables.SANDBOX_MIGRATION_DATABASE_URL!),
    }
    t.after(() => Promise.all([owner.production.close(), owner.sandbox.close()]))
    const service = {
      ...started,
      production: { database: owner.production },
      sandbox: { database: owner.sandbox },
      owner,
      dataDir,
      logLines: [] as string[],
    } as unknown as TestService

    let tokens = await partnerTokens(service, scan)
    let tokensFrom = performance.now()
    await Promise.all([signInFlows(service, scan), uploads(service, tokens.primary!, scan), webhooks(t, service, scan)])
    await everyOperation(service, tokens, 0)
    const staffTold = await everyStaffOperation(service, scan)
    assert.ok(staffTold > 150, `staff operations that succeeded: ${staffTold}`)
    await failures(service, scan)
    let rounds = 1
    // Orders wait for carriers and taxes by now, since staff let companies that do not answer price them.
    while (scan.length() < bytesMin && !t.signal.aborted) {
      const part = Math.min(bytesMin, scan.length() + partBytes)
      await t.test(`${part} characters of log are read`, async () => {
        if (performance.now() - tokensFrom > tokensMilliseconds) {
          tokens = await partnerTokens(service, scan)
          tokensFrom = performance.now()
        }
        while (scan.length() < part) {
          const before = scan.length()
          await Promise.all([1, 2, 3].map(() => everyOperation(service, tokens, rounds++, ['submitOrder'])))
          assert.ok(scan.length() > before, 'the service has stopped')
        }
        assert.deepEqual(scan.found(), [])
      })
    }

    assert.ok(scan.secrets() > 30, String(scan.secrets()))
    assert.ok(scan.length() >= bytesMin)
    assert.deepEqual(scan.found(), [])
    t.diagnostic(`${scan.length()} characters of log, ${scan.secrets()} secrets, ${rounds} rounds over every operation`)
    started.signal('SIGTERM')
    await started.ended
    assert.deepEqual(scan.found(), [])
  },
)

/**
 * A setting of each kind that holds a secret, but for an S3: with one, this process would not serve files, and its log of them
 * is looked at. The companies, the collector and the mail server do not answer, or refuse.
 */
async function variablesWithSecrets(
  t: { after: (done: () => unknown) => void },
  secretOf: (what: string) => string,
): Promise<Record<string, string>> {
  const fresh = [await freshDatabase('template_production'), await freshDatabase('template_sandbox')] as const
  const password = secretOf('the password of DATABASE_URL')
  const role = `log_scan_${randomBytes(6).toString('hex')}`
  const asAdmin = async (text: string): Promise<void> => {
    const client = new pg.Client(process.env.TEST_SERVER_URL)
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  await asAdmin(`create role ${role} login password '${password}'`)
  t.after(async () => {
    await Promise.all(fresh.map(({ drop }) => drop()))
    await asAdmin(`drop role ${role}`)
  })
  const asRole = (url: string): string => {
    const other = new URL(url)
    other.username = role
    other.password = password
    return other.href
  }
  const mailServer = await startMailServer(t as Parameters<typeof startMailServer>[0], {
    recipient: () => ({ code: 451, text: 'not now' }),
  })
  const nobody = 'http://127.0.0.1:9'
  return {
    LOG_LEVEL: 'trace',
    SECRET_KEY: testMasterKey.toString('hex'),
    DATABASE_URL: asRole(fresh[0].url),
    SANDBOX_DATABASE_URL: asRole(fresh[1].url),
    MIGRATION_DATABASE_URL: fresh[0].url,
    SANDBOX_MIGRATION_DATABASE_URL: fresh[1].url,
    // The key is there, and no replica behind it.
    DATABASE_REPLICA_URL: `postgres://reader:${secretOf('the password of DATABASE_REPLICA_URL')}@127.0.0.1:9/one`,
    SMTP_URL: `smtp://orders:${secretOf('the password of SMTP_URL')}@127.0.0.1:${mailServer.port}`,
    MAIL_FROM: 'orders@example.com',
    EASYPOST_URL: nobody,
    EASYPOST_API_KEY: secretOf('EASYPOST_API_KEY'),
    STRIPE_URL: nobody,
    STRIPE_API_KEY: secretOf('STRIPE_API_KEY'),
    // Nobody asks it, since the limits are off.
    REDIS_URL: `redis://limits:${secretOf('the password of REDIS_URL')}@127.0.0.1:9`,
    OTEL_EXPORTER_OTLP_ENDPOINT: nobody,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${secretOf('the credential in OTEL_EXPORTER_OTLP_HEADERS')}`,
  }
}

async function signInFlows(service: TestService, scan: SecretScan): Promise<void> {
  for (const key of ['primary', 'sandbox'] as const) {
    const baseUrl = key === 'primary' ? service.hosts.baseUrl : service.hosts.sandboxBaseUrl
    const who = signInOf(service, key)
    const tokens = await signedInTokens(baseUrl, who)
    scan.keep(`an access token of a person at ${key}`, tokens.access_token)
    scan.keep(`a refresh token at ${key}`, tokens.refresh_token)
    const again = async (refreshToken: string) => {
      const body = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: who.clientId,
      })
      return (await fetch(`${baseUrl}/oauth2/token`, { method: 'POST', body })).json() as Promise<{
        refresh_token?: string
        access_token?: string
      }>
    }
    const refreshed = await again(tokens.refresh_token)
    for (const [what, secret] of Object.entries(refreshed))
      if (what.endsWith('token')) scan.keep(`${what} of a refresh`, secret)
    await again(tokens.refresh_token)
    const browser = newBrowser(baseUrl)
    await browser.open(`${baseUrl}/oauth2/forgotten-password`, { form: { username: who.username } })
    for (const path of ['invitation', 'reset-password'])
      await browser.open(`${baseUrl}/oauth2/${path}/${kept(scan, 'a link that lets nobody in')}`)
    for (const { value } of browser.cookies.values()) if (value.length >= 10) scan.keep('a cookie', value)
  }
}

function kept(scan: SecretScan, what: string): string {
  const made = randomBytes(24).toString('base64url')
  scan.keep(what, made)
  return made
}

type Tokens = Record<string, { baseUrl: string; token: string }>

/** Of every bearer partner, by the header and by the form. */
async function partnerTokens({ hosts, manifest }: TestService, scan: SecretScan): Promise<Tokens> {
  const tokens: Tokens = {}
  for (const [key, { clients = [], environment }] of Object.entries(manifest.partners)) {
    const [client] = clients
    if (!client) continue
    const baseUrl = environment === 'SANDBOX' ? hosts.sandboxBaseUrl : hosts.baseUrl
    const ask = (form: Record<string, string>, headers = {}) =>
      fetch(`${baseUrl}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', ...form }),
        headers,
      }).then((answer) => answer.json() as Promise<{ access_token: string }>)
    const basic = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    })
    const { clientId, clientSecret } = client
    const { access_token: token } = await ask({}, basic(clientId, clientSecret))
    scan.keep(`an access token of ${key}`, token)
    tokens[key] = { baseUrl, token }
    const other = await ask({ client_id: clientId, client_secret: clientSecret })
    scan.keep(`a revoked token of ${key}`, other.access_token)
    await fetch(`${baseUrl}/oauth2/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: other.access_token }),
      headers: basic(clientId, clientSecret),
    })
    await fetch(`${baseUrl}/v1/me`, { headers: { authorization: `Bearer ${other.access_token}` } })
    // In the wrong place, as people do: the secret as the id, in the query, in the path, as a token.
    await ask({ client_id: clientSecret, client_secret: clientId })
    await ask({ client_id: clientId, client_secret: kept(scan, 'a wrong client secret') })
    for (const path of [`/v1/me?access_token=${token}`, `/v1/${clientSecret}`, `/v1/products/${token.slice(0, 60)}`])
      await fetch(baseUrl + path, { headers: { authorization: `Bearer ${clientSecret}` } })
    await fetch(`${baseUrl}/v1/me?access_token=${token}`, { headers: { authorization: `Bearer ${token}` } })
  }
  return tokens
}

const agent = new Agent({ keepAlive: true, maxSockets: 24 })

/** Sends what the long scan sends all the time, with less work than `fetch`, and resolves when all is answered. */
function send(url: string, options: RequestOptions, body: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, options, (answer) => answer.resume().once('end', resolve).once('error', reject))
      .once('error', reject)
      .end(body)
  })
}

/** Every operation for every partner: its own records, foreign ones and missing ones, and bodies that are refused. */
async function everyOperation(
  { hosts, manifest }: TestService,
  tokens: Tokens,
  round: number,
  without: readonly EntryId[] = [],
): Promise<void> {
  const { certFile, keyFile, caFile } = manifest.partners.certificate!.certificate!
  const holder = { cert: readFileSync(certFile), key: readFileSync(keyFile), ca: readFileSync(caFile) } as Holder
  const all = [ownIds(manifest), foreignIds(manifest), missingIds]
  const asked = entryIds.flatMap((id) => {
    if (without.includes(id)) return []
    const call = sampleCall(id, all[round % all.length]!)
    const body = call.body && JSON.stringify(round % 2 ? { ...call.body, unknown: 'field' } : call.body)
    const byTokens = Object.values(tokens).map(async ({ baseUrl, token }) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      await send(baseUrl + urlOf(id, call), { method: call.method, headers, agent }, body)
    })
    const byCertificate =
      round === 0 && call.method === 'GET' ? [sendAs(holder, hosts.mtlsBaseUrl, urlOf(id, call))] : []
    return [...byTokens, ...byCertificate]
  })
  await Promise.allSettled(asked)
}

async function uploads({ manifest }: TestService, { baseUrl, token }: Tokens[string], scan: SecretScan): Promise<void> {
  const call = sampleCall('reserveArtworkUpload', {
    ...ownIds(manifest),
    orderNumber: String(manifest.fixtures.orders.notCreated.orderNumber),
    itemNumber: String(manifest.fixtures.orders.notCreated.itemNumber),
  })
  const answer = await fetch(baseUrl + urlOf('reserveArtworkUpload', call), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(call.body),
  })
  const { uploadUrl, contentType } = (await answer.json()) as { uploadUrl: string; contentType: string }
  const signature = new URL(uploadUrl).searchParams.get('X-Amz-Signature')!
  scan.keep('the signature of an upload URL', signature)
  await fetch(uploadUrl, { method: 'PUT', body: pdfFile(), headers: { 'content-type': contentType } })
  await fetch(uploadUrl, { method: 'PUT', body: 'x', headers: { 'content-type': 'text/plain' } })
  await fetch(uploadUrl)
  const forged = randomBytes(32).toString('hex')
  scan.keep('a forged signature', forged)
  await fetch(uploadUrl.replace(signature, forged), { method: 'PUT', body: 'x' })
  // One that is cut.
  const cut = new AbortController()
  const body = new ReadableStream({
    start: (controller) => {
      controller.enqueue(Buffer.alloc(1_000))
      setImmediate(() => cut.abort())
    },
  })
  await fetch(uploadUrl, { method: 'PUT', body, duplex: 'half', signal: cut.signal } as RequestInit).catch(
    () => undefined,
  )
}

const atOnce = 8

/** @returns how many succeeded */
async function everyStaffOperation(service: TestService, scan: SecretScan): Promise<number> {
  const admin = await staff(service)
  scan.keep('a session of staff', admin.token)
  let succeeded = 0
  async function tell(entry: StaffOperation): Promise<void> {
    const answer = await sendSample({ service, admin }, entry).then(
      (exchange) => exchange.answer,
      () => admin.call(methodOf(entry), staffUrlOf(service, entry)).catch(() => undefined),
    )
    if (answer && answer.status < 400) succeeded += 1
    keepSecretsOf(answer?.body, pathOf(entry), scan)
  }

  const entries = (Object.values(staffApi) as StaffOperation[]).filter(({ download }) => !download?.goesOn)
  const left = entries.filter(({ id }) => !/session|password/i.test(id)).values()
  // Some wait for companies that do not answer.
  const inTurn = async (): Promise<void> => {
    for (const entry of left) await tell(entry)
  }
  await Promise.all(Array.from({ length: atOnce }, inTurn))
  // The last, since they end the session.
  for (const entry of entries) if (/session|password/i.test(entry.id)) await tell(entry)
  const wrong = kept(scan, 'a wrong password of staff')
  await fetch(`${service.hosts.consoleUrl}/staff/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(service.hosts.consoleUrl).origin },
    body: JSON.stringify({ username: wrong, password: wrong, transport: 'cookie' }),
  })
  return succeeded
}

/** What an answer shows once: secrets, passwords, tokens, and links that let somebody in. */
function keepSecretsOf(body: unknown, of: string, scan: SecretScan): void {
  if (typeof body !== 'object' || body === null) return
  for (const [key, value] of Object.entries(body)) {
    if (typeof value === 'object') keepSecretsOf(value, of, scan)
    else if (
      typeof value === 'string' &&
      /secret|password|token$/i.test(key) &&
      // When a password was set is no secret, and a line of the same moment has the same time.
      !key.endsWith('On') &&
      value.length >= 16 &&
      !/\s/.test(value)
    )
      scan.keep(`${key} of ${of}`, value)
    else if (typeof value === 'string' && /^http.*(?:X-Amz-Signature=|invitation\/|reset-password\/)/.test(value))
      scan.keep(`a link of ${of}`, /(?:X-Amz-Signature=|invitation\/|reset-password\/)([\w-]+)/.exec(value)![1]!)
  }
}

/** An endpoint whose receiver fails, and one that cannot be reached. Each is told of an order, in vain. */
async function webhooks(t: Parameters<typeof startReceiver>[0], service: TestService, scan: SecretScan): Promise<void> {
  const receiver = await startReceiver(t, (response) => response.writeHead(500).end('no'))
  const admin = await staff(service)
  scan.keep('a third session of staff', admin.token)
  const { partnerId } = service.manifest.partners.sandbox!
  const endpointIds: string[] = []
  for (const url of [receiver.url, 'http://127.0.0.1:9/nobody']) {
    const made = await admin.post(`/staff/v1/sandbox/partners/${partnerId}/webhook-endpoints`, {
      url: `${url}?key=${kept(scan, 'the key in the URL of a receiver')}`,
      signed: true,
      allowHost: true,
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    keepSecretsOf(made.body, 'a webhook endpoint', scan)
    endpointIds.push(made.body.endpoint.endpointId)
  }
  const owner = await partner(service, 'sandbox')
  scan.keep('a token of whom the receivers belong to', owner.token)
  const ordered = await owner.post('/v1/orders', orderBuilder(service.manifest).order())
  assert.equal(ordered.status, 201, JSON.stringify(ordered.body))
  await receiver.arrival(1)
  for (const endpointId of endpointIds) {
    const failed = `/staff/v1/sandbox/webhook-endpoints/${endpointId}/deliveries?outcome=FAILED`
    await until(async () => (await admin.get(failed)).body.deliveries.length > 0)
  }
}

/** What goes wrong on the way: broken requests, a database that drops its connections. */
async function failures({ hosts, owner }: TestService, scan: SecretScan): Promise<void> {
  for (const baseUrl of [hosts.baseUrl, hosts.sandboxBaseUrl, hosts.consoleUrl]) {
    const secret = kept(scan, 'a credential of nobody')
    for (const headers of [
      { authorization: `Bearer ${secret}` },
      { authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}` },
      { authorization: secret },
      { cookie: `__Host-staff=${secret}; session=${secret}` },
      { 'x-api-key': secret },
    ])
      for (const path of ['/v1/me', `/v1/orders?token=${secret}`, '/v1/mcp', '/staff/v1/session', `/${secret}`])
        await fetch(baseUrl + path, {
          method: path === '/v1/mcp' ? 'POST' : 'GET',
          headers: headers as unknown as Record<string, string>,
          ...(path === '/v1/mcp' && { body: `{"jsonrpc": "2.0", "secret": "${secret}` }),
        })
    await fetch(`${baseUrl}/v1/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: `{"siteId": 1, "${secret}": `,
    })
  }
  await owner.production.statements.rows(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
}
