import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  access,
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  rmdir,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { listBackups } from '../../src/backup/backups.ts'
import { holderOf, readPostmasterFile } from '../../src/database/embedded/postmaster-file.ts'
import { sql } from '../../src/database/sql.ts'
import { objectFile } from '../../src/outside/object-store/object-folder.ts'
import { pdfFile } from '../world/artwork.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { send, token } from '../world/partner.ts'
import {
  freshDataDir,
  killService,
  type ServiceProcess,
  startServiceProcess,
  withServiceDatabase,
} from '../world/service-process.ts'
import { sendStaff } from '../world/staff.ts'

/** The drill of docs/backup.md: everything is lost, and comes back as it was at a moment. */
const guide = await readFile(new URL('../../docs/backup.md', import.meta.url), 'utf8')

let dataDir: string
let restoredDir: string
let secondDir: string
let backupDir: string
const removals: (() => Promise<void>)[] = []

async function newFolder(): Promise<string> {
  const fresh = await freshDataDir()
  removals.push(fresh.remove)
  return fresh.dataDir
}

before(async () => {
  dataDir = await newFolder()
  restoredDir = await newFolder()
  secondDir = await newFolder()
  backupDir = await mkdtemp(join(tmpdir(), 'partner-commerce-backup-'))
  // Started by root, PostgreSQL runs as another user, who must get there.
  await chmod(backupDir, 0o711)
})
after(async () => {
  for (const each of running) {
    each.signal('SIGTERM')
    await each.ended
  }
  for (const remove of removals) await remove()
  await rm(backupDir, { recursive: true })
})

const running = new Set<ServiceProcess>()

async function start(folder: string): Promise<ServiceProcess> {
  const service = await startServiceProcess(folder, { BACKUP_DIR: backupDir })
  running.add(service)
  return service
}

type Ended = { code: number; stdout: string; stderr: string }

function environmentOf(folder: string): Record<string, string | undefined> {
  const { PATH, HOME } = process.env
  return { PATH, HOME, ENV_FILE: '/dev/null', BACKUP_DIR: backupDir, DATA_DIR: folder }
}

/** Runs commands as an operator types them. */
function run(commands: string, folder: string): Promise<Ended> {
  const env = environmentOf(folder)
  return new Promise((resolve) => {
    execFile('sh', ['-euc', commands], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    )
  })
}

/** The same in a new process group, without waiting for the end. */
function startRun(commands: string, folder: string): { pid: number; ended: Promise<unknown> } {
  const child = spawn('sh', ['-euc', commands], { env: environmentOf(folder), stdio: 'ignore', detached: true })
  return { pid: child.pid!, ended: once(child, 'exit') }
}

