import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execFile, execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Manifest } from '../../src/demo/manifest.ts'
import { openObjectFolder } from '../../src/outside/object-store/object-folder.ts'
import { createStorageServer, storageListener } from '../../src/outside/object-store/storage-listener.ts'
import { systemClock } from '../../src/vocabulary/clock.ts'
import { silent } from '../world/partner-builder.ts'
import {
  type AppMachine,
  appMachines,
  type DatabaseMachine,
  databaseMachines,
  etcdCommand,
  type Passwords,
  patroniConfiguration,
  proxyConfiguration,
  proxyPorts,
} from './configurations.ts'
import { addresses, layNetwork, type Machine, machines, outsideAddress, removeNetwork } from './network.ts'
import { supervise, type Supervisor } from './supervisor.ts'

/**
 * The service as it runs on several machines: PostgreSQL with Patroni and etcd on three, an API process, a worker process
 * and a proxy on each of two, and Redis on one. The machines are network namespaces of this one. The object store is this
 * process, since a deployment would use somebody else's.
 */
export type Cluster = {
  /** where partners call: the proxies, of which any will do */
  baseUrls: readonly string[]
  manifest: Manifest
  supervisors: Readonly<Record<Machine, Supervisor>>
  primary: () => Promise<DatabaseMachine>
  synchronousStandby: () => Promise<DatabaseMachine>
  etcdLeader: () => Promise<DatabaseMachine>
  /** kills PostgreSQL's main process, and nothing else */
  killPostgres: (machine: DatabaseMachine) => Promise<void>
  /** undefined when everything runs; else what is missing */
  missing: () => Promise<string | undefined>
  /** resolves when nothing is missing */
  whole: () => Promise<void>
  /** the connection string of the production database on the primary, for the owner of the tables */
  ownerUrl: () => Promise<string>
  stop: () => Promise<void>
}

/** Data, configurations and logs. Kept in memory: disks of build machines are slow, and no machine here loses its memory. */
export const folder = '/run/partner-commerce-cluster'

const wholeSecondsMax = 90
const objectStorePort = 9000
const objectStoreKey = { accessKeyId: 'cluster', secretAccessKey: randomBytes(16).toString('hex'), region: 'local' }
const bucket = 'commerce'
const root = join(import.meta.dirname, '..', '..')

/** The programs that must be installed, by Debian's packages. */
const needed = {
  etcd: 'etcd-server',
  etcdctl: 'etcd-client',
  patroni: 'patroni',
  haproxy: 'haproxy',
  'redis-server': 'redis-server',
  ip: 'iproute2',
  setpriv: 'util-linux',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
}

/** Why a cluster cannot be started here; undefined if it can. */
export function whyNoCluster(): string | undefined {
  if (process.getuid!() !== 0) return 'a cluster of network namespaces needs root'
  const packages = Object.entries(needed).filter(([program]) => {
    try {
      execFileSync('sh', ['-c', `command -v ${program}`])
      return false
    } catch {
      return true
    }
  })
  if (packages.length > 0) return `these packages are missing: ${packages.map(([, name]) => name).join(' ')}`
  return undefined
}

/** Starts it all, in a minute or so. One cluster runs on a machine at a time: what an earlier one left is removed. */
export function startCluster(tell: (line: string) => void): Promise<Cluster> {
  return start((opened) => build(opened, tell))
}

/** The cluster without databases and service: what is there before the first installation. */
export type EmptyCluster = Pick<Cluster, 'stop'> & {
  /** of the superuser of PostgreSQL, by the proxy of an app machine */
  adminUrl: string
  objectStore: typeof objectStoreKey & { endpoint: string; bucket: string }
}

export function startEmptyCluster(): Promise<EmptyCluster> {
  return start(async (opened) => {
    const { passwords } = await buildMachines(opened)
    return {
      adminUrl: `postgres://postgres:${passwords.superuser}@127.0.0.1:${proxyPorts.primary}/postgres`,
      objectStore: { ...objectStoreKey, endpoint: `http://${outsideAddress}:${objectStorePort}`, bucket },
      stop: () => opened.disposeAsync(),
    }
  })
}

async function start<Started>(make: (opened: AsyncDisposableStack) => Promise<Started>): Promise<Started> {
  await removeCluster()
  await mkdir(folder)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', folder])
  const opened = new AsyncDisposableStack()
  opened.defer(removeCluster)
  try {
    await layNetwork()
    return await make(opened)
  } catch (error) {
    const logs = execFileSync('sh', ['-c', `tail -n 20 ${folder}/*.log 2>&1 || true`]).toString()
    await opened.disposeAsync()
    throw new Error(`the cluster did not start; its programs said last:\n${logs}`, { cause: error })
  }
}

async function removeCluster(): Promise<void> {
  await removeNetwork()
  if ((await readFile('/proc/mounts', 'utf8')).includes(` ${folder} `)) execFileSync('umount', [folder])
  await rm(folder, { recursive: true, force: true })
}

