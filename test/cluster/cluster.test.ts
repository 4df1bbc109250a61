import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase } from '../../src/database/database.ts'
import { silent } from '../world/partner-builder.ts'
import { endpointAt } from '../world/webhooks.ts'
import { startCluster, whyNoCluster, type Cluster } from './cluster.ts'
import { type DatabaseMachine, databaseMachines } from './configurations.ts'
import { startLoad, type Load, type Sent } from './load.ts'
import { findWay, loseWay, outsideAddress, plugCable, pullCable } from './network.ts'

/**
 * Breaks each part of the cluster in turn, under load, and mends nothing that a machine's own supervisor would not: a
 * cable that was pulled is plugged in again, and a machine that lost its power gets it back.
 *
 * It needs root, and packages that are installed for it alone, so it runs only with CLUSTER=1. `.ci/run` does that.
 */
const reason = process.env.CLUSTER === '1' ? undefined : 'CLUSTER=1 runs it: see test/cluster/README.md'
if (reason !== undefined) process.stderr.write(`\n!!! SKIPPED: the test of the cluster. ${reason}.\n\n`)

/** What operators are promised. Where all six machines share a few processors, CLUSTER_SECONDS allows for that. */
const writesAgainMillisecondsMax = Number(process.env.CLUSTER_SECONDS ?? 10) * 1_000
/** Five seconds, and what a busy machine adds. */
const answerMillisecondsMax = 6_000
/** An order may wait that long for its outcome, once it is stored. */
const submissionMillisecondsMax = 21_000

const writesInARow = 8

let cluster: Cluster
let load: Load
let receiver: ReturnType<typeof createServer>
const delivered = new Set<number>()

before(async () => {
  if (reason !== undefined) return
  assert.equal(whyNoCluster(), undefined)
  cluster = await startCluster((line) => process.stdout.write(`# ${line}\n`))
  receiver = createServer(async (request, response) => {
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    delivered.add((JSON.parse(text) as { orderNumber: number }).orderNumber)
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, outsideAddress, resolve))
  const { port } = receiver.address() as { port: number }
  const database = openDatabase(await cluster.ownerUrl(), { log: silent })
  await endpointAt(database, cluster.manifest.partners.primary!.partnerId, `http://${outsideAddress}:${port}/`)
  await database.close()
  load = await startLoad(cluster.baseUrls, cluster.manifest)
})
after(async () => {
  await load?.abandon()
  receiver?.close()
  await cluster?.stop()
})

/** Breaks something, and mends it afterwards; what breaks for a moment only needs no mending. */
type Fault = { breaks: () => Promise<void>; mends?: () => Promise<void> }

/** Credentials are read on the primary alone: while there is none, reads that may lag have none to answer either. */
type Effect = 'primary lost' | 'primary stays'

const isAcknowledged = ({ kind, status }: Sent): boolean => kind === 'write' && (status === 200 || status === 201)

/** Resolves when of writes that were sent from now on, the last ones were all acknowledged. */
async function writesGoOn(): Promise<void> {
  const from = performance.now()
  for (;;) {
    const last = load.sent.filter(({ kind, startedAt }) => kind === 'write' && startedAt > from).slice(-writesInARow)
    if (last.length === writesInARow && last.every(isAcknowledged)) return
    await delay(100)
  }
}

/** When the longest time without an acknowledged write began and ended. */
function longestGap(sent: readonly Sent[], from: number, to: number): [began: number, ended: number] {
  const ends = sent.filter(isAcknowledged).map(({ endedAt }) => endedAt)
  const moments = [from, ...ends.filter((end) => end > from && end < to).toSorted((a, b) => a - b), to]
  const gaps = moments.slice(1).map((moment, at): [number, number] => [moments[at]!, moment])
  return gaps.reduce((best, gap) => (gap[1] - gap[0] > best[1] - best[0] ? gap : best))
}

function fault(effect: Effect, title: string, make: () => Promise<Fault>): void {
  test(title, { skip: reason, timeout: 90_000 }, async (context) => {
    await cluster.whole()
    await writesGoOn()
    const { breaks, mends } = await make()
    const from = performance.now()
    await breaks()
    // A second is enough for the load to meet the fault.
    await delay(1_000)
    await writesGoOn()
    const again = performance.now()
    await mends?.()
    await cluster.whole()
    const wholeAgain = performance.now()
    // What was under way ends, too.
    await writesGoOn()

    const met = load.sent.filter(({ endedAt }) => endedAt > from)
    const [began, ended] = longestGap(met, from, performance.now())
    const gap = ended - began
    const longest = (kinds: Sent['kind'][]): number =>
      Math.max(0, ...met.filter(({ kind }) => kinds.includes(kind)).map((one) => one.endedAt - one.startedAt))
    // Without a primary: after the last write before the gap, and before the first one after it.
    const [since, until] = effect === 'primary lost' ? [began, ended] : [from, again]
    const during = met.filter((one) => one.kind === 'laggingRead' && one.startedAt > since && one.endedAt < until)
    const refused = Object.groupBy(
      met.filter(({ status }) => status === undefined || status >= 400),
      ({ kind, status, said }) => `${kind} ${status ?? ''} ${said}`,
    )
    const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1)
    context.diagnostic(
      `without a write ${seconds(gap)} s, whole after ${seconds(wholeAgain - from)} s, longest write ` +
        `${seconds(longest(['write']))} s and read ${seconds(longest(['read', 'laggingRead']))} s, lagging reads served ` +
        `${during.filter(({ status }) => status === 200).length} of ${during.length}; ` +
        (Object.entries(refused)
          .map(([what, those]) => `${those!.length} ${what}`)
          .join(', ') || 'no errors'),
    )
    assert.ok(gap <= writesAgainMillisecondsMax, `no write for ${seconds(gap)} s`)
    assert.ok(longest(['read', 'laggingRead']) <= answerMillisecondsMax, 'a read hung')
    assert.ok(longest(['write']) <= submissionMillisecondsMax, 'a write hung')
    if (effect === 'primary stays' && during.length > 0)
      assert.ok(
        during.some(({ status }) => status === 200),
        'no read that may lag was served',
      )
    const wrong = met.filter(({ status }) => status !== undefined && status >= 400 && status !== 503 && status !== 502)
    assert.deepEqual(wrong, [])
    assert.deepEqual(load.contradictions, [])
  })
}

