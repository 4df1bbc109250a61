import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { verify } from '../../developers/samples/verify-webhook/verify.ts'
import { signatureVector } from '../../src/publish/guide.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { mutualTlsPartner } from '../world/partner-builder.ts'
import { partner } from '../world/partner.ts'
import { placed } from '../world/production.ts'
import { testService } from '../world/service.ts'
import { codeOf } from '../world/site-code.ts'
import { until } from '../world/webhooks.ts'

/** The commands and programs of the guides, taken from the pages that are served and run as somebody would who reads them. */

const run = promisify(execFile)
const service = await testService()
const integrator = await partner(service, 'sandbox')
const { developerUrl } = service.hosts

async function scratch(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-guide-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function environment(folder: string): NodeJS.ProcessEnv {
  const { clientId, clientSecret } = service.manifest.partners.sandbox.clients![0]!
  return {
    ...process.env,
    PATH: [folder, dirname(process.execPath), process.env.PATH].join(delimiter),
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    PYTHONDONTWRITEBYTECODE: '1',
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_update_notifier: 'false',
  }
}

/** jq, as far as the guide needs it, for machines that have none. */
const jq = `#!/usr/bin/env node
const [filter, file] = process.argv.slice(2).filter((word) => word !== '-r')
const value = JSON.parse(require('fs').readFileSync(file ?? 0))
const names = /^\\{(.*)\\}$/.exec(filter)?.[1].split(', ')
const read = (path) => Function('it', 'return it' + path)(value)
const got = names ? Object.fromEntries(names.map((name) => [name, value[name]])) : read(filter)
console.log(process.argv.includes('-r') || typeof got !== 'string' ? (typeof got === 'object' ? JSON.stringify(got) : got) : JSON.stringify(got))
`

function bash(script: string, env: NodeJS.ProcessEnv, cwd?: string) {
  return run('bash', ['-euo', 'pipefail', '-c', script], { env, maxBuffer: 50_000_000, ...(cwd && { cwd }) })
}

/** Runs code behind what the guide on clients begins with. */
async function beginnings(folder: string): Promise<Record<'TypeScript' | 'Python', (code: string) => Promise<string>>> {
  const [install, typescript, , download, python] = (await codeOf(service, '/guides/clients')).map(({ code }) => code)
  const env = environment(folder)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await bash(`${install}\n${download}`, env, folder)
  const ran = async (command: string, file: string, code: string): Promise<string> => {
    await writeFile(join(folder, file), code)
    return (await run(command, [file], { cwd: folder, env, maxBuffer: 50_000_000 })).stdout
  }
  return {
    TypeScript: (code) => ran(process.execPath, 'program.ts', `${typescript}\n${code}`),
    Python: (code) => ran('python3', 'program.py', `${python}\n${code}`),
  }
}

test('the first order works as the guide tells it, with curl', async (t) => {
  const folder = await scratch(t)
  await writeFile(join(folder, 'jq'), jq, { mode: 0o755 })
  const script = (await codeOf(service, '/guides/first-order', 'curl')).map(({ code }) => code).join('\n')
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env: environment(folder) })
  assert.match(stdout, /"authMethod":"IDP_M2M"/)
  assert.match(stdout, /"status":\s*"completed"/)
  assert.match(stdout, /"status":\s*"(?:SHIPPED|COMPLETED)"/)
})

for (const language of ['TypeScript', 'Python'] as const) {
  test(`the first order works as the guide tells it, with the client that the site offers: ${language}`, async (t) => {
    const folder = await scratch(t)
    const blocks = await codeOf(service, '/guides/first-order', language)
    const of = (wanted: string) => blocks.filter(({ language: each }) => each === wanted).map(({ code }) => code)
    const [install, start] = of('sh')
    const env = environment(folder)
    await run('bash', ['-euc', install!], { cwd: folder, env })
    const isPython = language === 'Python'
    await writeFile(
      join(folder, isPython ? 'first_order.py' : 'first-order.ts'),
      of(isPython ? 'python' : 'ts').join('\n'),
    )
    const { stdout } = await run('bash', ['-euc', start!], { cwd: folder, env })
    assert.match(stdout, /^order \d+$/m)
    assert.match(stdout, /^(?:SHIPPED|COMPLETED) \d+\.\d+$/m)
  })

  test(`the first call of the home page works as it stands: ${language}`, async (t) => {
    const folder = await scratch(t)
    const [install, program] = await codeOf(service, '/index', language)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const env = environment(folder)
    await run('bash', ['-euc', install!.code], { cwd: folder, env })
    const [file, command] = language === 'Python' ? ['call.py', 'python3'] : ['call.ts', process.execPath]
    await writeFile(join(folder, file), program!.code)
    const { stdout } = await run(command, [file], { cwd: folder, env })
    assert.match(stdout, /IDP_M2M/)
  })
}

