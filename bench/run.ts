import { runInOwnFolder } from './own-folder.ts'
import { peersFolder } from './peers/peer.ts'
import { type Part, parts } from './results.ts'

/**
 * `npm run bench [-- PART …] [seconds]`: measures all parts or those that are named, one after the other, each in a process of its
 * own, and puts each one's section into `bench/results.md`. A part that fails leaves its section as it was. `seconds`: how long a
 * round of one load lasts. SOAK_SECONDS, POWER_LOSSES, CRASH_CYCLES and GROWTH_ORDERS say how much the others do. It reads /proc,
 * so it runs only on Linux. Ctrl-C ends it, and leaves nothing behind.
 */
const words = process.argv.slice(2)
const named = words.filter((word) => Number.isNaN(Number(word)))
const seconds = words.filter((word) => !named.includes(word))
const unknown = named.filter((name) => !(name in parts))
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}. The parts are ${Object.keys(parts).join(', ')}.\n`)
  process.exit(1)
}
if (seconds.length > 1 || !seconds.every((word) => Number(word) > 0 && Number.isFinite(Number(word)))) {
  process.stderr.write(`How many seconds a round lasts is one number above 0, not ${seconds.join(' ')}.\n`)
  process.exit(1)
}

// Other platforms are kept from one run to the next.
process.env.PEERS = peersFolder

const wanted = (Object.keys(parts) as Part[]).filter((part) => named.length === 0 || named.includes(part))
const failed: Part[] = []
let isStopped = false
for (const part of wanted) if (!isStopped) await measure(part)
if (isStopped) process.exit(1)
if (failed.length > 0) {
  process.stderr.write(`\n${failed.join(', ')} failed. Run again: npm run bench -- ${failed.join(' ')}\n`)
  process.exit(1)
}

async function measure(part: Part): Promise<void> {
  const startedAt = performance.now()
  process.stdout.write(`\n--- ${part}: ${parts[part]}\n`)
  const { status, signal } = await runInOwnFolder([`bench/${part}.ts`, ...seconds])
  if (status !== 0) failed.push(part)
  const lasted = ((performance.now() - startedAt) / 1_000).toFixed(0)
  process.stdout.write(`--- ${part} ${status === 0 ? 'is done' : 'FAILED'} after ${lasted} s\n`)
  isStopped ||= signal !== undefined
}
