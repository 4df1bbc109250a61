import { spawnSync } from 'node:child_process'
import { parts } from './results.ts'

/**
 * `npm run bench [-- PART …] [seconds]`: measures all parts or those that are named, one after the other, each in a process of its
 * own, and puts each one's section into `bench/results.md`. A part that fails leaves its section as it was. `seconds`: how long a
 * round of one load lasts. SOAK_SECONDS, POWER_LOSSES, CRASH_CYCLES and GROWTH_ORDERS say how much the others do. It reads /proc,
 * so it runs only on Linux.
 */
const words = process.argv.slice(2)
const named = words.filter((word) => Number.isNaN(Number(word)))
const seconds = words.filter((word) => !named.includes(word))
const unknown = named.filter((name) => !(name in parts))
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}. The parts are ${Object.keys(parts).join(', ')}.\n`)
  process.exit(1)
}

const failed: string[] = []
for (const [part, title] of Object.entries(parts)) {
  if (named.length > 0 && !named.includes(part)) continue
  const startedAt = performance.now()
  process.stdout.write(`\n--- ${part}: ${title}\n`)
  const { status } = spawnSync(process.execPath, [`bench/${part}.ts`, ...seconds], { stdio: 'inherit' })
  if (status !== 0) failed.push(part)
  const lasted = ((performance.now() - startedAt) / 1_000).toFixed(0)
  process.stdout.write(`--- ${part} ${status === 0 ? 'is done' : 'FAILED'} after ${lasted} s\n`)
}
if (failed.length > 0) {
  process.stderr.write(`\n${failed.join(', ')} failed. Run again: npm run bench -- ${failed.join(' ')}\n`)
  process.exit(1)
}
