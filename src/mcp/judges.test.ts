import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { partner } from '../../test/world/partner.ts'
import { startTestService } from '../../test/world/service.ts'

const root = new URL('../../', import.meta.url).pathname

type Ended = { code: number | null; out: string; err: string }

function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }),
    )
  })
}

test('MCP-01 every applicable check of the conformance suite passes in both eras, as docs/mcp-conformance.md says', async () => {
  const { code, out, err } = await run(['bin/mcp-conformance.ts', '--check'])
  assert.deepEqual([code, err], [0, ''], out)
})

test("MCP-01 the Inspector's command line lists the tools, finds their schemas portable and calls one", async () => {
  const service = await startTestService()
  const home = await mkdtemp(join(tmpdir(), 'partner-commerce-inspector-'))
  try {
    const { baseUrl, token } = await partner(service, 'primary')
    const { orderNumber } = service.manifest.fixtures.orders.approved
    const inspect = (...args: string[]): Promise<Ended> =>
      run(
        [
          fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js')),
          '--cli',
          `${baseUrl}/v1/mcp`,
          '--transport',
          'http',
          '--header',
          `Authorization: Bearer ${token}`,
          ...args,
        ],
        { HOME: home, MCP_CATALOG_PATH: join(home, 'catalog.json') },
      )
    const listed = await inspect('--method', 'tools/list', '--strict')
    assert.equal(listed.code, 0, listed.err)
    const { tools } = JSON.parse(listed.out) as { tools: { name: string }[] }
    assert.ok(tools.some(({ name }) => name === 'get_order'))

    const called = await inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'get_order',
      '--tool-arg',
      `orderNumber=${orderNumber}`,
    )
    assert.equal(called.code, 0, called.err)
    const { structuredContent } = JSON.parse(called.out) as { structuredContent: { orderNumber: number } }
    assert.equal(structuredContent.orderNumber, orderNumber)
  } finally {
    await service.close()
    await rm(home, { recursive: true, force: true })
  }
})