/** The block of commands of the guide that has these words. */
function commandsWith(words: string): string {
  const blocks = [...guide.matchAll(/```sh\n([^`]*)```/g)].map(([, commands]) => commands!)
  return blocks.find((commands) => commands.includes(words)) ?? assert.fail(`docs/backup.md has no command ${words}`)
}

/** Places orders as the demo's partner, each with a print file if it is asked for. */
async function orderer({ hosts, manifest }: ServiceProcess) {
  const bearer = await token(hosts.baseUrl, manifest.partners.primary.clients![0]!)
  const build = orderBuilder(manifest)
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await send(hosts.baseUrl, method, path, body, { authorization: `Bearer ${bearer}` })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return async (partnerOrderId: string, withFile = false): Promise<void> => {
    const { order: placed } = await call('POST', '/v1/orders', build.order({ partnerOrderId }))
    const orderNumber = placed?.orderNumber as number | undefined
    assert.ok(orderNumber, `${partnerOrderId} was not placed`)
    if (!withFile) return
    const { items } = await call('GET', `/v1/orders/${orderNumber}/items`)
    const artwork = `/v1/orders/${orderNumber}/items/${items[0].itemNumber}/artwork`
    const { reservationName, uploadUrl } = await call('POST', `${artwork}/upload-url`, { fileName: 'cards.pdf' })
    const put = await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(pdfFile(partnerOrderId)) })
    assert.equal(put.status, 200)
    await call('POST', artwork, { reservationName })
  }
}

/** The orders of the drill that are placed. */
function ordersIn(folder: string): Promise<string[]> {
  return withServiceDatabase(folder, async (database) => {
    const rows = await database.statements.rows<{ id: string }>(sql`
      select partner_order_id as id from submission
      where partner_order_id like 'drill-%' and status = 'completed' order by 1`)
    return rows.map(({ id }) => id)
  })
}

/** The millisecond that begins now by the database's clock. It is over when this resolves, so later commits come after it. */
function moment(folder: string): Promise<string> {
  return withServiceDatabase(folder, async (database) => {
    const begins = async () =>
      Date.parse(
        (await database.statements.row<{ next: string }>(sql`
          select date_trunc('milliseconds', clock_timestamp()) + interval '1 ms' as next`))!.next,
      )
    const chosen = await begins()
    while ((await begins()) <= chosen + 1);
    return new Date(chosen).toISOString()
  })
}

/** Waits until what is committed is in the archive. */
async function archived(folder: string): Promise<void> {
  const closed = await switchWal(folder)
  return withServiceDatabase(folder, async (database) => {
    for (;;) {
      const row = await database.statements.row<{ done: boolean }>(sql`
        select coalesce(last_archived_wal >= ${closed}, false) as done from pg_stat_archiver`)
      if (row!.done) return
    }
  })
}

/** Closes the segment of WAL that is being written, and answers its name. */
function switchWal(folder: string): Promise<string> {
  return withServiceDatabase(folder, async (database) => {
    // A segment with nothing in it is not closed.
    await database.statements.rows(sql`select pg_logical_emit_message(false, 'test', 'something')`)
    const row = await database.statements.row<{ name: string }>(sql`select pg_walfile_name(pg_switch_wal()) as name`)
    return row!.name
  })
}

/** Waits until the newest print file is in the backup folder, and answers where. */
function newestCopy(folder: string): Promise<string> {
  return withServiceDatabase(folder, async (database) => {
    const row = await database.statements.row<{ key: string }>(sql`
      select object_key as key from print_file order by print_file_id desc limit 1`)
    return copied(row!.key)
  })
}

/** Erases a customer of the demo, and waits until the backup folder has the entry of the ledger. */
async function erase({ hosts, manifest }: ServiceProcess): Promise<void> {
  const session = await sendStaff(hosts.consoleUrl, 'POST', '/staff/v1/session', {
    ...manifest.staff,
    transport: 'bearer',
  })
  const id = String(manifest.fixtures.users.inactive)
  const erased = await sendStaff(
    hosts.consoleUrl,
    'POST',
    '/staff/v1/production/erasures',
    { kind: 'CUSTOMER', id, confirm: id, reason: 'REQUEST' },
    { authorization: `Bearer ${session.body.token}` },
  )
  assert.ok(erased.status < 300, JSON.stringify(erased.body))
  await copied('erasures/1.json')
}

async function copied(key: string): Promise<string> {
  const copy = join(backupDir, 'files', 'production', objectFile(key))
  while (!(await stat(copy).catch(() => undefined))) await new Promise((resolve) => setTimeout(resolve, 20))
  return copy
}

let chosen: string
let firstBackup: string
let placedBefore: string[]
let fileSince: string

test('a backup is taken while orders come in, and everything is restored to a moment: exactly the orders placed before it', async (t) => {
  const service = await start(dataDir)
  const order = await orderer(service)
  await order('drill-before', true)
  const backing = run(commandsWith('npm run -s backup'), dataDir)
  let isTaken = false
  void backing.then(() => (isTaken = true))
  for (let count = 1; !isTaken; count++) await order(`drill-during-${count}`)
  const taken = await backing
  assert.equal(taken.code, 0, taken.stderr)
  t.diagnostic(taken.stdout.trim())
  assert.match(taken.stdout, /moments from 20\S+Z on can be restored/)
  firstBackup = (await listBackups(backupDir))[0]!.name

  await order('drill-since-1', true)
  await order('drill-since-2')
  placedBefore = await ordersIn(dataDir)
  assert.ok(placedBefore.includes('drill-during-1'))
  fileSince = await newestCopy(dataDir)
  chosen = await moment(dataDir)
  await order('drill-too-late-1')
  await archived(dataDir)
  await erase(service)
  await order('drill-too-late-2')
  await archived(dataDir)
  assert.equal((await ordersIn(dataDir)).length, placedBefore.length + 2)
  await killService(service, dataDir, true)
  running.delete(service)

  await copyFile(join(dataDir, 'secret.key'), join(restoredDir, 'secret.key'))
  const restored = await run(commandsWith('restore -- --to 2').replaceAll(/20\d\d-\S+Z/g, chosen), restoredDir)
  assert.equal(restored.code, 0, `${restored.stdout}${restored.stderr}`)
  t.diagnostic(restored.stdout.trim())
  assert.match(restored.stdout, /key: the one that the databases need/)
  assert.match(restored.stdout, /production files: [1-9]\d* named by rows.*, 0 missing or wrong/)
  assert.match(restored.stdout, /recovery time: \d+\.\d s/)

  await assert.rejects(start(restoredDir), /belongs to another service, .* give this one a BACKUP_DIR of its own/)
  await rm(join(backupDir, 'owner'))
  const again = await start(restoredDir)
  assert.deepEqual(await ordersIn(restoredDir), placedBefore)
  const [erased] = await withServiceDatabase(restoredDir, (database) =>
    database.statements.rows(sql`
      select email, first_name from site_user where user_id = ${again.manifest.fixtures.users.inactive}`),
  )
  assert.deepEqual(erased, { email: null, firstName: null })
  assert.match(again.stderr(), /erased persons again whom an older backup had brought back/)
  const orderAgain = await orderer(again)
  await orderAgain('drill-again', true)
  assert.deepEqual(
    (await ordersIn(restoredDir)).filter((id) => !placedBefore.includes(id)),
    ['drill-again'],
  )
  const reconciled = await run(commandsWith('npm run -s reconcile'), restoredDir)
  assert.equal(reconciled.code, 0, `${reconciled.stdout}${reconciled.stderr}`)
  const { consoleUrl } = again.hosts
  const session = await sendStaff(consoleUrl, 'POST', '/staff/v1/session', {
    ...again.manifest.staff,
    transport: 'bearer',
  })
  const chain = await sendStaff(consoleUrl, 'GET', '/staff/v1/production/audit-chain', undefined, {
    authorization: `Bearer ${session.body.token}`,
  })
  assert.deepEqual([chain.body.holds, chain.body.brokenAt], [true, null])
})

test('a file that is lost is listed with the order that names it, and the rest is restored', async () => {
  await rm(fileSince)
  const restored = await run(`npm run -s restore -- --to ${chosen} --backup ${firstBackup}`, secondDir)
  assert.equal(restored.code, 3, restored.stderr)
  assert.match(restored.stdout, /missing: print file of order \d+ line 1 \(\S+\)/)
  assert.match(restored.stdout, /key: put the key with the fingerprint [0-9a-f]{64} into \S+secret\.key/)
  assert.deepEqual((await readdir(secondDir)).toSorted(), ['objects', 'postgres'])
})

test('a hole in the archive is named: latest ends before it, and a later moment is refused', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'partner-commerce-hole-'))
  await chmod(copy, 0o711)
  removals.push(() => rm(copy, { recursive: true }))
  await cp(backupDir, copy, { recursive: true, preserveTimestamps: true })
  const first = (await listBackups(copy)).find(({ name }) => name === firstBackup)!
  const archive = join(copy, 'wal', first.archiveId)
  const segments = (await readdir(archive)).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name)).toSorted()
  const missing = segments.findLast((name) => name > `${first.walTo}.gz` && name < segments.at(-1)!)!
  const asked = (to: string, folder: string) =>
    run(`BACKUP_DIR='${copy}' npm run -s restore -- --to ${to} --backup ${firstBackup}`, folder)
  // What is no backup, and a damaged entry of the ledger, keep nothing else from being restored.
  await mkdir(join(copy, 'base', '2020-01-01T00-00-00Z'))
  const entry = (number: number) => join(copy, 'files', 'production', objectFile(`erasures/${number}.json`))
  await mkdir(join(entry(3), '..'), { recursive: true })
  await copyFile(entry(1), entry(3))
  await truncate(entry(1), 30)
  await truncate(join(archive, missing), 1_000)
  const damaged = await asked('latest', join(await newFolder(), 'new'))
  assert.deepEqual([damaged.code, damaged.stdout], [2, ''])
  assert.match(damaged.stderr, new RegExp(`The archive's ${missing} is damaged: put the right file in its place`))
  await rm(join(archive, missing))
  const latestDir = join(await newFolder(), 'new')
  const latest = await asked('latest', latestDir)
  assert.equal(latest.code, 3, latest.stderr)
  assert.match(latest.stdout, new RegExp(`missing: the segment ${missing} of the WAL`))
  assert.match(latest.stdout, /damaged: entry of the ledger of erasures of 1 /)
  assert.match(latest.stdout, /missing: entry of the ledger of erasures of 2 /)
  assert.match(latest.stdout, /erasures in the ledger: 2;/)
  await access(join(latestDir, 'objects', 'production', 'objects', objectFile('erasures/3.json')))
  const refused = await asked('2100-01-01T00:00:00Z', join(await newFolder(), 'new'))
  assert.deepEqual([refused.code, refused.stdout], [2, ''])
  assert.match(refused.stderr, new RegExp(`The archive lacks ${missing}`))
  const password = join(copy, 'base', firstBackup, 'password')
  await writeFile(
    password,
    (await readFile(password, 'utf8')).replace(/./, (one) => (one === 'a' ? 'b' : 'a')),
  )
  const closed = await asked('latest', join(await newFolder(), 'new'))
  assert.deepEqual([closed.code, closed.stdout], [2, ''])
  assert.ok(closed.stderr.includes(`${password} is not as it was backed up`), closed.stderr)
})