async function buildMachines(
  opened: AsyncDisposableStack,
): Promise<{ passwords: Passwords; supervisors: Cluster['supervisors'] }> {
  const supervisors = Object.fromEntries(
    machines.map((machine) => [machine, supervise(machine, folder)]),
  ) as Cluster['supervisors']
  opened.defer(() => Promise.all(machines.map((machine) => supervisors[machine].powerOff())).then(() => undefined))
  const password = (): string => randomBytes(12).toString('hex')
  const passwords = { superuser: password(), replication: password(), owner: password(), service: password() }

  for (const machine of databaseMachines) await startDatabase(machine, passwords, supervisors[machine])
  supervisors.cache.start({
    name: 'redis',
    command: ['redis-server', '--bind', addresses.cache, '--port', '6379', '--protected-mode', 'no', '--save', ''],
  })
  await openObjectStore(opened)
  for (const machine of appMachines) {
    const file = join(folder, `${machine}-haproxy.cfg`)
    await writeFile(file, proxyConfiguration(machine))
    supervisors[machine].start({ name: 'haproxy', command: ['haproxy', '-db', '-f', file] })
  }
  await eventually(async () => ((await whole(false)) === undefined ? true : undefined))
  return { passwords, supervisors }
}

async function build(opened: AsyncDisposableStack, tell: (line: string) => void): Promise<Cluster> {
  tell('etcd and Patroni')
  const { passwords, supervisors } = await buildMachines(opened)
  const url = async (database: string, user: string, secret: string): Promise<string> =>
    `postgres://${user}:${secret}@${addresses[await primary()]}:5432/${database}`
  await makeDatabases(await url('postgres', 'postgres', passwords.superuser), passwords)

  tell('the service: migrations and demo data')
  const environment = serviceEnvironment(passwords)
  for (const machine of appMachines) {
    startService(machine, environment, supervisors[machine])
    // The first brings the demo data, which the others find.
    await eventually(async () => ((await isReady(machine, 9090)) ? true : undefined))
  }
  await eventually(async () => ((await whole(true)) === undefined ? true : undefined))
  const manifest = JSON.parse(await readFile(join(folder, 'app1-api', 'demo.json'), 'utf8')) as Manifest

  return {
    baseUrls: appMachines.map((machine) => `http://${addresses[machine]}:${proxyPorts.partners}`),
    manifest,
    supervisors,
    primary,
    synchronousStandby,
    etcdLeader,
    killPostgres: async (machine) => {
      const pid = Number((await readFile(join(folder, machine, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
      process.kill(pid, 'SIGKILL')
    },
    missing: () => whole(true),
    whole: async () => void (await eventually(async () => ((await whole(true)) === undefined ? true : undefined))),
    ownerUrl: () => url('production', 'commerce_owner', passwords.owner),
    stop: () => opened.disposeAsync(),
  }
}

async function startDatabase(machine: DatabaseMachine, passwords: Passwords, supervisor: Supervisor): Promise<void> {
  const own = join(folder, machine)
  await mkdir(own, { mode: 0o700 })
  const file = join(own, 'patroni.yml')
  await writeFile(file, patroniConfiguration(machine, own, passwords))
  const id = (kind: string): number => Number(execFileSync('id', [kind, 'postgres']).toString())
  for (const path of [own, file]) await chown(path, id('-u'), id('-g'))
  supervisor.start({ name: 'etcd', user: 'postgres', command: etcdCommand(machine, own) })
  // PostgreSQL's archive_command finds the configuration of its machine by it.
  const environment = { PGBACKREST_CONFIG: join(own, 'pgbackrest.conf') }
  supervisor.start({ name: 'patroni', user: 'postgres', command: ['patroni', file], environment })
}

async function openObjectStore(opened: AsyncDisposableStack): Promise<void> {
  const files = await openObjectFolder(join(folder, 'objects'))
  const origin = `http://${outsideAddress}:${objectStorePort}`
  const options = { bucket, signingKeys: [objectStoreKey], browserOrigin: () => origin, now: systemClock, log: silent }
  const server = createStorageServer(storageListener(files, options), () => origin)
  server.listen(objectStorePort, outsideAddress)
  await once(server, 'listening')
  opened.defer(() => {
    server.closeAllConnections()
    server.close()
  })
}

async function makeDatabases(url: string, passwords: Passwords): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create role commerce_owner login password '${passwords.owner}'`)
    await client.query(`create role commerce_service login password '${passwords.service}'`)
    await client.query('create database production owner commerce_owner')
    await client.query('create database sandbox owner commerce_owner')
  } finally {
    await client.end()
  }
}

function serviceEnvironment(passwords: Passwords): Record<string, string> {
  const at = (user: 'owner' | 'service', database: string, port: number): string =>
    `postgres://commerce_${user}:${passwords[user]}@127.0.0.1:${port}/${database}`
  const { primary: primaryPort, replica } = proxyPorts
  return {
    DATABASE_URL: at('service', 'production', primaryPort),
    SANDBOX_DATABASE_URL: at('service', 'sandbox', primaryPort),
    MIGRATION_DATABASE_URL: at('owner', 'production', primaryPort),
    SANDBOX_MIGRATION_DATABASE_URL: at('owner', 'sandbox', primaryPort),
    DATABASE_REPLICA_URL: at('service', 'production', replica),
    REDIS_URL: `redis://${addresses.cache}:6379`,
    S3_ENDPOINT: `http://${outsideAddress}:${objectStorePort}`,
    S3_REGION: objectStoreKey.region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: objectStoreKey.accessKeyId,
    S3_SECRET_ACCESS_KEY: objectStoreKey.secretAccessKey,
    S3_PATH_STYLE: 'on',
    SECRET_KEY: randomBytes(32).toString('hex'),
    // This process speaks for many partners, each with an address of its own.
    TRUSTED_PROXIES: [...appMachines.map((machine) => addresses[machine]), outsideAddress].join(),
    DEMO: 'cast',
    LOG_LEVEL: 'warn',
  }
}

function startService(machine: AppMachine, environment: Record<string, string>, supervisor: Supervisor): void {
  const command = [process.execPath, '--max-old-space-size=512', join(root, 'src', 'main.ts')]
  for (const [role, opsPort] of [
    ['api', '9090'],
    ['worker', '9091'],
  ] as const) {
    const own = { ROLE: role, DATA_DIR: join(folder, `${machine}-${role}`), HOST: addresses[machine] }
    const ops = { OPS_HOST: addresses[machine], OPS_PORT: opsPort }
    supervisor.start({ name: role, command, environment: { ...environment, ...own, ...ops } })
  }
}

type Member = { name: DatabaseMachine; role: string; state: string }

/** The members as Patroni sees them, asked of the first machine that answers. */
async function members(): Promise<Member[]> {
  const asked = databaseMachines.map(async (machine) => {
    const answer = await fetch(`http://${addresses[machine]}:8008/cluster`, { signal: AbortSignal.timeout(2_000) })
    return ((await answer.json()) as { members: Member[] }).members
  })
  return Promise.any(asked)
}

function memberWith(role: string): Promise<DatabaseMachine> {
  return eventually(async () => (await members()).find((member) => member.role === role)?.name)
}

const primary = (): Promise<DatabaseMachine> => memberWith('leader')
const synchronousStandby = (): Promise<DatabaseMachine> => memberWith('sync_standby')

async function etcdctl(...words: string[]): Promise<string> {
  const endpoints = databaseMachines.map((each) => `http://${addresses[each]}:2379`).join()
  const options = { env: { ...process.env, ETCDCTL_API: '3' } }
  const all = [`--endpoints=${endpoints}`, '--command-timeout=2s', ...words]
  return (await promisify(execFile)('etcdctl', all, options)).stdout
}

type EtcdStatus = { Endpoint: string; Status: { header: { member_id: number }; leader: number } }

async function etcdLeader(): Promise<DatabaseMachine> {
  const statuses = JSON.parse(await etcdctl('endpoint', 'status', '--write-out=json')) as EtcdStatus[]
  const found = statuses.find(({ Status }) => Status.leader === Status.header.member_id)
  return databaseMachines.find((machine) => found?.Endpoint.includes(addresses[machine]))!
}

async function isReady(machine: AppMachine, opsPort: number): Promise<boolean> {
  const url = `http://${addresses[machine]}:${opsPort}/readyz`
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    (answer) => answer.ok,
    () => false,
  )
}

/** What is missing; with the service, or only its databases. */
async function whole(withService: boolean): Promise<string | undefined> {
  try {
    await etcdctl('endpoint', 'health')
  } catch {
    return 'etcd is not healthy'
  }
  const found = await members().catch((): Member[] => [])
  const running = found.filter(({ state }) => state === 'running' || state === 'streaming')
  if (running.length < databaseMachines.length) return `${running.length} of ${databaseMachines.length} databases run`
  for (const role of ['leader', 'sync_standby', 'replica'])
    if (!found.some((member) => member.role === role)) return `there is no ${role}`
  if (!withService) return undefined
  for (const machine of appMachines)
    for (const port of [9090, 9091]) if (!(await isReady(machine, port))) return `${machine}:${port} is not ready`
  for (const machine of appMachines) {
    const up = await serversUp(machine)
    if (up !== 'primary 1, replica 2, ready 2') return `the proxy of ${machine} sees only ${up}`
  }
  return undefined
}

/** How many servers the proxy of a machine would use for what. */
async function serversUp(machine: AppMachine): Promise<string> {
  const url = `http://${addresses[machine]}:${proxyPorts.status}/;csv`
  const text = await (await fetch(url, { signal: AbortSignal.timeout(2_000) })).text()
  const count = (name: string): number => text.match(new RegExp(`^${name},(db|app)\\d,.*,UP,`, 'gm'))?.length ?? 0
  return ['primary', 'replica', 'ready'].map((name) => `${name} ${count(name)}`).join(', ')
}

/** Asks until there is an answer. */
async function eventually<Value>(ask: () => Promise<Value | undefined>): Promise<Value> {
  const startedAt = performance.now()
  for (;;) {
    const value = await ask().catch(() => undefined)
    if (value !== undefined) return value
    if (performance.now() - startedAt > wholeSecondsMax * 1_000)
      throw new Error(`waited ${wholeSecondsMax} s; ${await whole(true)}`)
    await delay(200)
  }
}
