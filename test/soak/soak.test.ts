import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anyPorts, postmasterOf, type Running, startService } from '../../bench/process.ts'
import type { Hosts, Manifest } from '../../src/demo/manifest.ts'
import { freshDataDir } from '../world/service-process.ts'
import { descriptorsOf, footprintOf, type Footprint, type Looked } from './footprint.ts'
import {
  artworkTraffic,
  hostileTraffic,
  sandboxTraffic,
  signIns,
  startReceivers,
  type Traffic,
  usualTraffic,
} from './traffic.ts'

/**
 * The service under all kinds of traffic for SOAK_SECONDS, the second half of them beside hostile callers. What it holds
 * stays within bounds, does not grow, and is given back when they are gone.
 */
const seconds = Number(process.env.SOAK_SECONDS ?? 0)
const reason = seconds > 0 ? undefined : 'SOAK_SECONDS=300 runs it for five minutes'
if (reason !== undefined) process.stderr.write(`\n!!! SKIPPED: the soak test. ${reason}.\n\n`)

/** Megabytes. The goals are 220 and 400; on two quick processors 465 and 536 were seen. `bench/goals.ts` says what they are. */
const residentMax = { usual: 500, hostile: 600 }
/** Of the median of the first third to that of the last. */
const growsMax = 1.1
const heapSlackMegabytes = 5
const callers = { usual: 24, sandbox: 2, artwork: 2, signIns: 2, hostile: 60 }
/** A process that has just started has not loaded all that it needs. */
const warmUpSeconds = Math.min(60, seconds / 5)
/** Of the inspection of print files, one to read and one to draw, wait for the next file. */
const spareChildren = 2
/** Connections of callers may stay idle for 72 seconds before either side ends them. */
const quietSecondsMax = 150

let service: Running<Hosts>
let manifest: Manifest
let remove: () => Promise<void>
let looked: Looked
before(async () => {
  if (reason !== undefined) return
  const fresh = await freshDataDir()
  remove = fresh.remove
  // As `npm start` starts it, with its bounds of memory.
  const settings = { DATA_DIR: fresh.dataDir, DEMO: 'cast', BENCH_LIMITS: 'off', LOG_LEVEL: 'warn', ...anyPorts }
  service = await startService<Hosts>(settings)
  manifest = JSON.parse(readFileSync(join(fresh.dataDir, 'demo.json'), 'utf8')) as Manifest
  const { pid, ready } = service
  looked = { pid, postmaster: postmasterOf(fresh.dataDir), opsUrl: ready.opsUrl, dataDir: fresh.dataDir }
})
after(async () => {
  await service?.stop()
  await remove?.()
})

/** What was seen of the service once a second, and the calls that went as they should at least once. */
type Seen = { footprints: Footprint[]; worked: Set<string> }