test('nothing is restored over a database, nor to a moment that no backup reaches', async () => {
  const full = await run('npm run -s restore -- --to latest', dataDir)
  assert.deepEqual([full.code, full.stdout], [2, ''])
  assert.match(full.stderr, /holds a database or files already \(postgres\/\): set DATA_DIR to a new folder/)
  const empty = join(await newFolder(), 'new')
  const early = await run('npm run -s restore -- --to 2020-01-01T00:00:00Z', empty)
  assert.deepEqual([early.code, early.stdout], [2, ''])
  assert.match(early.stderr, /--to must be 20\S+ or later/)
  const late = await run('npm run -s restore -- --to 2100-01-01T00:00:00Z', empty)
  assert.deepEqual([late.code, late.stdout], [2, ''])
  assert.match(late.stderr, /archive has no change after 2100-01-01.* wait a minute after its next change/)
  assert.deepEqual(await readdir(empty), [])
  const wrong = await run('npm run -s restore -- --to yesterday', empty)
  assert.match(wrong.stderr, /^usage: npm run -s restore -- --to MOMENT/)
})

test('a restored service is backed up anew, and only the newest backups stay, with what they need', async () => {
  const taken = await run('npm run -s backup -- --keep 1', restoredDir)
  assert.equal(taken.code, 0, taken.stderr)
  assert.match(taken.stdout, new RegExp(`removed: ${firstBackup}`))
  const left = await listBackups(backupDir)
  assert.deepEqual(
    left.map(({ archiveId }) => archiveId),
    await readdir(join(backupDir, 'wal')),
  )
  const restored = await run(
    `SECRET_KEY=${'ab'.repeat(32)} npm run -s restore -- --to latest`,
    join(await newFolder(), 'new'),
  )
  assert.equal(restored.code, 3, `${restored.stdout}${restored.stderr}`)
  assert.match(restored.stdout, /from the backup 20\S+ and [1-9]/)
  assert.match(restored.stdout, /, 0 missing or wrong/)
  assert.match(restored.stdout, /key: not the one that the databases need, whose fingerprint is [0-9a-f]{64}/)
})

