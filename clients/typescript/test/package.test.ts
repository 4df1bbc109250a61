import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { pdfFile } from '../../../test/world/artwork.ts'
import { blindEngine } from '../../../test/world/artwork-engine.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed, publishProof } from '../../../test/world/production.ts'
import { pack } from '../../../bin/pack.ts'
import { givenRuntime } from '../../../test/world/runtimes.ts'
import { testService } from '../../../test/world/service.ts'

/** The package as partners get it: packed, and installed into a folder of its own without any registry. */
const root = fileURLToPath(new URL('..', import.meta.url))
const house = fileURLToPath(new URL('../../..', import.meta.url))
const gzipBytesMax = 15_000

const run = promisify(execFile)
const [bun, deno] = [givenRuntime('bun'), givenRuntime('deno')]
let folder: string
const installed = (): string => join(folder, 'node_modules/@partner-commerce/client')

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partner-commerce-package-'))
  const tarball = join(folder, 'partner-commerce-client.tgz')
  await pack(root, tarball)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
})
after(() => rm(folder, { recursive: true }))

const service = await testService({ artworkEngine: blindEngine() })
const { manifest, hosts } = service
const { clientId, clientSecret } = manifest.partners.primary.clients![0]!
const { certFile, keyFile, caFile } = manifest.partners.certificate.certificate!

/** The environment of a program that uses the client. */
async function environment(): Promise<Record<string, string>> {
  const { lines } = await placed(await partner(service, 'primary'), orderBuilder(manifest).order())
  await publishProof(service, lines[0]!)
  const artwork = join(folder, 'cards.pdf')
  await writeFile(artwork, pdfFile())
  return {
    BASE_URL: hosts.baseUrl,
    MTLS_BASE_URL: hosts.mtlsBaseUrl,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    CERT_FILE: certFile,
    KEY_FILE: keyFile,
    CA_FILE: caFile,
    SITE_ID: String(manifest.sites.main),
    PRODUCT_ID: manifest.fixtures.products.pod,
    PURCHASE: `readme-${randomUUID()}`,
    ORDER_NUMBER: String(lines[0]!.orderNumber),
    ITEM_NUMBER: String(lines[0]!.itemNumber),
    ARTWORK: artwork,
    WEBHOOK_SECRET: 'whsec_of_the_readme',
  }
}

/** The programs of the README, in its order. */
async function examples(): Promise<string[]> {
  const text = await readFile(join(root, 'README.md'), 'utf8')
  const programs = [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match) => match[1]!)
  return Promise.all(
    programs.map(async (program, index) => {
      const file = join(folder, `example-${index}.js`)
      await writeFile(file, program)
      return file
    }),
  )
}

/** What each example prints. The one with webhooks goes on, and is tested apart. */
const prints: (RegExp | 'webhooks')[] = [
  /^order \d+\n$/,
  /^2 true\ntrue\n404 order_not_found\n$/,
  /^0 %\n(\d+ %\n)*100 %\ncards\.pdf [0-9a-f]{32}\napproved\n$/,
  'webhooks',
  /^MTLS\n$/,
]

/** The oldest Node that is at hand: the one that runs npm, where it is older than the one that comes with the packages. */
async function otherNode(): Promise<{ path: string; major: number } | undefined> {
  const folders = process.env['PATH']!.split(delimiter).filter((each) => !each.includes('node_modules'))
  for (const each of [...folders, '/usr/local/bin']) {
    const path = join(each, 'node')
    const said = await run(path, ['--version']).catch(() => undefined)
    const major = Number(/^v(\d+)/.exec(said?.stdout ?? '')?.[1] ?? 0)
    if (major >= 20 && major < Number(process.versions.node.split('.')[0])) return { path, major }
  }
  return undefined
}

/** @param command what runs a file, with its options */
async function runExamples([program, ...options]: readonly [string, ...string[]]): Promise<void> {
  const files = await examples()
  assert.equal(files.length, prints.length)
  const env = await environment()
  for (const [index, expected] of prints.entries()) {
    if (expected === 'webhooks') await runWebhookExample(program, [...options, files[index]!], env)
    else {
      const { stdout, stderr } = await run(program, [...options, files[index]!], { cwd: folder, env })
      assert.match(stdout, expected)
      assert.equal(stderr, '')
    }
  }
}

