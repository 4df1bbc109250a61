import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, link, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { findBinariesPackage, installedFolder, prepareBinaries } from './binaries.ts'
import { chooseFreePort, launchPostmaster } from './postmaster.ts'
import { holderOf, readPostmasterFile } from './postmaster-file.ts'
import { type EmbeddedServer, EmbeddedServerRefused, startEmbeddedServer } from './server.ts'

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }
const onlyRoot = isRoot ? false : 'needs root, to become another user'

test('a first start', async (t) => {
  const { folder, atEnd } = await dataFolder(t)
  const server = await startEmbeddedServer({ folder, log: silent })
  atEnd(() => server.stop())

  await t.test('makes a durable PostgreSQL 18 in UTF-8 that listens only on this machine', async () => {
    assert.equal(server.adopted, false)
    const [row] = await query(
      server,
      `select current_setting('server_version_num')::int / 10000 as major, pg_encoding_to_char(encoding) as encoding,
        datlocale, current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
        current_setting('synchronous_commit') as synchronous_commit, current_setting('data_checksums') as data_checksums,
        current_setting('listen_addresses') as listen_addresses, current_setting('data_directory') as data_directory
      from pg_database where datname = current_database()`,
    )
    assert.deepEqual(row, {
      major: 18,
      encoding: 'UTF8',
      datlocale: 'C.UTF-8',
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      listen_addresses: '127.0.0.1',
      data_directory: join(folder, 'cluster'),
    })
    assert.deepEqual((await readdir(folder)).toSorted(), ['cluster', 'password', 'postgresql.log'])
    assert.equal((await stat(join(folder, 'password'))).mode & 0o777, 0o600)
  })

  await t.test('does not pass on the service’s environment', { skip: process.platform !== 'linux' }, async () => {
    const environment = await readFile(`/proc/${await postmasterPid(folder)}/environ`, 'utf8')
    assert.deepEqual(environment.split('\0').filter(Boolean).toSorted(), ['LC_ALL=C', 'PATH=/usr/bin:/bin', 'TZ=UTC'])
  })

  await t.test('turns away a connection without the password, or with a wrong one', async () => {
    const bare = new URL(server.url('postgres'))
    assert.ok(bare.password.length >= 40)
    bare.password = 'wrong'
    await assert.rejects(queryUrl(bare.href, 'select 1'), { code: '28P01' })
    bare.password = ''
    await assert.rejects(queryUrl(bare.href, 'select 1'), /password/)
  })

  await t.test('is reached through its socket, with the password, and over loopback', async () => {
    const url = new URL(server.url('postgres'))
    assert.equal(decodeURIComponent(url.hostname), join(folder, 'cluster'))
    const [row] = await query(server, 'select inet_client_addr() as address')
    assert.equal(row!.address, null, 'not over the network')
    const overLoopback = url.href.replace(url.hostname, '127.0.0.1')
    assert.deepEqual(await queryUrl(overLoopback, 'select 1 as one'), [{ one: 1 }])
  })

  await t.test('is shared with a second process, which can release it without stopping it', async () => {
    const guest = await startEmbeddedServer({ folder, log: silent })
    assert.equal(guest.adopted, true)
    await guest.release()
    await guest.stop()
    assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }])
  })
})

test('a folder with a path too long for a socket is served over loopback', async (t) => {
  const { folder, atEnd } = await dataFolder(t)
  const server = await startEmbeddedServer({ folder: join(folder, 'long'.repeat(25)), log: silent })
  atEnd(() => server.stop())
  assert.equal(new URL(server.url('postgres')).hostname, '127.0.0.1')
  assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }])
})