function others(machine: DatabaseMachine): DatabaseMachine[] {
  return databaseMachines.filter((each) => each !== machine)
}

fault('primary lost', 'the machine of the primary loses its power, and another takes over', async () => {
  const machine = await cluster.primary()
  return {
    breaks: () => cluster.supervisors[machine].powerOff(),
    mends: async () => cluster.supervisors[machine].powerOn(),
  }
})

fault('primary lost', 'PostgreSQL crashes on the primary', async () => {
  const machine = await cluster.primary()
  return { breaks: () => cluster.killPostgres(machine) }
})

fault('primary lost', 'Patroni is killed on the primary', async () => {
  const machine = await cluster.primary()
  return { breaks: async () => cluster.supervisors[machine].kill('patroni') }
})

fault('primary stays', 'the synchronous standby loses its power', async () => {
  const machine = await cluster.synchronousStandby()
  return {
    breaks: () => cluster.supervisors[machine].powerOff(),
    mends: async () => cluster.supervisors[machine].powerOn(),
  }
})

fault('primary stays', 'the leader of etcd is killed', async () => {
  const machine = await cluster.etcdLeader()
  return { breaks: async () => cluster.supervisors[machine].kill('etcd') }
})

fault('primary lost', 'the primary is cut off from everything', async () => {
  const machine = await cluster.primary()
  return { breaks: () => pullCable(machine), mends: () => plugCable(machine) }
})

fault('primary lost', 'the primary is cut off from the other databases, but not from the service', async () => {
  const machine = await cluster.primary()
  const lost = others(machine)
  return { breaks: () => loseWay(machine, lost), mends: () => findWay(machine, lost) }
})

fault('primary stays', 'the service of one machine is cut off from the primary', async () => {
  const machine = await cluster.primary()
  return { breaks: () => loseWay('app1', [machine]), mends: () => findWay('app1', [machine]) }
})

for (const name of ['haproxy', 'api', 'worker'] as const) {
  for (const machine of ['app1', 'app2'] as const) {
    fault('primary stays', `the ${name} of ${machine} is killed`, async () => ({
      breaks: async () => cluster.supervisors[machine].kill(name),
    }))
  }
}

fault('primary stays', 'Redis is killed', async () => ({ breaks: async () => cluster.supervisors.cache.kill('redis') }))

test(
  'nothing that was acknowledged is lost or doubled, every order ends, and its events are delivered',
  { skip: reason, timeout: 60_000 },
  async (context) => {
    await load.stop()
    const client = new pg.Client({ connectionString: await cluster.ownerUrl() })
    await client.connect()
    try {
      const all = async <Row>(query: string): Promise<Row[]> => (await client.query(query)).rows as Row[]
      while ((await all(`select from submission where status in ('queued', 'processing')`)).length > 0) await delay(100)
      type Found = { partner_order_id: string; submission_id: string; status: string; order_number: string }
      const found = Map.groupBy(
        await all<Found>('select partner_order_id, submission_id, status, order_number from submission'),
        (row) => row.partner_order_id,
      )
      type Order = { partner_order_id: string; order_number: string }
      const orders = Map.groupBy(
        await all<Order>('select partner_order_id, order_number from orders where partner_order_id is not null'),
        (row) => row.partner_order_id,
      )
      for (const { partnerOrderId, submissionId, orderNumber } of load.asked) {
        const rows = found.get(partnerOrderId) ?? []
        assert.deepEqual(
          rows.map((row) => row.submission_id),
          [submissionId],
          partnerOrderId,
        )
        assert.equal(rows[0]!.status, 'completed', partnerOrderId)
        assert.deepEqual(
          (orders.get(partnerOrderId) ?? []).map((row) => row.order_number),
          [rows[0]!.order_number],
        )
        if (orderNumber !== undefined) assert.equal(Number(rows[0]!.order_number), orderNumber)
      }
      const numbers = load.asked.map(({ partnerOrderId }) => Number(found.get(partnerOrderId)![0]!.order_number))
      while (numbers.some((number) => !delivered.has(number))) await delay(100)
      context.diagnostic(`${load.asked.length} orders in ${load.sent.length} calls`)
    } finally {
      await client.end()
    }
  },
)
