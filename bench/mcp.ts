import { type DemoService, withDemoService } from './demo-service.ts'
import { type Call, connections, load, type Loaded } from './load.ts'
import { medianBy, openSection } from './results.ts'

/** The tool `get_order` compared with `GET /v1/orders/{orderNumber}`, in turns, for both eras of the protocol. */
const seconds = Number(process.argv[2] ?? 3)
const rounds = 7
const warmUpSeconds = 1

const section = openSection('mcp')
await withDemoService(measure)
section.write()

async function measure(service: DemoService): Promise<void> {
  const { pid: node, postmaster: postgres } = service
  const calls = callsOf(service)
  const names = Object.keys(calls)
  for (const call of Object.values(calls)) await load(call, warmUpSeconds, { node, postgres })
  const measured: Record<string, Loaded>[] = []
  for (let round = 0; round < rounds; round++) {
    const found: Record<string, Loaded> = {}
    for (const name of names) found[name] = await load(calls[name]!, seconds, { node, postgres })
    measured.push(found)
    names.push(names.shift()!)
  }
  section.say(`Demo data, ${connections} connections, median of ${rounds} rounds of ${seconds} s each, in turns.`)
  section.say('')
  section.say('| call | calls/s | of HTTP | goal | its least and most | CPU of node, µs | of HTTP |')
  section.say('|---|---|---|---|---|---|---|')
  for (const name of Object.keys(calls)) {
    const ratioOf = (found: Record<string, Loaded>): number => found[name]!.rate / found.HTTP!.rate
    const ratios = measured.map(ratioOf)
    const median = medianBy(measured, ratioOf)
    const { rate, microseconds } = median[name]!
    const isHttp = name === 'HTTP'
    const ratio = ratioOf(median)
    section.say(
      `| ${name} | ${rate.toFixed(0)} | ${isHttp ? '' : section.judged(name, ratio, ratio.toFixed(2))} | ` +
        `${isHttp ? '' : section.goalOf(name)} | ` +
        `${isHttp ? '' : `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`} | ` +
        `${microseconds.node.toFixed(0)} | ${isHttp ? '' : (microseconds.node / median.HTTP!.microseconds.node).toFixed(2)} |`,
    )
  }
}

function callsOf({ hosts: { baseUrl }, manifest, token }: DemoService): Record<string, Call> {
  const authorization = `Bearer ${token}`
  const { orderNumber } = manifest.fixtures.orders.approved
  const mcp = (headers: Record<string, string>, params: object): Call => ({
    url: `${baseUrl}/v1/mcp`,
    headers: { authorization, accept: 'application/json, text/event-stream', ...headers },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_order', arguments: { orderNumber }, ...params },
    },
  })
  return {
    HTTP: { url: `${baseUrl}/v1/orders/${orderNumber}`, headers: { authorization } },
    'MCP 2026-07-28': mcp(
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'get_order' },
      {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    ),
    'MCP 2025-11-25': mcp({ 'mcp-protocol-version': '2025-11-25' }, {}),
  }
}
