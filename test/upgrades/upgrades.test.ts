import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { chooseFreePort } from '../../src/database/embedded/postmaster.ts'
import { startLoad, type Load } from '../cluster/load.ts'
import { assertOrdersConsistent, openSubmissions, stockEverHeld, withClient } from '../faults/order-world.ts'
import { asService, freshDatabase, type FreshDatabase } from '../world/database.ts'
import { testMasterKey } from '../world/master-key.ts'
import { partner } from '../world/partner.ts'
import { freshDataDir, launchService, startServiceProcess, type ServiceProcess } from '../world/service-process.ts'
import { until } from '../world/webhooks.ts'
import { startBalancer, type Balancer } from './balancer.ts'
import { earlierRelease, releasesAfterThis } from './releases.ts'

/**
 * Two releases side by side on the same databases, while partners order: the one before the other, rolled forward and
 * back. PREVIOUS_RELEASE names the earlier one as git does, and this checkout is the later. Without it this checkout is
 * the earlier, and releases that are made of it come after.
 */
const previous = process.env.PREVIOUS_RELEASE

let folder: string
let dataDir: string
let remove: () => Promise<void>
let databases: { production: FreshDatabase; sandbox: FreshDatabase }
let balancer: Balancer
let sending: Load | undefined
const running = new Set<Instance>()

type Instance = ServiceProcess & { release: string }

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partner-commerce-releases-'))
  ;({ dataDir, remove } = await freshDataDir())
  // A schema of this checkout is not there yet when an earlier one starts.
  const [production, sandbox] = previous
    ? (['template0', 'template0'] as const)
    : (['template_production', 'template_sandbox'] as const)
  databases = { production: await freshDatabase(production), sandbox: await freshDatabase(sandbox) }
  balancer = await startBalancer()
})
after(async () => {
  for (const instance of running) instance.signal('SIGKILL')
  await Promise.all([sending?.abandon(), ...[...running].map((instance) => instance.ended)])
  await balancer.close()
  await Promise.all([databases.production.drop(), databases.sandbox.drop(), rm(folder, { recursive: true }), remove()])
})

function variables(): Record<string, string> {
  const { production, sandbox } = databases
  return {
    DATABASE_URL: asService(production.url),
    SANDBOX_DATABASE_URL: asService(sandbox.url),
    MIGRATION_DATABASE_URL: production.url,
    SANDBOX_MIGRATION_DATABASE_URL: sandbox.url,
    SECRET_KEY: testMasterKey.toString('hex'),
    PUBLIC_BASE_URL: balancer.url,
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS: '2',
  }
}

async function start(release: string, program: string): Promise<Instance> {
  // The process tells the address of the balancer as its own.
  const port = await chooseFreePort()
  const started = await startServiceProcess(dataDir, { ...variables(), PORT: String(port) }, 'node', undefined, program)
  const instance = { ...started, release }
  running.add(instance)
  await balancer.add({ name: release, baseUrl: `http://127.0.0.1:${port}`, opsUrl: started.hosts.opsUrl })
  return instance
}

async function stop(instance: Instance): Promise<void> {
  instance.signal('SIGTERM')
  const { code, stderr } = await instance.ended
  running.delete(instance)
  assert.equal(code, 0, stderr)
}

/** Eleven starts of a service, one after the other, take longer on a busy machine than a test usually may. */
const limit = { timeout: 540_000 }

test(
  'two releases serve side by side, forward and back, without a failed request or a lost or doubled order',
  limit,
  async (t) => {
    const [earlier, later, last] = previous
      ? [await earlierRelease(folder, previous), process.cwd(), undefined]
      : await releasesAfterThis(folder)
    // Where the databases are new, the first start makes them.
    let instances = [await start('earlier', earlier)]
    instances.push(await start('earlier', earlier))
    const { production } = databases
    const stock = await withClient(production.url, stockEverHeld)
    const [first] = instances
    const load = await startLoad([balancer.url], first!.manifest)
    sending = load
    /** Goes on once so many more orders have been taken. */
    const ordersMore = async (count: number): Promise<void> => {
      const acknowledged = (): number => load.asked.filter(({ submissionId }) => submissionId !== undefined).length
      const from = acknowledged()
      await until(async () => acknowledged() >= from + count)
    }
    const side: string[] = []
    const replace = async (release: string, program: string): Promise<void> => {
      const [oldest, ...others] = instances
      instances = [...others, await start(release, program)]
      await stop(oldest!)
      side.push(instances.map((instance) => instance.release).join(' and '))
      await ordersMore(5)
    }
    await ordersMore(5)
    for (const release of ['later', 'later', 'earlier', 'earlier'])
      await replace(release, release === 'later' ? later! : earlier!)
    assert.deepEqual(side, ['earlier and later', 'later and later', 'later and earlier', 'earlier and earlier'])
    assert.match(instances[0]!.stderr(), /a later release has changed the tables; this one runs on them/)

    // The way in which docs/upgrading.md asks, at this instance's operations port.
    const guide = await readFile('docs/upgrading.md', 'utf8')
    const [[, command]] = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)] as unknown as [[string, string]]
    const atInstance = command.replaceAll('http://127.0.0.1:9090', instances[0]!.hosts.opsUrl)
    assert.notEqual(atInstance, command)
    const { stdout } = await promisify(execFile)('sh', ['-euc', atInstance])
    assert.match(stdout, /^\{"ready":true/)

    if (last) {
      await replace('later', later)
      await replace('later', later)
      // It takes away what the earliest needs, and the one between goes on.
      await replace('last', last)
      const refused = await launchService(dataDir, variables(), 'node', undefined, earlier).ended
      assert.equal(refused.code, 1)
      assert.match(
        refused.stderr,
        /DATABASE_URL cannot be used: a later release changed it \(migration 9003-carrier-alone\.sql\), and this one is too old for it; start release \S+ or a later one, which has migration 9002-carrier-of-earlier-orders\.sql\.$/m,
      )
      await ordersMore(5)
    }
    await load.stop()

    const failed = load.sent.filter(({ status }) => status === undefined || status >= 400)
    const said = failed.map(({ kind, status, said: why }) => `${kind}: ${status} ${why}`)
    assert.deepEqual([said, load.contradictions], [[], []])
    await withClient(production.url, async (client) => {
      await until(async () => (await openSubmissions(client)) === 0)
      await assertOrdersConsistent(client, stock)
      const keys = load.asked.map(({ partnerOrderId }) => partnerOrderId)
      const { rows } = await client.query<{ orders: number; keys: number }>(
        `select count(*)::int as orders, count(distinct partner_order_id)::int as keys from orders
       where partner_order_id = any($1)`,
        [keys],
      )
      assert.deepEqual(rows, [{ orders: keys.length, keys: keys.length }])
    })
    // Whoever placed an order, whoever shows it shows the same of it.
    const primary = await partner(first!, 'primary')
    for (const { orderNumber } of load.asked.filter((order) => order.orderNumber !== undefined)) {
      const { body } = await primary.get(`/v1/orders/${orderNumber}`)
      assert.equal(typeof body.shippingProvider, 'string', JSON.stringify(body))
    }
    const answered = [...balancer.answered].map(([release, count]) => `${count} by the ${release}`).join(', ')
    t.diagnostic(`${load.sent.length} requests (${answered}), 0 failed; ${load.asked.length} orders, 0 lost, 0 doubled`)
    for (const instance of running) await stop(instance)
  },
)
