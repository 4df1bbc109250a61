import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { operationsOf, readDocuments, type Json, type Operation } from '../../developers/build/documents.ts'
import { samplesOf, type Sample, type Values } from '../../developers/build/samples.ts'
import { pdfFile } from '../world/artwork.ts'
import { loggedCall } from '../world/developer.ts'
import { startReceiver } from '../world/receiver.ts'
import { partner, type Partner } from '../world/partner.ts'
import { startTestService, type TestService } from '../world/service.ts'
import { until } from '../world/webhooks.ts'

/**
 * Every sample of the reference is run against the sandbox, as it stands on its page but for the address and the ids of
 * records. A sandbox for each language, because some things can be done once only.
 */

const run = promisify(execFile)
const operations = operationsOf(readDocuments())

/** Changes after reads, what ends something last, and a step of the line before the line gets a file. */
const last = ['removeReceiver', 'revokeSandboxClient', 'revokeToken', 'resetSandbox']
const inOrder = operations.toSorted((one, other) => turn(one) - turn(other))

function turn({ id, method }: Operation): number {
  if (id === 'takeOrderStep') return 1
  return last.includes(id) ? 3 + last.indexOf(id) : method === 'GET' ? 0 : 2
}

/** A service, and for each operation the records that its sample is about. */
async function prepared(t: TestContext): Promise<{ service: TestService; valuesOf: (id: string) => Values }> {
  const service = await startTestService()
  t.after(service.close)
  const tester = await partner(service, 'sandbox')
  const { fixtures, sites } = service.manifest
  const { orders, products, users, divisions, creditAccounts } = fixtures
  const receiver = await startReceiver(t)
  const [first, second] = [await registered(tester, receiver.url), await registered(tester, receiver.url)]
  await tester.post(`/sandbox/receivers/${first}/ping`)
  const [pinged] = await receiver.arrival(1)
  const submission = await tester.post('/v1/orders', {
    ...(example('submitOrder') as object),
    partnerOrderId: 'prepared',
  })
  assert.equal(submission.body.status, 'completed', JSON.stringify(submission.body))
  const deliveryId = await deliveryOf(tester, first, pinged!.event.eventId)
  const check = await tester.post(`/v1/products/${products.withImages}/artwork-checks`, { fileName: 'card.pdf' })
  const line = `/v1/orders/${orders.notCreated.orderNumber}/items/${orders.notCreated.itemNumber}/artwork`
  const ids: Values = {
    siteId: sites.main,
    ...orders.pendingReview,
    productId: products.withImages,
    imageId: products.imageIds[0]!,
    variantId: products.stockVariantId,
    submissionId: submission.body.submissionId,
    userId: users.plain,
    divisionId: divisions.root,
    creditAccountId: creditAccounts.ofUser,
    checkId: check.body.checkId,
    requestId: await loggedCall(tester, '/v1/orders/987654321012345'),
    receiverId: first,
    deliveryId,
  }
  const special: Record<string, Values> = {
    declineProof: orders.manyProofFiles,
    reserveArtworkUpload: orders.notCreated,
    attachArtwork: { ...orders.notCreated, reservationName: await uploaded(tester, line) },
    takeOrderStep: { orderNumber: orders.notCreated.orderNumber, itemNumber: orders.notCreated.itemNumber },
    getProductTemplate: { productId: products.template },
    updateVariant: { productId: products.stock },
    quoteProduct: { productId: products.stock },
    replaceUserSegments: { userId: users.allSegmentsVisible },
    removeReceiver: { receiverId: second },
    revokeSandboxClient: await clientToRevoke(tester),
    answerWebhookCheck: { check: (await tester.post('/sandbox/webhook-checks')).body.check },
  }
  return { service, valuesOf: (id) => ({ ...forPath(id, ids), ...special[id] }) }
}

/** Only what its path names: a body keeps the example of the contract. */
function forPath(id: string, ids: Values): Values {
  const { parameters } = operations.find((each) => each.id === id)!
  const named = parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name)
  return Object.fromEntries(named.map((name) => [name, ids[name]!]))
}

function example(id: string): Json {
  const { object } = operations.find((each) => each.id === id)!
  return Object.values(object.requestBody!.content)[0]!.example!
}

async function registered(tester: Partner, url: string): Promise<string> {
  const { status, body } = await tester.post('/sandbox/receivers', { url })
  assert.equal(status, 201, JSON.stringify(body))
  return body.receiverId
}

/** The log of deliveries has it soon after it arrived. */
async function deliveryOf(tester: Partner, receiverId: string, eventId: string): Promise<number> {
  let found: { deliveryId: number } | undefined
  await until(async () => {
    const { body } = await tester.get(`/sandbox/receivers/${receiverId}/deliveries`)
    found = body.deliveries.find((each: any) => each.eventId === eventId && each.outcome === 'DELIVERED')
    return found !== undefined
  })
  return found!.deliveryId
}

async function uploaded(tester: Partner, line: string): Promise<string> {
  const { body } = await tester.post(`${line}/upload-url`, { fileName: 'card.pdf' })
  assert.equal((await fetch(body.uploadUrl, { method: 'PUT', body: pdfFile() })).status, 200)
  return body.reservationName
}

