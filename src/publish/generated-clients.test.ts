import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** Clients as partners generate them, by two widely used generators, from the committed documents. */
const documents = ['partner-commerce', 'staff']
const secondsMax = 120

const beside = (module: string, name: string): string => fileURLToPath(new URL(name, module))
const heyApi = beside(import.meta.resolve('@hey-api/openapi-ts'), 'run.mjs')
const swaggerTypescript = beside(import.meta.resolve('swagger-typescript-api'), 'cli.mjs')
const compiler = beside(import.meta.resolve('typescript/package.json'), 'bin/tsc')
const withTypescript6 = new URL('../../test/world/typescript-6.ts', import.meta.url).href

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partner-commerce-clients-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** Runs a program in the folder, and fails with what it said. */
async function run(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    timeout: secondsMax * 1_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  child.stdout.on('data', (piece) => said.push(String(piece)))
  child.stderr.on('data', (piece) => said.push(String(piece)))
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.equal(code, 0, said.join('').slice(0, 4_000))
}

/** Uses the clients as a partner would. The compiler must object where it is told to, so that it is known to look. */
const use = `
import type { GetOrderErrors, OrderDetail, OrderNotFoundProblem, SubmitOrderBody } from './hey-api-partner-commerce'
import { getOrder } from './hey-api-partner-commerce'
import { Api } from './swagger-partner-commerce/api'

const refused: OrderNotFoundProblem['code'] = 'order_not_found'
const byStatus: GetOrderErrors[404]['code'] = refused
// An open enumeration takes values that are not known yet.
const status: OrderDetail['status'] = 'A_STATUS_OF_TOMORROW'
// @ts-expect-error a body needs its lines
const body: SubmitOrderBody = { siteId: 101, partnerOrderId: 'web-1' }
export const used = [byStatus, status, body, getOrder, new Api().v1.getOrder]
`

test('two generators make clients of the documents for partners and staff, and the clients compile', async () => {
  await Promise.all(
    documents.map(async (name) => {
      const document = fileURLToPath(new URL(`../../openapi/${name}.json`, import.meta.url))
      const made = ['-o', `hey-api-${name}`, '-c', '@hey-api/client-fetch', '--no-log-file', '--silent']
      await run('--import', withTypescript6, heyApi, '-i', document, ...made)
      await run(swaggerTypescript, 'generate', '-p', document, '-o', `swagger-${name}`, '-n', 'api.ts', '--silent')
    }),
  )
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  await writeFile(join(folder, 'use.ts'), use)
  await run(compiler, '-p', '.')
})