test('a stopped server', async (t) => {
  const { folder } = await dataFolder(t)
  const cluster = join(folder, 'cluster')
  const first = await startEmbeddedServer({ folder, log: silent })
  await query(first, `create table kept as select 'still here' as word`)
  const pid = await postmasterPid(folder)
  await Promise.all([first.stop(), first.stop()])

  await t.test('leaves no process and no postmaster.pid', async () => {
    assert.equal(await holderOf(pid, cluster), 'nobody')
    assert.equal(await readPostmasterFile(cluster), undefined)
  })

  const startsWithItsRows = async (): Promise<void> => {
    const server = await startEmbeddedServer({ folder, log: silent })
    try {
      assert.equal(server.adopted, false)
      assert.deepEqual(await query(server, 'select word from kept'), [{ word: 'still here' }])
    } finally {
      await server.stop()
    }
  }
  await t.test('starts again with its rows', startsWithItsRows)

  await t.test('starts although a stale postmaster.pid names a living process of another kind', async () => {
    const stranger = spawn('sleep', ['60'], isRoot ? nobody : {})
    try {
      await writeFile(join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n1700000000\n5432\n\n127.0.0.1\n`)
      await startsWithItsRows()
      assert.equal(stranger.exitCode ?? stranger.signalCode, null)
    } finally {
      stranger.kill()
    }
  })

  await t.test('starts although root restored it from a copy and owns its files', { skip: onlyRoot }, async () => {
    assert.equal(spawnSync('chown', ['-R', '0:0', cluster]).status, 0)
    await startsWithItsRows()
    const { uid } = await stat(join(cluster, 'base'))
    assert.ok(uid !== 0 && uid !== nobody.uid, `user ${uid}`)
  })

  await t.test('starts although a power cut left postmaster.pid empty', async () => {
    await writeFile(join(cluster, 'postmaster.pid'), '')
    await startsWithItsRows()
  })
})

test('the server of a killed service is taken over with its rows, and then watched and stopped like any', async (t) => {
  const { folder, atEnd } = await dataFolder(t)
  const launcher = launch({ folder })
  const url = await launcher.url
  await queryUrl(url, `create table kept as select 'still here' as word`)
  const pid = await postmasterPid(folder)
  // To the whole process group, as a terminal sends a Ctrl-C: the server must not be in it.
  process.kill(-Number(launcher.child.pid), 'SIGKILL')
  await once(launcher.child, 'exit')

  const log = new Lines()
  const adopted = await startEmbeddedServer({ folder, log: log.add })
  atEnd(() => adopted.stop())
  assert.equal(adopted.adopted, true)
  assert.equal(adopted.url('postgres'), url)
  assert.equal(await postmasterPid(folder), pid)
  assert.deepEqual(await query(adopted, 'select word from kept'), [{ word: 'still here' }])

  process.kill(pid, 'SIGKILL')
  await log.seen(/runs again/)
  assert.deepEqual(await query(adopted, 'select word from kept'), [{ word: 'still here' }])

  const again = await postmasterPid(folder)
  await adopted.stop()
  assert.equal(await holderOf(again, join(folder, 'cluster')), 'nobody')
})

test('a server killed while the service runs comes back on the same port, even while an orphan still has its memory', async (t) => {
  const { folder, log, server, client } = await serverInUse(t)
  // A stopped backend cannot notice that its postmaster died, and keeps the shared memory attached.
  const backend = Number((await client.query('select pg_backend_pid() as pid')).rows[0]?.pid)
  process.kill(backend, 'SIGSTOP')
  process.kill(await postmasterPid(folder), 'SIGKILL')
  await log.seen(/^warn: PostgreSQL ended unexpectedly/)
  await until(async () => /shared memory block/.test(await readFile(join(folder, 'postgresql.log'), 'utf8')))
  process.kill(backend, 'SIGKILL')

  await log.seen(/runs again/)
  assert.deepEqual(await query(server, 'select word from kept'), [{ word: 'still here' }])
})

test('a server that somebody asks to stop once all connections have ended is ended and comes back', async (t) => {
  // The client keeps the server from ending, as the service's own connections do.
  const { folder, log, server, client } = await serverInUse(t)
  process.kill(await postmasterPid(folder), 'SIGTERM')

  await log.seen(/^warn: PostgreSQL was told to stop/)
  await log.seen(/^info: PostgreSQL runs again/)
  assert.deepEqual(await query(server, 'select word from kept'), [{ word: 'still here' }])
  await assert.rejects(client.query('select 1'))
})

test('a stop while the server is being brought back leaves no process behind', async (t) => {
  const { folder } = await dataFolder(t)
  const log = new Lines()
  const server = await startEmbeddedServer({ folder, log: log.add })
  process.kill(await postmasterPid(folder), 'SIGKILL')
  await log.seen(/ended unexpectedly/)
  await server.stop()
  const file = await readPostmasterFile(join(folder, 'cluster'))
  if (typeof file === 'object') assert.notEqual(await holderOf(file.pid, join(folder, 'cluster')), 'postmaster')
  // The socket file of a killed server may still be there.
  await assert.rejects(query(server, 'select 1'), { code: /^(ECONNREFUSED|ENOENT)$/ })
})

test('two first starts at once share one server', async (t) => {
  const { folder, atEnd } = await dataFolder(t)
  const [one, two] = await Promise.all([
    startEmbeddedServer({ folder, log: silent }),
    startEmbeddedServer({ folder, log: silent }),
  ])
  atEnd(() => Promise.all([one.stop(), two.stop()]))
  assert.equal(one.url('postgres'), two.url('postgres'))
  assert.deepEqual([one.adopted, two.adopted].toSorted(), [false, true])
})

test('root can keep the service and its data in a folder closed to everyone else', { skip: onlyRoot }, async (t) => {
  const { beside, atEnd } = await dataFolder(t)
  const home = join(beside, 'home')
  await mkdir(home, { mode: 0o700 })
  const version = `18.4.0-test-${process.pid}`
  await copyPackageWithoutLinks(join(home, 'package'), version)
  t.after(async () => {
    for (const name of await readdir(tmpdir())) {
      if (name.startsWith(`partner-commerce-postgresql-${version}`)) await rm(join(tmpdir(), name), { recursive: true })
    }
  })
  const folder = join(home, 'data')
  atEnd(() => endServerOf(folder))
  const server = await startEmbeddedServer({ folder, log: silent, packageFolder: join(home, 'package') })
  atEnd(() => server.stop())
  await query(server, 'create table kept (word text)')
  // A reload reads files, although the path to them is closed to the server's user.
  assert.deepEqual(await query(server, 'select pg_reload_conf() as done'), [{ done: true }])
  await query(server, 'create database another')
  assert.deepEqual(await queryUrl(server.url('another'), 'select 1 as one'), [{ one: 1 }])
  assert.equal((await stat(home)).mode & 0o777, 0o700)
})

test(
  'root runs it as a user and a group that no account has, and who own all its files',
  { skip: onlyRoot },
  async (t) => {
    const { folder, atEnd } = await dataFolder(t)
    const server = await startEmbeddedServer({ folder, log: silent })
    atEnd(() => server.stop())
    const user = await stat(`/proc/${await postmasterPid(folder)}`)
    for (const file of ['/etc/passwd', '/etc/group']) {
      const ids = (await readFile(file, 'utf8')).split('\n').map((line) => Number(line.split(':')[2]))
      assert.ok(!ids.includes(user.uid) && !ids.includes(user.gid), `${user.uid} is in ${file}`)
    }
    assert.deepEqual(await ownersIn(join(folder, 'cluster')), [`${user.uid}:${user.gid}`])
  },
)

test(
  'a cluster that was made for nobody is taken over as it runs, and changes hands at the next start',
  { skip: onlyRoot },
  async (t) => {
    const { folder, atEnd } = await dataFolder(t)
    const cluster = join(folder, 'cluster')
    const first = await startEmbeddedServer({ folder, log: silent })
    await query(first, `create table kept as select 'still here' as word`)
    await first.stop()
    assert.equal(spawnSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, cluster]).status, 0)
    const binaries = await prepareBinaries(await findBinariesPackage(), folder, nobody)
    await launchPostmaster({ folder, binaries, runAs: nobody, more: {}, port: await chooseFreePort() })
    await until(async () => (await statusOf(folder)) === 'ready')

    const adopted = await startEmbeddedServer({ folder, log: silent })
    atEnd(() => adopted.stop())
    assert.equal(adopted.adopted, true)
    assert.deepEqual(await query(adopted, 'select word from kept'), [{ word: 'still here' }])
    assert.deepEqual(await ownersIn(cluster), [`${nobody.uid}:${nobody.gid}`])
    await adopted.stop()

    const next = await startEmbeddedServer({ folder, log: silent })
    atEnd(() => next.stop())
    assert.deepEqual(await query(next, 'select word from kept'), [{ word: 'still here' }])
    const user = await stat(`/proc/${await postmasterPid(folder)}`)
    assert.notEqual(user.uid, nobody.uid)
    assert.deepEqual(await ownersIn(cluster), [`${user.uid}:${user.gid}`])
  },
)

test('an ordinary user runs it as itself', { skip: onlyRoot }, async (t) => {
  const { folder } = await dataFolder(t)
  await mkdir(folder)
  await chown(folder, nobody.uid, nobody.gid)
  const launcher = launch({ folder }, nobody)
  assert.deepEqual(await queryUrl(await launcher.url, 'select 1 as one'), [{ one: 1 }])
  assert.equal((await stat(join(folder, 'cluster'))).uid, nobody.uid)
  launcher.child.kill('SIGTERM')
  await once(launcher.child, 'exit')
  assert.equal(await readPostmasterFile(join(folder, 'cluster')), undefined)
})

test('an obstacle is reported in one sentence that says what to do', async (t) => {
  const { beside } = await dataFolder(t)
  const file = join(beside, 'file')
  await writeFile(file, 'not a folder')
  assert.match(await refusalFor(file), /a file stands in its place.*DATA_DIR/)
  assert.match(await refusalFor(join(file, 'below')), /a file stands in its place.*DATA_DIR/)
  assert.equal(await readFile(file, 'utf8'), 'not a folder')

  const older = join(beside, 'older')
  await mkdir(join(older, 'cluster'), { recursive: true })
  await writeFile(join(older, 'password'), 'x')
  await writeFile(join(older, 'cluster', 'PG_VERSION'), '17\n')
  assert.match(await refusalFor(older), /made by PostgreSQL 17 .*PostgreSQL 18.*DATA_DIR/)

  const empty = join(beside, 'empty')
  await mkdir(join(empty, 'cluster'), { recursive: true })
  await writeFile(join(empty, 'password'), 'x')
  assert.match(await refusalFor(empty), /not a PostgreSQL cluster.*DATA_DIR/)

  const locked = join(beside, 'locked')
  await mkdir(join(locked, 'cluster'), { recursive: true })
  assert.match(await refusalFor(locked), /password is missing.*DATA_DIR/)

  assert.throws(() => installedFolder('win32', 'x64'), {
    name: 'EmbeddedServerRefused',
    message: /win32-x64.*DATABASE_URL/,
  })
})

test('a failure to make a cluster leaves nothing behind', async (t) => {
  const { folder, beside } = await dataFolder(t)
  const packageFolder = join(beside, 'package')
  await mkdir(join(packageFolder, 'native', 'bin'), { recursive: true })
  await writeFile(join(packageFolder, 'package.json'), JSON.stringify({ version: '18.4.0' }))
  await writeFile(join(packageFolder, 'native', 'bin', 'postgres'), '#!/bin/sh\n', { mode: 0o755 })
  await writeFile(
    join(packageFolder, 'native', 'bin', 'initdb'),
    '#!/bin/sh\necho begun >PG_VERSION\necho "initdb: error: could not write: No space left on device" >&2\nexit 1\n',
    { mode: 0o755 },
  )
  await assert.rejects(startEmbeddedServer({ folder, log: silent, packageFolder }), {
    name: 'EmbeddedServerRefused',
    message: /the disk is full: set DATA_DIR/,
  })
  assert.deepEqual(await readdir(folder), ['password'])
})

async function refusalFor(folder: string): Promise<string> {
  const error = await startEmbeddedServer({ folder, log: silent }).then(
    () => assert.fail('the server started'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof EmbeddedServerRefused, String(error))
  assert.match(error.message, /^[^\n]+\.$/)
  assert.match(error.message, /DATABASE_URL/)
  return error.message
}

/** A folder for a server that does not exist yet, open to pass through, and the folder around it; both go at the end. */
/** A folder for as long as the test lasts. What is given to `atEnd` comes before its removal, the last first. */
async function dataFolder(
  t: TestContext,
): Promise<{ folder: string; beside: string; atEnd: (end: () => Promise<unknown>) => void }> {
  const beside = await mkdtemp(join(tmpdir(), 'embedded-server-'))
  await chmod(beside, 0o755)
  const folder = join(beside, 'data')
  const ends: (() => Promise<unknown>)[] = []
  t.after(async () => {
    // A watched server would be restarted in the midst of the removal.
    for (const end of ends.toReversed()) await end()
    await endServerOf(folder)
    await rm(beside, { recursive: true, force: true })
  })
  return { folder, beside, atEnd: (end) => void ends.push(end) }
}

/** Ends a server that a failed test left running. */
async function endServerOf(folder: string): Promise<void> {
  const cluster = join(folder, 'cluster')
  const file = await readPostmasterFile(cluster)
  if (typeof file !== 'object' || (await holderOf(file.pid, cluster)) !== 'postmaster') return
  process.kill(file.pid, 'SIGQUIT')
  await until(async () => (await holderOf(file.pid, cluster)) !== 'postmaster')
}

/** The package as npm leaves it without install scripts. Files are hard links where the file system is the same. */
async function copyPackageWithoutLinks(to: string, version: string): Promise<void> {
  const from = installedFolder(process.platform, process.arch)
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const [source, target] = [entry.parentPath, to + entry.parentPath.slice(from.length)].map((at) =>
      join(at, entry.name),
    )
    assert.ok(source && target)
    if (!entry.isFile() || entry.name === 'package.json') continue
    await mkdir(dirname(target), { recursive: true })
    await link(source, target).catch(() => copyFile(source, target))
  }
  await writeFile(join(to, 'package.json'), JSON.stringify({ version }))
}

/** Starts the server from a process of its own, as the service does, until SIGTERM. */
function launch(
  options: { folder: string },
  user: { uid?: number; gid?: number } = {},
): { child: ChildProcess; url: Promise<string> } {
  const script = `
    import { startEmbeddedServer } from ${JSON.stringify(new URL('server.ts', import.meta.url).href)}
    const server = await startEmbeddedServer({ ...${JSON.stringify(options)}, log: () => {} })
    const alive = setInterval(() => {}, 60_000)
    process.once('SIGTERM', () => server.stop().then(() => clearInterval(alive)))
    console.log(server.url('postgres'))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = once(createInterface(child.stdout), 'line').then(([line]) => String(line))
  return { child, url }
}

/** `user:group` of everything in the folder, each once. */
async function ownersIn(folder: string): Promise<string[]> {
  const paths = (await readdir(folder, { recursive: true })).map((name) => join(folder, name))
  const owners = await Promise.all([folder, ...paths].map((path) => stat(path).catch(() => undefined)))
  return [...new Set(owners.flatMap((owner) => (owner ? [`${owner.uid}:${owner.gid}`] : [])))]
}

async function statusOf(folder: string): Promise<string | undefined> {
  const file = await readPostmasterFile(join(folder, 'cluster'))
  return typeof file === 'object' ? file.status : undefined
}

async function postmasterPid(folder: string): Promise<number> {
  const file = await readPostmasterFile(join(folder, 'cluster'))
  assert.ok(typeof file === 'object')
  return file.pid
}

function query(server: EmbeddedServer, text: string): Promise<Record<string, unknown>[]> {
  return queryUrl(server.url('postgres'), text)
}

async function queryUrl(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20)
}

/** A server with a table and a client, which is there until the server ends. */
async function serverInUse(t: TestContext) {
  const { folder, atEnd } = await dataFolder(t)
  const log = new Lines()
  const server = await startEmbeddedServer({ folder, log: log.add })
  atEnd(() => server.stop())
  await query(server, `create table kept as select 'still here' as word`)
  const client = new Client({ connectionString: server.url('postgres') })
  client.on('error', () => {})
  await client.connect()
  return { folder, log, server, client }
}

/** Collects log lines and answers when one matches. */
class Lines {
  readonly #all: string[] = []
  readonly #waiting = new Set<() => void>()

  add = (line: string, level = 'info'): void => {
    this.#all.push(`${level}: ${line}`)
    for (const look of this.#waiting) look()
  }

  seen(wanted: RegExp): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!this.#all.some((line) => wanted.test(line))) return
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
      look()
    })
  }
}

function silent(): void {}