test('the first call of the home page works as it stands, with curl', async (t) => {
  const [first] = await codeOf(service, '/index', 'curl')
  const commands = first!.code.replace(/^export CLIENT_ID.*$/m, '')
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', commands], { env: environment(await scratch(t)) })
  assert.equal(JSON.parse(stdout).authMethod, 'IDP_M2M')
})

test('the command line installs from the site without any registry, and has the commands of its guide', async (t) => {
  const folder = await scratch(t)
  const page = await (await fetch(`${developerUrl}/guides/command-line.md`)).text()
  const address = /npm install -g (\S+)/.exec(page)![1]!
  await run('npm', ['install', '--prefix', folder, address], { env: environment(folder) })
  const told = page.match(/^\| `.*$/gm)!.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([a-z-]+(?: [a-z]+)?)/g)])
  assert.ok(told.length > 10)
  for (const [, command] of told) {
    const { stdout } = await run(join(folder, 'node_modules/.bin/partner-commerce'), [...command!.split(' '), '--help'])
    assert.ok(stdout.includes(`Usage: partner-commerce ${command}`), command!)
  }
})

test('the commands of the guide on proofs decline a proof with a reason that its line offers', async (t) => {
  const { orderNumber, lines } = await placed(integrator, orderBuilder(service.manifest).order())
  const { itemNumber } = lines[0]!
  const step = await integrator.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'publish_proof', itemNumber })
  assert.equal(step.status, 200, JSON.stringify(step.body))
  const [declined] = await codeOf(service, '/guides/proofs')
  const env = { ...environment(await scratch(t)), ORDER: String(orderNumber), ITEM: String(itemNumber) }
  const { stdout } = await bash(declined!.code, { ...env, TOKEN: integrator.token })
  assert.match(stdout, /"proofStatus":\s*"DECLINED"/)
})

test('the commands of the guide on pages read a list to its end, with curl and with the clients', async (t) => {
  const folder = await scratch(t)
  const [commands, typescript, python] = await codeOf(service, '/guides/pagination')
  const { nextCursor } = (await integrator.get('/v1/orders?limit=1')).body
  const env = { ...environment(folder), TOKEN: integrator.token, NEXT_CURSOR: nextCursor }
  const { stdout } = await bash(commands!.code, env)
  assert.equal(stdout.match(/"nextCursor"/g)?.length, 2, stdout)
  const begun = await beginnings(folder)
  const numbers = async (language: 'TypeScript' | 'Python', code: string) =>
    (await begun[language](code)).trim().split('\n').map(Number)
  const { orders } = (await integrator.get('/v1/orders?limit=200&siteId=101')).body
  const expected = orders.map(({ orderNumber }: { orderNumber: number }) => orderNumber)
  assert.deepEqual(await numbers('TypeScript', typescript!.code), expected)
  assert.deepEqual(await numbers('Python', python!.code), expected)
})

test('the programs of the guide on clients read an order and its lines', async (t) => {
  const folder = await scratch(t)
  const blocks = await codeOf(service, '/guides/clients')
  const begun = await beginnings(folder)
  assert.match(await begun.TypeScript(blocks[2]!.code), /^\w/)
  assert.match(await begun.Python('print(order["orderNumber"])'), /^1010001$/m)
})

test('the command of the guide on agents lists the tools', async (t) => {
  const [, command] = await codeOf(service, '/guides/agents')
  const { stdout } = await bash(command!.code, { ...environment(await scratch(t)), TOKEN: integrator.token })
  assert.match(stdout, /"get_order"/)
})

test('the commands of the guide on mutual TLS make a certificate that identifies a partner once it is registered', async (t) => {
  const folder = await scratch(t)
  const [make, call] = await codeOf(service, '/guides/mutual-tls')
  const env = { ...environment(folder), CURL_CA_BUNDLE: join(service.dataDir, 'tls/ca.pem') }
  await bash(make!.code, env, folder)
  const pem = await readFile(join(folder, 'client.pem'), 'utf8')
  const { sites } = service.manifest
  await mutualTlsPartner(service.owner.production, new Date(), { pem, siteIds: [sites.main] })
  let said = ''
  // The truststore follows in a moment.
  await until(
    async () =>
      (said = await bash(call!.code, env, folder).then(
        ({ stdout }) => stdout,
        () => '',
      )) !== '',
  )
  assert.equal(JSON.parse(said).authMethod, 'MTLS')
})

test('the code of every guide is run by a test', async () => {
  const elsewhere = ['artwork', 'sandbox', 'command-line', 'webhooks']
  const here = ['first-order', 'index', 'proofs', 'pagination', 'clients', 'agents', 'mutual-tls']
  const folder = new URL('../../developers/guides/', import.meta.url)
  const withCode = []
  for (const file of await readdir(folder)) {
    if (/```(?:sh|ts|python|json)|include: (?:code|document)/.test(await readFile(new URL(file, folder), 'utf8')))
      withCode.push(file.replace(/\.mdx?$/, ''))
  }
  assert.deepEqual(withCode.toSorted(), [...elsewhere, ...here].toSorted())
})