async function runWebhookExample(program: string, words: string[], env: Record<string, string>): Promise<void> {
  const child = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const [, port] = /^listens on (\d+)$/.exec((await lines.next()).value as string)!
    const send = async (secret: string): Promise<number> => {
      const body = '{"eventId":"a","type":"order.status_changed","siteId":1,"orderNumber":2}'
      const t = Math.floor(Date.now() / 1_000)
      const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
      const headers = { 'platform-signature': `t=${t},v1=${v1}` }
      return (await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', body, headers })).status
    }
    assert.equal(await send('whsec_of_the_readme'), 204)
    assert.equal((await lines.next()).value, 'a order.status_changed 2')
    assert.equal(await send('whsec_another'), 400)
    assert.equal((await lines.next()).value, 'refused wrong_signature')
  } finally {
    child.kill()
    await once(child, 'close')
  }
}

test('every example of the README does what it says', () => runExamples([process.execPath]))

test('the package runs on an older Node too', async (t) => {
  const older = await otherNode()
  if (!older) return t.skip('there is no Node older than the one that runs the tests')
  t.diagnostic(`Node ${older.major}`)
  return runExamples([older.path])
})

test('the package runs on Bun', { skip: bun.skip }, () => runExamples([bun.path!]))

test('the package runs on Deno', { skip: deno.skip }, () => runExamples([deno.path!, 'run', '--allow-all', '--quiet']))

test('the package has no dependencies, and brings nothing but its modules, their types and the README', async () => {
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(installed(), 'package.json'), 'utf8'))
  assert.deepEqual([dependencies, peerDependencies], [undefined, undefined])
  const files = globSync('**/*', { cwd: installed(), withFileTypes: true }).filter((entry) => entry.isFile())
  const strange = files.filter(({ name }) => !/\.js$|\.d\.ts$|^README\.md$|^package\.json$/.test(name))
  assert.deepEqual(
    strange.map(({ name }) => name),
    [],
  )
  assert.equal(globSync('*', { cwd: join(folder, 'node_modules') }).length, 1)
})

test('the main entry is at most 15 kB, needs nothing of Node, and nothing of what it does not use', async () => {
  const bundle = async (entry: string): Promise<{ code: string; imports: string[] }> => {
    const build = await rolldown({ input: join(installed(), 'dist', entry), platform: 'neutral' })
    const { output } = await build.generate({ minify: true })
    return output[0]
  }
  const { code, imports } = await bundle('index.js')
  const { length } = gzipSync(code, { level: 9 })
  assert.ok(length <= gzipBytesMax, `it has ${length} bytes`)
  assert.deepEqual(imports, [])
  assert.doesNotMatch(code, /\bprocess\.|\bBuffer\b|\brequire\(/)
  // A receiver of webhooks in a worker needs nothing of Node either.
  for (const entry of ['webhooks/index.js', 'webhooks/fetch.js', 'webhooks/hono.js'])
    assert.deepEqual((await bundle(entry)).imports, [], entry)
})

test('the types hold in a program of its own, with and without the types of browsers', async () => {
  await cp(join(root, 'test/types.test-d.ts'), join(folder, 'types.ts'))
  const strict = { strict: true, noEmit: true, target: 'es2022', exactOptionalPropertyTypes: true }
  const ways = {
    node: { ...strict, module: 'nodenext', lib: ['es2023'] },
    bundler: { ...strict, module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom', 'dom.iterable'] },
  }
  const compilers = [
    fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json'))),
    join(house, 'node_modules/typescript/bin/tsc'),
  ]
  for (const [name, compilerOptions] of Object.entries(ways)) {
    const types = { types: ['node'], typeRoots: [join(house, 'node_modules/@types')] }
    const project = join(folder, `tsconfig.${name}.json`)
    await writeFile(project, JSON.stringify({ compilerOptions: { ...compilerOptions, ...types }, files: ['types.ts'] }))
    for (const compiler of compilers)
      await run(process.execPath, [compiler, '-p', project]).catch((error: { stdout: string }) =>
        assert.fail(`${name}: ${error.stdout}`),
      )
  }
})