test('in a folder whose restore was cut off, no start opens an empty service, and the restore can run again', async () => {
  const folder = await newFolder()
  const cluster = join(folder, 'restoring', 'postgres', 'cluster')
  const restoring = startRun('npm run -s restore -- --to latest', folder)
  let server: Awaited<ReturnType<typeof readPostmasterFile>>
  while (typeof (server = await readPostmasterFile(cluster)) !== 'object')
    await new Promise((resolve) => setTimeout(resolve, 5))
  process.kill(-restoring.pid, 'SIGKILL')
  await restoring.ended
  await assert.rejects(start(folder), /A restore into DATA_DIR \S+ is under way or was cut off: .* run it again/)
  const again = await run('npm run -s restore -- --to latest', folder)
  assert.equal(again.code, 0, again.stderr)
  assert.deepEqual((await readdir(folder)).toSorted(), ['objects', 'postgres'])
  assert.ok(['nobody', 'zombie'].includes(await holderOf(server.pid, cluster)))
})

test('a stored file that cannot be read is named, and everything else is backed up', async (t) => {
  const bad = join(restoredDir, 'objects', 'production', 'objects', '00', '0'.repeat(64))
  await mkdir(bad, { recursive: true })
  t.after(() => rmdir(bad))
  const taken = await run('npm run -s backup', restoredDir)
  assert.equal(taken.code, 3, taken.stderr)
  assert.ok(taken.stdout.includes(`not in it, since it cannot be read: ${bad}`), taken.stdout)
  assert.match(taken.stdout, /moments from 20\S+Z on can be restored/)
})