const { secret, timestamp, body, v1 } = signatureVector
const header = `t=${timestamp},v1=${v1}`
/** Deliveries, the seconds that the receiver's clock is later, and whether they are ours. */
const deliveries: readonly (readonly [body: string, header: string, secret: string, later: number, good: boolean])[] = [
  [body, header, secret, 0, true],
  [body, header, secret, 299, true],
  [body, header, secret, 301, false],
  [body, header, secret, -301, false],
  [`${body} `, header, secret, 0, false],
  [body, header, secret.slice('whsec_'.length), 0, false],
  [body, `t=${timestamp + 1},v1=${v1}`, secret, 0, false],
  [body, `t=${timestamp}`, secret, 0, false],
  [body, `v1=${v1}`, secret, 0, false],
  [body, '', secret, 0, false],
  [body, `t=${timestamp},v1=${v1.replace(/^./, 'é')}`, secret, 0, false],
  [body, `t=${timestamp},v1=${v1.slice(1)}`, secret, 0, false],
]
const verdicts = deliveries.map(([, , , , good]) => good)
const samples = fileURLToPath(new URL('../../developers/samples/verify-webhook/', import.meta.url))
const cases = deliveries.map(([text, signature, key, later]) => ({ text, signature, key, now: timestamp + later }))

test('the verifier in TypeScript knows our deliveries from others', () => {
  const told = cases.map(({ text, signature, key, now }) => verify(Buffer.from(text), signature, key, now * 1000))
  assert.deepEqual(told, verdicts)
})

test('the verifier in Python knows our deliveries from others', async () => {
  const program = `import json, sys
sys.path.insert(0, ${JSON.stringify(samples)})
from verify import verify
print(json.dumps([verify(c["text"].encode(), c["signature"], c["key"], c["now"]) for c in json.loads(sys.argv[1])]))`
  const { stdout } = await run('python3', ['-B', '-c', program, JSON.stringify(cases)])
  assert.deepEqual(JSON.parse(stdout), verdicts)
})

/** Where a program is missing, its test is skipped, or fails if REQUIRE_SERVICES=1. */
async function skipWithout(program: string, word: string): Promise<false | string> {
  const said = await run(program, [word]).then(
    () => false as const,
    () => `there is no ${program}`,
  )
  assert.ok(!said || process.env.REQUIRE_SERVICES !== '1', `${String(said)}, and REQUIRE_SERVICES=1 asks for it`)
  return said
}

test(
  'the verifier in Java knows our deliveries from others',
  { skip: await skipWithout('javac', '-version') },
  async (t) => {
    const folder = await scratch(t)
    await writeFile(
      join(folder, 'Cases.java'),
      `import java.nio.charset.StandardCharsets;
import java.time.Instant;
final class Cases {
  public static void main(String[] given) throws Exception {
    for (int at = 0; at < given.length; at += 4) {
      byte[] body = given[at].getBytes(StandardCharsets.UTF_8);
      System.out.println(Verify.verify(body, given[at + 1], given[at + 2], Instant.ofEpochSecond(Long.parseLong(given[at + 3]))));
    }
  }
}`,
    )
    await run('javac', ['-d', folder, `${samples}Verify.java`, join(folder, 'Cases.java')])
    const given = cases.flatMap(({ text, signature, key, now }) => [text, signature, key, String(now)])
    const { stdout } = await run('java', ['-cp', folder, 'Cases', ...given])
    assert.deepEqual(
      stdout
        .trim()
        .split('\n')
        .map((word) => word === 'true'),
      verdicts,
    )
  },
)

test(
  'the verifier in PHP knows our deliveries from others',
  { skip: await skipWithout('php', '--version') },
  async () => {
    const program = `require ${JSON.stringify(`${samples}verify.php`)};
echo json_encode(array_map(fn($c) => verify($c['text'], $c['signature'], $c['key'], $c['now']), json_decode($argv[1], true)));`
    const { stdout } = await run('php', ['-r', program, JSON.stringify(cases)])
    assert.deepEqual(JSON.parse(stdout), verdicts)
  },
)

test('the page on webhooks shows the verifiers that are run', async () => {
  const page = await (await fetch(`${developerUrl}/guides/webhooks.md`)).text()
  for (const file of ['verify.ts', 'verify.py', 'Verify.java', 'verify.php']) {
    assert.ok(page.includes((await readFile(samples + file, 'utf8')).trim()), file)
  }
  assert.match(page, /All four\s+are run/)
})