async function clientToRevoke(tester: Partner): Promise<Values> {
  if (!operations.some(({ id }) => id === 'createSandboxClient')) return {}
  const { status, body } = await tester.post('/sandbox/clients', { name: 'To be revoked' })
  assert.equal(status, 201, JSON.stringify(body))
  return { clientId: body.clientId }
}

type Written = { id: string; source: string }

/** The samples of a language, in the order in which they can be run, with the addresses of the service. */
function samplesIn(
  language: Sample['language'],
  { sandboxBaseUrl }: TestService['hosts'],
  valuesOf: (id: string) => Values,
) {
  return inOrder.flatMap((operation): Written[] =>
    samplesOf(operation, valuesOf(operation.id))
      .filter((sample) => sample.language === language)
      .map(({ source }) => ({
        id: operation.id,
        source: source.replaceAll('https://sandbox.partner-commerce.example', sandboxBaseUrl),
      })),
  )
}

/** What samples take from their environment. */
function credentials(service: TestService): Record<string, string> {
  const { clientId, clientSecret } = service.manifest.partners.sandbox.clients![0]!
  return { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
}

async function scratch(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-samples-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('every operation has a sample in each language, but the one to which a browser is led', () => {
  for (const operation of operations) {
    const languages = samplesOf(operation).map(({ language }) => language)
    assert.deepEqual(languages, operation.id === 'authorize' ? [] : ['curl', 'TypeScript', 'Python'], operation.id)
  }
})

test('every sample in curl is answered by the sandbox', async (t) => {
  const { service, valuesOf } = await prepared(t)
  const folder = await scratch(t)
  // Nothing is added to a sample: curl itself is told to fail where the answer is a refusal.
  await writeFile(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
  const { token } = await partner(service, 'sandbox')
  const env = { ...process.env, ...credentials(service), CURL_HOME: folder, TOKEN: token }
  for (const { id, source } of samplesIn('curl', service.hosts, valuesOf)) {
    // Who revokes a token calls no more with it.
    const own = id === 'revokeToken' ? { TOKEN: (await partner(service, 'sandbox')).token } : {}
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', source], { env: { ...env, ...own } }).catch(
      (error) => {
        throw new Error(`${id}: ${error.stdout}${error.stderr}\n${source}`)
      },
    )
    if (id === 'mcp') assert.ok(JSON.parse(stdout).result.structuredContent.partnerId, stdout)
  }
})

test('every sample in TypeScript is answered by the sandbox', async (t) => {
  const { service, valuesOf } = await prepared(t)
  const folder = await scratch(t)
  const client = fileURLToPath(new URL('../../clients/typescript', import.meta.url))
  await mkdir(join(folder, 'node_modules/@partner-commerce'), { recursive: true })
  await symlink(client, join(folder, 'node_modules/@partner-commerce/client'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const samples = samplesIn('TypeScript', service.hosts, valuesOf)
  for (const { id, source } of samples) await writeFile(join(folder, `${id}.ts`), source)
  const each = samples.map(({ id }) => `await sample('${id}')`).join('\n')
  await writeFile(join(folder, 'all.ts'), `${runOne}\n${each}\n`)
  const { stdout } = await run(process.execPath, ['all.ts'], {
    cwd: folder,
    env: { ...process.env, ...credentials(service), TOKEN: (await partner(service, 'sandbox')).token },
    maxBuffer: 1e8,
  })
  assert.deepEqual(failures(stdout), [])
})

const runOne = `async function sample(id: string): Promise<void> {
  try {
    await import(\`./\${id}.ts\`)
  } catch (error) {
    console.log(\`\\nFAILED \${id}: \${error}\`)
  }
}`

test('every sample in Python is answered by the sandbox', async (t) => {
  const { service, valuesOf } = await prepared(t)
  const folder = await scratch(t)
  const samples = samplesIn('Python', service.hosts, valuesOf)
  for (const { id, source } of samples) await writeFile(join(folder, `${id}.py`), source)
  const ids = JSON.stringify(samples.map(({ id }) => id))
  await writeFile(join(folder, 'all_samples.py'), `${runAll}\nrun_all(${ids})\n`)
  const { stdout } = await run('python3', ['all_samples.py'], {
    cwd: folder,
    env: {
      ...process.env,
      ...credentials(service),
      TOKEN: (await partner(service, 'sandbox')).token,
      PYTHONPATH: fileURLToPath(new URL('../../clients/python', import.meta.url)),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    maxBuffer: 1e8,
  })
  assert.deepEqual(failures(stdout), [])
})

const runAll = `import runpy

def run_all(ids):
    for each in ids:
        try:
            runpy.run_path(f"{each}.py")
        except Exception as error:
            print(f"\\nFAILED {each}: {error!r}")
`

function failures(stdout: string): string[] {
  return stdout.match(/^FAILED .*$/gm) ?? []
}

test('the pages show the very samples that are run', async () => {
  const pages = fileURLToPath(new URL('../../developers/dist/reference/', import.meta.url))
  for (const operation of operations) {
    const text = await readFile(`${pages}${operation.slug}.md`, 'utf8')
    const fences = [...text.matchAll(/^```(?:sh|ts|python)\n([\s\S]*?)\n```$/gm)].map(([, code]) => code!)
    for (const { source } of samplesOf(operation)) assert.ok(fences.includes(source), `${operation.id}\n${source}`)
  }
})