test('an archive that cannot be written is told, refuses a backup, and goes on by itself', async (t) => {
  const folder = await newFolder()
  // It takes the place of the service before it, which copies nothing more.
  await rm(join(backupDir, 'owner'))
  const service = await start(folder)
  const replaced = await run('npm run -s backup', restoredDir)
  assert.deepEqual([replaced.code, replaced.stdout], [2, ''])
  assert.match(replaced.stderr, /^BACKUP_DIR \S+ belongs to another service/)
  await archived(folder)
  const valueOf = async (form: RegExp): Promise<string | undefined> =>
    form.exec(await (await fetch(`${service.hosts.opsUrl}/metrics`)).text())?.[1]
  const isUp = () =>
    valueOf(/^partner_commerce_dependency_up\{environment="PRODUCTION",dependency="wal_archive"\} (\d)$/m)
  const newestBackup = () => valueOf(/^partner_commerce_backup_start_timestamp_seconds (\d+)$/m)
  const earlier = (await listBackups(backupDir)).at(-1)!
  assert.equal(await newestBackup(), String(Math.floor(Date.parse(earlier.startedOn) / 1_000)))
  assert.equal(await isUp(), '1')
  await withServiceDatabase(folder, async (database) => {
    // Without a checkpoint after the start, the checkpointer heeds archive_timeout only five minutes later.
    const row = await database.statements.row<{ asked: boolean }>(sql`
      select num_requested > 0 as asked from pg_stat_checkpointer`)
    assert.equal(row!.asked, true)
  })
  const archive = join(backupDir, 'wal', (await readFile(join(folder, 'postgres', 'archive-id'), 'utf8')).trim())
  await chmod(archive, 0)
  t.after(() => chmod(archive, 0o700))
  await switchWal(folder)
  while ((await isUp()) !== '0') await new Promise((resolve) => setTimeout(resolve, 100))
  const refused = await run('npm run -s backup', folder)
  assert.deepEqual([refused.code, refused.stdout], [2, ''])
  assert.match(
    refused.stderr,
    /^The service could not archive its WAL to BACKUP_DIR \S+ when it tried last: make room there/,
  )
  assert.deepEqual(
    (await readdir(join(backupDir, 'base'))).filter((name) => name.endsWith('.arriving')),
    [],
  )
  await chmod(archive, 0o700)
  await archived(folder)
  assert.equal(await isUp(), '1')
  const twice = await Promise.all([run('npm run -s backup', folder), run('npm run -s backup', folder)])
  for (const { code, stderr } of twice)
    assert.ok(code === 0 || (code === 2 && /^Another backup to BACKUP_DIR \S+ is under way/.test(stderr)), stderr)
  assert.ok(twice.some(({ code }) => code === 0))
  const newest = (await listBackups(backupDir)).at(-1)!
  assert.equal(await newestBackup(), String(Math.floor(Date.parse(newest.startedOn) / 1_000)))
})
