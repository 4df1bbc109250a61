import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { Manifest } from '../src/demo/manifest.ts'
import { keptLines } from './kept-lines.ts'
import { accessToken, anyPorts, postmasterOf, processorSeconds, startProcess } from './process.ts'

const say = keptLines('results-request-log.txt')

/**
 * `node bench/request-log.ts [seconds]`: the throughput of reads with the request log and without it, in turns, each turn on a
 * service of its own over the same data. Target: the log costs at most 3 %. Turns alternate in their order too. On a shared
 * machine, the CPU time of service and database together per request says more than the rate. It reads /proc, so it runs only on
 * Linux.
 */
const seconds = Number(process.argv[2] ?? 5)
const connections = 16
const rounds = Number(process.argv[3] ?? 8)

const dataDir = mkdtempSync(join(tmpdir(), 'partner-commerce-bench-log-'))
const settings = { DATA_DIR: dataDir, BENCH_LIMITS: 'off', ...anyPorts }
type Hosts = { baseUrl: string }
const open = (log: 'on' | 'off') => startProcess<Hosts>('bench/service-for-log.ts', [log], settings)

try {
  await (await open('on')).stop()
  const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
  const { stock } = manifest.fixtures.products
  const paths: [name: string, path: string][] = [
    ['product detail', `/v1/products/${stock}`],
    ['product page of 50', '/v1/products?limit=50'],
    ['one order', `/v1/orders/${manifest.fixtures.orders.approved.orderNumber}`],
  ]
  const ratios = new Map<string, { rate: number; cpu: number }[]>(paths.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    const found: Record<'on' | 'off', { rate: number; cpu: number }[]> = { on: [], off: [] }
    for (const log of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      const service = await open(log)
      const { baseUrl } = service.ready
      const authorization = `Bearer ${await accessToken(baseUrl, manifest.partners.primary!)}`
      for (const [, path] of paths) {
        const load = (duration: number) =>
          autocannon({ url: `${baseUrl}${path}`, headers: { authorization }, connections, duration })
        await load(1)
        const before = cpuSeconds(service.pid)
        const { requests, non2xx, errors } = await load(seconds)
        // What was noted last is written within a second.
        await new Promise((resolve) => {
          setTimeout(resolve, 1_200)
        })
        const cpu = ((cpuSeconds(service.pid) - before) / requests.total) * 1e6
        if (non2xx + errors > 0) throw new Error(`${path}: ${non2xx} answers were not 2xx, ${errors} errors`)
        found[log].push({ rate: requests.average, cpu })
      }
      await service.stop()
    }
    for (const [index, [name]] of paths.entries()) {
      const [on, off] = [found.on[index]!, found.off[index]!]
      const ratio = { rate: on.rate / off.rate, cpu: on.cpu / off.cpu }
      ratios.get(name)!.push(ratio)
      const told = ({ rate, cpu }: typeof on) => `${rate.toFixed(0)}/s and ${cpu.toFixed(0)} µs of CPU each`
      say(
        `round ${round + 1}, ${name}: ${told(on)} with the log, ${told(off)} without; ratio of CPU ${ratio.cpu.toFixed(3)}`,
      )
    }
  }
  for (const [name, found] of ratios) {
    say(
      `${name}: ${spread(
        'CPU',
        found.map(({ cpu }) => cpu),
      )}; ${spread(
        'rate',
        found.map(({ rate }) => rate),
      )}`,
    )
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

function spread(what: string, found: readonly number[]): string {
  const sorted = found.toSorted((a, b) => a - b)
  const median = (sorted[(rounds - 1) >> 1]! + sorted[rounds >> 1]!) / 2
  return `ratio of ${what} ${median.toFixed(3)} (median), ${sorted[0]!.toFixed(3)} to ${sorted.at(-1)!.toFixed(3)}`
}

/** What the service, the database server and its processes have used. */
function cpuSeconds(pid: number): number {
  const postmaster = postmasterOf(dataDir)
  return processorSeconds(pid, postmaster) + processorSeconds(postmaster)
}
