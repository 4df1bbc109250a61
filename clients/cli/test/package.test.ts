import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pack } from '../../../bin/pack.ts'
import { testService } from '../../../test/world/service.ts'
import { homeOf } from './world/program.ts'

/** The package as partners get it: packed, and installed into a folder of its own without any registry. */
const run = promisify(execFile)
const service = await testService()
const { folder, environment } = await homeOf(service, 'sandbox')
const installed = join(folder, 'node_modules/partner-commerce')

test('the package installs without a registry, holds nothing but the program, and runs by npx', async () => {
  const npm = async (...words: string[]): Promise<string> =>
    (await run('npm', words, { cwd: folder, env: { ...environment, npm_config_offline: 'true' } })).stdout
  await pack(fileURLToPath(new URL('..', import.meta.url)), join(folder, 'partner-commerce.tgz'))
  await npm('init', '--yes')
  await npm('install', '--no-audit', '--no-fund', './partner-commerce.tgz')
  assert.deepEqual(globSync('**/*.*', { cwd: installed }).toSorted(), [
    'README.md',
    'dist/partner-commerce.js',
    'package.json',
    'partner-commerce.js',
  ])
  const { version } = JSON.parse(await readFile(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8'))
  assert.equal((await npm('exec', '--no', '--', 'partner-commerce', '--version')).trim(), version)
})

test('the program runs on the oldest Node that is at hand', async (t) => {
  const node = await olderNode()
  if (node === undefined) return t.skip('there is no older Node')
  for (const words of [['doctor'], ['trigger', 'shipment'], ['listen', '--print-secret'], ['orders', 'list']]) {
    await run(node, [join(installed, 'partner-commerce.js'), ...words], { cwd: folder, env: environment })
  }
  return undefined
})

/** The Node that runs npm, where it is older than the one that comes with the packages. */
async function olderNode(): Promise<string | undefined> {
  for (const each of process.env['PATH']!.split(delimiter).filter((path) => !path.includes('node_modules'))) {
    const said = await run(join(each, 'node'), ['--version']).catch(() => undefined)
    const major = Number(/^v(\d+)/.exec(said?.stdout ?? '')?.[1] ?? 0)
    if (major >= 20 && major < Number(process.versions.node.split('.')[0])) return join(each, 'node')
  }
  return undefined
}
