import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { Manifest } from '../src/demo/manifest.ts'
import { anyPorts, startProcess } from './process.ts'
import { keptLines } from './kept-lines.ts'

const say = keptLines('results-mcp.txt')

/**
 * `node bench/mcp.ts [seconds]`: the tool `get_order` compared with `GET /v1/orders/{orderNumber}`, in turns on one
 * machine, for both eras of the protocol. Targets: at least 1,000 calls/s on two cores, and half the rate of HTTP. On a
 * shared machine, the CPU time per call says more than the rate. It reads /proc, so it runs only on Linux.
 */
const seconds = Number(process.argv[2] ?? 3)
const connections = 16
const rounds = 5

const dataDir = mkdtempSync(join(tmpdir(), 'partner-commerce-bench-mcp-'))
const service = await startProcess<{ baseUrl: string }>('src/main.ts', [], {
  DATA_DIR: dataDir,
  BENCH_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  ...anyPorts,
})
try {
  const { baseUrl } = service.ready
  const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
  const { clientId, clientSecret } = manifest.partners.primary!.clients![0]!
  const granted = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
  })
  const { access_token: token } = (await granted.json()) as { access_token: string }
  const authorization = `Bearer ${token}`
  const { orderNumber } = manifest.fixtures.orders.approved

  const call = (params: object): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_order', ...params } })
  const mcp = (headers: Record<string, string>, params: object): autocannon.Options => ({
    url: `${baseUrl}/v1/mcp`,
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: call({ arguments: { orderNumber }, ...params }),
  })
  const cases: { name: string; options: autocannon.Options }[] = [
    { name: 'HTTP', options: { url: `${baseUrl}/v1/orders/${orderNumber}`, headers: { authorization } } },
    {
      name: 'MCP 2026-07-28',
      options: mcp(
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'get_order' },
        {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      ),
    },
    { name: 'MCP 2025-11-25', options: mcp({ 'mcp-protocol-version': '2025-11-25' }, {}) },
  ]

  const rates = new Map<string, number[]>(cases.map(({ name }) => [name, []]))
  const costs = new Map<string, number[]>(cases.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const { name, options } of cases) {
      const before = cpuMicroseconds(service.pid)
      const result = await autocannon({ ...options, connections, duration: seconds })
      if (result.non2xx > 0 || result.errors > 0) throw new Error(`${name}: ${result.non2xx} answers were not 2xx`)
      rates.get(name)!.push(result.requests.average)
      costs.get(name)!.push((cpuMicroseconds(service.pid) - before) / result.requests.total)
    }
  }
  const median = (of: Map<string, number[]>, name: string): number =>
    of.get(name)!.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!
  for (const { name } of cases) {
    const rate = median(rates, name)
    const cost = median(costs, name)
    say(
      `${name.padEnd(16)} ${rate.toFixed(0).padStart(6)} calls/s, ${(rate / median(rates, 'HTTP')).toFixed(2)} of HTTP;` +
        ` ${cost.toFixed(0).padStart(5)} µs of the service's CPU a call, ${(cost / median(costs, 'HTTP')).toFixed(2)} of HTTP`,
    )
  }
} finally {
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** User and system time of all threads of a process; Linux counts hundredths of a second. */
function cpuMicroseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}
