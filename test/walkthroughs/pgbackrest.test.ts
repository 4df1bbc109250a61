import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { chooseFreePort } from '../../src/database/embedded/postmaster.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { send, token } from '../world/partner.ts'
import { freshDataDir, killService, type ServiceProcess, startServiceProcess } from '../world/service-process.ts'

/** The drill of docs/backup.md for a PostgreSQL of one's own, version 15, backed up by pgBackRest. */
const programs = '/usr/lib/postgresql/15/bin'

function whySkipped(): string | false {
  const ids = ['-u', '-g'].map((which) => spawnSync('id', [which, 'postgres']).stdout.toString().trim())
  const missing =
    process.getuid?.() !== 0
      ? 'root, to become the user postgres'
      : !existsSync('/usr/bin/pgbackrest') || !existsSync(programs) || ids.includes('')
        ? 'the packages pgbackrest and postgresql-15'
        : undefined
  if (missing === undefined) return false
  const said = `the drill with pgBackRest needs ${missing}`
  if (process.env.REQUIRE_SERVICES === '1') throw new Error(`${said}, and REQUIRE_SERVICES=1 asks for it`)
  process.stderr.write(`\n!!! SKIPPED: ${said}.\n\n`)
  return said
}

const skip = whySkipped()
const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-pgbackrest-'))
const { dataDir, remove } = await freshDataDir()
const port = await chooseFreePort()
const cluster = join(folder, 'main')
let server: ChildProcess | undefined
let service: ServiceProcess | undefined

after(async () => {
  service?.signal('SIGTERM')
  await service?.ended
  await stopServer()
  await remove()
  await rm(folder, { recursive: true })
})

const env = { PATH: `${programs}:/usr/bin:/bin`, LC_ALL: 'C', PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf') }
const asPostgres = ['--reuid=postgres', '--regid=postgres', '--clear-groups']
const guide = await readFile(new URL('../../docs/backup.md', import.meta.url), 'utf8')

function run(commands: string): Promise<unknown> {
  return promisify(execFile)('setpriv', [...asPostgres, 'sh', '-euc', commands], { env, cwd: folder })
}

/** The block of the guide, in this language, that has these words. */
function block(language: string, words: string): string {
  const blocks = [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``, 'g'))].map(([, text]) => text!)
  return blocks.find((text) => text.includes(words)) ?? assert.fail(`docs/backup.md has no block with ${words}`)
}

function url(database: string): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`
}

async function query(database: string, text: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: url(database) })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, string>>(text)).rows
  } finally {
    await client.end()
  }
}

/** Starts PostgreSQL and waits until it may be written to. */
async function startServer(): Promise<void> {
  const started = spawn('setpriv', [...asPostgres, '--pdeathsig=KILL', 'postgres', '-D', cluster], {
    env,
    cwd: folder,
    stdio: 'ignore',
  })
  server = started
  for (;;) {
    const [row] = await query('postgres', 'select pg_is_in_recovery()::text as recovering').catch(() => [])
    if (row?.recovering === 'false') return
    assert.equal(started.exitCode, null, 'PostgreSQL ended')
    await delay(50)
  }
}

async function stopServer(): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGINT')
  await ended
}

async function start(): Promise<ServiceProcess> {
  return startServiceProcess(dataDir, {
    DATABASE_URL: url('production'),
    SANDBOX_DATABASE_URL: url('sandbox'),
  })
}

async function order({ hosts, manifest }: ServiceProcess, partnerOrderId: string): Promise<void> {
  const bearer = await token(hosts.baseUrl, manifest.partners.primary.clients![0]!)
  const body = orderBuilder(manifest).order({ partnerOrderId })
  const answer = await send(hosts.baseUrl, 'POST', '/v1/orders', body, { authorization: `Bearer ${bearer}` })
  assert.ok(answer.body.order, JSON.stringify(answer.body))
}

/** Waits for a second that begins, by PostgreSQL's clock, and answers it. */
async function nextSecond(): Promise<string> {
  const second = async (): Promise<string> => {
    const [row] = await query(
      'postgres',
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"+00"') as now`,
    )
    return row!.now!
  }
  const before = await second()
  for (;;) {
    const now = await second()
    if (now !== before) return now
    await delay(20)
  }
}

async function orders(): Promise<string[]> {
  const rows = await query(
    'production',
    `select partner_order_id as id from submission where partner_order_id like 'drill-%' and status = 'completed' order by 1`,
  )
  return rows.map(({ id }) => id!)
}

test(
  'pgBackRest restores a PostgreSQL of one’s own to a moment, and the service goes on with exactly the orders before it',
  { skip },
  async (t) => {
    const [uid, gid] = ['-u', '-g'].map((which) => Number(spawnSync('id', [which, 'postgres']).stdout.toString()))
    await chown(folder, uid!, gid!)
    await chmod(folder, 0o711)
    await mkdir(join(folder, 'repository'))
    await chown(join(folder, 'repository'), uid!, gid!)
    const configuration = block('ini', 'repo1-path')
      .replace('/var/lib/pgbackrest', join(folder, 'repository'))
      .replace('/var/lib/postgresql/15/main', cluster)
      .replace('[global]\n', `[global]\nlock-path=${folder}/lock\nlog-level-file=off\n`)
      .concat(`pg1-port=${port}\npg1-socket-path=${folder}\n`)
    await writeFile(env.PGBACKREST_CONFIG, configuration)
    await run(`initdb -D ${cluster} -A trust -E UTF8 >/dev/null`)
    const settings = `listen_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = '${folder}'\nmax_connections = 300\n`
    await writeFile(join(cluster, 'postgresql.conf'), `${settings}${block('ini', 'archive_command')}`)
    await startServer()
    await query('postgres', 'create database production')
    await query('postgres', 'create database sandbox')
    await run(block('sh', 'stanza-create'))
    service = await start()
    await order(service, 'drill-1')
    await run(block('sh', 'full backup'))
    // pgBackRest counts in whole seconds, so the moment must be in a later one than the end of the backup.
    await nextSecond()
    await order(service, 'drill-2')
    const now = await nextSecond()
    await order(service, 'drill-3')
    const [{ segment } = {}] = await query('postgres', 'select pg_walfile_name(pg_switch_wal()) as segment')
    for (;;) {
      const [{ done } = {}] = await query(
        'postgres',
        `select (last_archived_wal >= '${segment}')::text as done from pg_stat_archiver`,
      )
      if (done === 'true') break
      await delay(50)
    }
    await killService(service, dataDir, false)
    service = undefined
    await stopServer()

    const startedAt = performance.now()
    await run(block('sh', '--type=time').replace(/2026-[\d: -]+\+00/, now))
    await startServer()
    t.diagnostic(`recovery time: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
    service = await start()
    assert.deepEqual(await orders(), ['drill-1', 'drill-2'])
    await order(service, 'drill-4')
    const { stdout } = await promisify(execFile)(
      'npm',
      block('sh', 'npm run -s reconcile').trim().split(' ').slice(1),
      {
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          ENV_FILE: '/dev/null',
          DATA_DIR: dataDir,
          DATABASE_URL: url('production'),
          SANDBOX_DATABASE_URL: url('sandbox'),
        },
      },
    )
    assert.match(stdout, /production files: \d+ named by rows.*, 0 missing or wrong/)
  },
)