/** Sends the traffic, each caller one call after the other, and looks at the service once a second. */
async function soak(each: readonly [Traffic, count: number][], lasting: number): Promise<Seen> {
  const until = performance.now() + lasting * 1_000
  const worked = new Set<string>()
  const callersOf = ([traffic, count]: [Traffic, number]) =>
    Array.from({ length: count }, async (_, caller) => {
      const calls = Object.entries(traffic)
      for (let turn = caller; performance.now() < until; turn++) {
        const [name, call] = calls[turn % calls.length]!
        if (await call()) worked.add(name)
      }
    })
  const calling = Promise.all(each.flatMap((one) => callersOf(one as [Traffic, number])))
  const footprints: Footprint[] = []
  try {
    while (performance.now() < until) {
      footprints.push(await footprintOf(looked))
      await pause(1_000)
    }
  } finally {
    await calling
  }
  return { footprints, worked }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** The least of a third is what stays when what is not needed is collected. */
function assertHeapSteady(seen: readonly Footprint[]): void {
  const third = Math.floor(seen.length / 3)
  const [first, last] = [seen.slice(0, third), seen.slice(-third)].map((part) =>
    Math.min(...part.map(({ heapMegabytes }) => heapMegabytes)),
  )
  assert.ok(last! <= first! * growsMax + heapSlackMegabytes, `the heap grew from ${first} to ${last} MB`)
}

function assertSteady(seen: readonly Footprint[], name: keyof Footprint, slack: number): void {
  const third = Math.floor(seen.length / 3)
  const [first, last] = [seen.slice(0, third), seen.slice(-third)].map((part) => median(part.map((one) => one[name])))
  assert.ok(last! <= first! * growsMax + slack, `${name} grew from ${first} to ${last}`)
}

function told(seen: readonly Footprint[]): string {
  return (
    [
      'residentMegabytes',
      'heapMegabytes',
      'descriptors',
      'callers',
      'children',
      'connections',
      'temporaryFiles',
    ] as const
  )
    .map((name) => `${name} ${Math.round(Math.max(...seen.map((one) => one[name])))}`)
    .join(', ')
}

test(
  'under all kinds of traffic the service holds no more than it may, does not grow, and gives it back',
  { skip: reason, timeout: (seconds + 300) * 1_000 },
  async (context) => {
    const { ready: hosts } = service
    const receivers = await startReceivers(hosts, manifest)
    context.after(() => receivers.close())
    const everyday: [Traffic, number][] = [
      [await usualTraffic(hosts, manifest), callers.usual],
      [await sandboxTraffic(hosts, manifest), callers.sandbox],
      [await artworkTraffic(hosts, manifest), callers.artwork],
      [signIns(hosts, manifest), callers.signIns],
    ]
    const warmUp = await soak(everyday, warmUpSeconds)
    const beforehand = warmUp.footprints.at(-1)!

    const underLoad = await soak(everyday, (seconds - warmUpSeconds) / 2)
    context.diagnostic(`under load at most ${told(underLoad.footprints)}`)
    const underAttack = await soak(
      [...everyday, [hostileTraffic(hosts), callers.hostile]],
      (seconds - warmUpSeconds) / 2,
    )
    context.diagnostic(`beside hostile callers at most ${told(underAttack.footprints)}`)

    assert.ok(receivers.delivered() > 0, 'no webhook arrived')
    const worked = warmUp.worked.union(underLoad.worked).union(underAttack.worked)
    const neverWorked = everyday.flatMap(([traffic]) => Object.keys(traffic)).filter((name) => !worked.has(name))
    assert.deepEqual(neverWorked, [], 'calls that never went as they should')
    receivers.close()

    const isBack = (seen: Footprint): boolean =>
      (['descriptors', 'callers', 'connections'] as const).every((name) => seen[name] <= beforehand[name]) &&
      seen.children <= spareChildren &&
      seen.temporaryFiles === 0
    let quiet = await footprintOf(looked)
    for (let waited = 0; !isBack(quiet) && waited < quietSecondsMax; waited++) {
      await pause(1_000)
      quiet = await footprintOf(looked)
    }
    context.diagnostic(`quiet again ${told([quiet])}`)
    assert.ok(
      isBack(quiet),
      `${told([quiet])} after ${told([beforehand])}: ${JSON.stringify(descriptorsOf(service.pid))}`,
    )
    for (const { footprints: seen } of [underLoad, underAttack]) {
      assertSteady(seen, 'residentMegabytes', 0)
      assertHeapSteady(seen)
      assertSteady(seen, 'descriptors', 20)
      assertSteady(seen, 'connections', 2)
    }
    for (const [seen, max] of [
      [underLoad, residentMax.usual],
      [underAttack, residentMax.hostile],
    ] as const) {
      const highest = Math.max(...seen.footprints.map(({ residentMegabytes }) => residentMegabytes))
      assert.ok(highest <= max, `${highest.toFixed(0)} MB were resident, ${max} may be`)
    }
  },
)
