import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { chooseFreePort } from '../../src/database/embedded/postmaster.ts'
import { asService, freshDatabase, testServiceRole } from '../world/database.ts'
import { withClient } from './order-world.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { ownTime } from '../world/own-time.ts'
import { partner } from '../world/partner.ts'
import { placed } from '../world/production.ts'
import { startTestService } from '../world/service.ts'
import { until } from '../world/webhooks.ts'

const pooler = '/usr/sbin/pgbouncer'
const skip = !process.env.REQUIRE_SERVICES && !existsSync(pooler) && `${pooler} is not there`

/** The user who owns nothing. */
const nobody = 65_534

/** A port that leads to the server, whose socket may be in a folder that only this user may enter. */
async function wayTo(t: TestContext, { hostname, port }: URL): Promise<number> {
  const host = decodeURIComponent(hostname)
  const way = createServer((from) => {
    const to = host.startsWith('/')
      ? connect(join(host, `.s.PGSQL.${port}`))
      : connect(Number(port || 5432), host || '127.0.0.1')
    pipeline(from, to, from, () => undefined)
  })
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  t.after(() => void way.close())
  return (way.address() as AddressInfo).port
}

/** Starts PgBouncer in front of a server. @returns its port */
async function startPooler(t: TestContext, server: URL): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-pooler-'))
  await chmod(folder, 0o755)
  const serverPort = await wayTo(t, server)
  const port = await chooseFreePort()
  const users = [
    [testServiceRole.role, testServiceRole.password],
    [decodeURIComponent(server.username), decodeURIComponent(server.password)],
  ]
  await writeFile(
    join(folder, 'users.txt'),
    users.map((user) => `${user.map((each) => `"${each}"`).join(' ')}\n`).join(''),
  )
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `* = host=127.0.0.1 port=${serverPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${join(folder, 'users.txt')}`,
      'pool_mode = session',
      'default_pool_size = 100',
      '',
    ].join('\n'),
  )
  // PgBouncer refuses to run as root.
  const child = spawn(pooler, [join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}),
  })
  let said = ''
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))

  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  await until(async () => {
    assert.equal(child.exitCode, null, said)
    const socket = connect(port, '127.0.0.1')
    const answered = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    return answered
  })
  return port
}

test(
  'through PgBouncer in session mode the service serves, times stay in UTC and waiting calls are woken',
  { skip },
  async (t) => {
    const [production, sandbox] = await Promise.all([
      freshDatabase('template_production'),
      freshDatabase('template_sandbox'),
    ])
    const port = await startPooler(t, new URL(production.url))
    const pooled = (url: string): string => {
      const other = new URL(asService(url))
      other.hostname = '127.0.0.1'
      other.port = String(port)
      return other.href
    }
    // Another than the server's, so that only what a session says itself makes it UTC.
    await withClient(production.url, async (client) => {
      for (const { url } of [production, sandbox])
        await client.query(`alter database ${new URL(url).pathname.slice(1)} set timezone = 'Asia/Tokyo'`)
    })
    const startWith = (ROLE: string) =>
      startTestService({
        databases: { production: production.url, sandbox: sandbox.url },
        variables: { DATABASE_URL: pooled(production.url), SANDBOX_DATABASE_URL: pooled(sandbox.url), ROLE },
      })
    const service = await startWith('api')
    // Orders are placed by another process, which a call learns of by the database.
    const worker = await startWith('worker')
    t.after(async () => {
      await Promise.all([service.close(), worker.close()])
      await Promise.all([production.drop(), sandbox.drop()])
    })
    const primary = await partner(service, 'primary')
    const build = orderBuilder(service.manifest)
    const before = Date.now()
    const { orderNumber } = await placed(primary, build.order())
    const order = await primary.get(`/v1/orders/${orderNumber}`)
    assert.equal(order.status, 200)
    const placedOn = Date.parse(order.body.placedOn)
    assert.ok(placedOn >= before - 1_000 && placedOn <= Date.now() + 1_000, order.body.placedOn)
    assert.equal((await primary.get('/v1/orders?limit=50')).status, 200)

    // A call that only looks every second ends at a look, so the next one would wait for a whole second.
    const waits: number[] = []
    for (let turn = 0; turn < 4; turn++) {
      const startedAt = ownTime()
      await primary.post('/v1/orders', build.order())
      waits.push(ownTime() - startedAt)
    }
    assert.ok(Math.min(...waits.slice(1)) < 700, `${waits.join(', ')} ms`)
  },
)
