import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { archivesIn } from '../database/embedded/archive.ts'
import { copyBack, copyChecked, copyWal, syncFolder } from '../database/embedded/base-backup.ts'
import { clusterIn } from '../database/embedded/cluster.ts'
import { EmbeddedServerRefused, endServerOn, startEmbeddedServer } from '../database/embedded/server.ts'
import { objectFile, openObjectFolder } from '../outside/object-store/object-folder.ts'
import type { Environment } from '../vocabulary/environment.ts'
import { erasureKey } from '../vocabulary/erasure-key.ts'
import { SettingRefused } from '../vocabulary/setting-refused.ts'
import { type Backup, databaseOf, filePlaces, folderOf, isThere, listBackups } from './backups.ts'
import { copyWhole, listFiles } from './file-copies.ts'
import { type Faulty, readNamedFiles, readUploads, reconcile } from './named-files.ts'

/** What a restore brought back. */
export type Restored = {
  backup: Backup
  segments: number
  /** the first segment of WAL that is missing although later ones are there: nothing from it on is restored */
  missingSegment: string | undefined
  /** when the last change was committed that is in it; null = none since the backup */
  lastChangeOn: string | null
  /** undefined where an S3 has the files */
  files: Readonly<Record<Environment, RestoredFiles>> | undefined
}

export type RestoredFiles = {
  named: number
  madeWhenAsked: number
  copied: number
  erasures: number
  left: number
  faulty: Faulty[]
}

type Options = {
  dataDir: string
  backupDir: string
  /** the last moment whose changes count; undefined = all that was archived */
  to: Date | undefined
  /** which backup to begin with; undefined = the newest before the moment */
  name: string | undefined
  /** whether files are in the data folder, and not in an S3 */
  withFiles: boolean
  madeWhenAsked: (key: string) => boolean
  log: (line: string) => void
}

/**
 * Restores the databases, and the files that their rows name, into a data folder without either. Nothing is there before
 * all is: it is put together in `restoring/` within the folder, and moved at the end. The backup folder is only read.
 * @throws SettingRefused, EmbeddedServerRefused, after which nothing is left in the data folder
 */
export async function restore(options: Options): Promise<Restored> {
  const { dataDir, backupDir, to } = options
  await refuseFull(dataDir)
  const all = await listBackups(backupDir)
  const backup = chooseBackup(all, to, options.name, backupDir)
  await removeDraft(dataDir)
  try {
    return await bringBack(backup, all, options)
  } catch (error) {
    await removeDraft(dataDir).catch(() => undefined)
    throw error
  }
}

function draftIn(dataDir: string): string {
  return join(dataDir, 'restoring')
}

/** Removes what a restore left that was cut off, whose PostgreSQL may still be at work there. */
async function removeDraft(dataDir: string): Promise<void> {
  await endServerOn(join(draftIn(dataDir), 'postgres'))
  await rm(draftIn(dataDir), { recursive: true, force: true, maxRetries: 3 })
}

/**
 * Refuses a data folder in which a restore was cut off: a start would take it for a new one, and open an empty service. Of a
 * restore whose database has come into its place, nothing but the folder is left.
 * @throws SettingRefused
 */
export async function refuseCutOff(dataDir: string): Promise<void> {
  const draft = draftIn(dataDir)
  if (!(await isThere(draft))) return
  if ((await isThere(join(dataDir, 'postgres'))) && !(await isThere(join(draft, 'postgres')))) {
    return rm(draft, { recursive: true, force: true })
  }
  throw new SettingRefused(
    `A restore into DATA_DIR ${dataDir} is under way or was cut off: wait for its end, or run it again. To give it up, remove ${draft}.`,
  )
}

async function bringBack(backup: Backup, all: readonly Backup[], options: Options): Promise<Restored> {
  const { dataDir, backupDir, to, log } = options
  const draft = draftIn(dataDir)
  const folder = join(draft, 'postgres')
  await mkdir(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  log(`copies the backup ${backup.name}`)
  const from = folderOf(backupDir, backup.name)
  const password = [join(from, 'password'), join(folder, 'password')] as const
  await (backup.password ? copyChecked(...password, backup.password) : copyWhole(...password))
  await copyBack(clusterIn(from), clusterIn(folder), backup.files)
  const wal = join(folder, 'wal')
  const { segments, missing } = await copyWal(join(archivesIn(backupDir), backup.archiveId), wal, backup.walFrom)
  log(`brings the databases to ${to ? to.toISOString() : 'the last change that was archived'}`)
  const server = await startEmbeddedServer({
    folder,
    log,
    // As seen from the cluster, because folders above may be closed to the database user.
    recovery: { archive: '../wal', to },
  }).catch((error: unknown) => {
    throw endsTooEarly(error, to, missing)
  })
  try {
    const lastChangeOn = await readLastChange(server.url('postgres'))
    const files = options.withFiles
      ? {
          PRODUCTION: await restoreFiles({ ...options, draft, all }, 'PRODUCTION', server.url(databaseOf.PRODUCTION)),
          SANDBOX: await restoreFiles({ ...options, draft, all }, 'SANDBOX', server.url(databaseOf.SANDBOX)),
        }
      : undefined
    await server.stop()
    await rm(wal, { recursive: true })
    if (files) await rename(join(draft, 'objects'), join(dataDir, 'objects'))
    // Last: without the database, the folder is free for another restore.
    await rename(folder, join(dataDir, 'postgres'))
    await syncFolder(dataDir)
    await rm(draft, { recursive: true, force: true })
    return { backup, segments, missingSegment: missing, lastChangeOn, files }
  } finally {
    await server.stop()
  }
}

async function refuseFull(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  for (const name of ['postgres', 'objects']) {
    if (await isThere(join(dataDir, name))) {
      throw new SettingRefused(
        `DATA_DIR ${dataDir} holds a database or files already (${name}/): set DATA_DIR to a new folder, or stop the service and move them away.`,
      )
    }
  }
}

function chooseBackup(
  all: readonly Backup[],
  to: Date | undefined,
  name: string | undefined,
  backupDir: string,
): Backup {
  const known = all.map((each) => each.name).join(', ')
  if (all.length === 0)
    throw new SettingRefused(`BACKUP_DIR ${backupDir} has no backup: set it to a folder that has one.`)
  const reaches = (each: Backup): boolean => to === undefined || Date.parse(each.restorableFrom) <= to.getTime()
  const named = name === undefined ? undefined : all.find((each) => each.name === name)
  if (name !== undefined && named === undefined) {
    throw new SettingRefused(`There is no backup ${name}; BACKUP_DIR has ${known}.`)
  }
  const chosen = named ?? all.findLast(reaches)
  if (!chosen || !reaches(chosen)) {
    const first = (chosen ?? all[0]!).restorableFrom
    throw new SettingRefused(
      `--to must be ${first} or later: before that, ${named ? 'this backup was' : 'the oldest backup was'} not whole.`,
    )
  }
  return chosen
}

function endsTooEarly(error: unknown, to: Date | undefined, missing: string | undefined): unknown {
  const damaged =
    error instanceof EmbeddedServerRefused && /could not restore file "(\w+)" from archive/.exec(error.message)
  if (damaged) {
    return new SettingRefused(
      `The archive's ${damaged[1]}.gz is damaged: put the right file in its place, take an earlier moment, or move it away and take --to latest, which then ends before it.`,
    )
  }
  const isEarly =
    error instanceof EmbeddedServerRefused && /recovery ended before configured recovery target/.test(error.message)
  if (!isEarly) return error
  return new SettingRefused(
    missing === undefined
      ? `The archive has no change after ${to!.toISOString()}, so it cannot be told whether it is whole up to there: take --to latest, or an earlier moment; while the service runs, wait a minute after its next change.`
      : `The archive lacks ${missing}.gz, and with it all changes from there to ${to!.toISOString()}: put the file back, or take an earlier moment; --to latest ends before it.`,
  )
}

async function readLastChange(url: string): Promise<string | null> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ last: Date | null }>('select pg_last_xact_replay_timestamp() as last')
    return rows[0]!.last?.toISOString() ?? null
  } finally {
    await client.end()
  }
}

/** Copies what rows name, uploads that may still be attached, and the ledger of erasures, and holds it against the rows. */
async function restoreFiles(
  {
    backupDir,
    draft,
    all,
    madeWhenAsked,
  }: Pick<Options, 'backupDir' | 'madeWhenAsked'> & {
    draft: string
    all: readonly Backup[]
  },
  environment: Environment,
  url: string,
): Promise<RestoredFiles> {
  const { stored, copies } = filePlaces(draft, backupDir, environment)
  const store = await openObjectFolder(join(draft, 'objects', databaseOf[environment]))
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const named = await readNamedFiles(client)
    const keys = new Set([...named.map(({ key }) => key), ...(await readUploads(client))])
    const copy = (key: string): Promise<boolean> =>
      copyWhole(join(copies, objectFile(key)), join(stored, objectFile(key)))
    const damaged = new Set<string>()
    let copied = 0
    for (const key of keys) {
      if (!(await copy(key))) continue
      copied++
      if (await isDamaged(store, key)) damaged.add(key)
    }
    // The ledger as it is now, not as it was then: who was erased since then is erased again at the start.
    let erasures = 0
    const entries: Faulty[] = []
    const listed = new Set(all.flatMap((each) => each.stored[environment]))
    for (const number of await numbersOfLedger(client, new Set([...listed, ...(await listFiles(copies))]))) {
      const key = erasureKey(number)
      const entry = {
        kind: 'entry of the ledger of erasures',
        key,
        of: String(number),
        sizeBytes: null,
        md5: null,
      } as const
      if (!(await copy(key))) {
        entries.push({ ...entry, fault: 'missing' })
        continue
      }
      erasures++
      if (await isDamaged(store, key)) entries.push({ ...entry, fault: 'damaged' })
    }
    for (const subfolder of await readdir(stored)) await syncFolder(join(stored, subfolder))
    const { faulty, madeWhenAsked: later } = await reconcile(
      named.filter(({ key }) => !damaged.has(key)),
      store,
      madeWhenAsked,
    )
    const broken = named.filter(({ key }) => damaged.has(key)).map((file): Faulty => ({ ...file, fault: 'damaged' }))
    const copiesThere = await countFiles(copies)
    return {
      named: named.length,
      madeWhenAsked: later,
      copied,
      erasures,
      left: copiesThere - copied - erasures,
      faulty: [...faulty, ...broken, ...entries],
    }
  } finally {
    await client.end()
  }
}

/**
 * The numbers of the ledger, up to the last that is known: of a file that is there or that a backup lists, or of a finished
 * erasure. Names of files are hashes, so numbers are tried.
 */
async function numbersOfLedger(client: Client, paths: ReadonlySet<string>): Promise<number[]> {
  const { rows } = await client.query<{ last: number }>(
    'select coalesce(max(ledger_number), 0)::float8 as last from erasure where finished_on is not null',
  )
  let { last } = rows[0]!
  for (let number = 1; number <= last + gapMax; number++) {
    if (paths.has(objectFile(erasureKey(number)))) last = Math.max(last, number)
  }
  return Array.from({ length: last }, (_, index) => index + 1)
}

/** No ledger lacks so many entries one after the other. */
const gapMax = 10_000

/** Whether the bytes are others than when the file was stored. */
async function isDamaged(store: Awaited<ReturnType<typeof openObjectFolder>>, key: string): Promise<boolean> {
  const object = await store.open(key).catch(() => undefined)
  if (!object) return true
  const hash = createHash('md5')
  for await (const piece of await object.stream(0, object.sizeBytes - 1)) hash.update(piece as Buffer)
  return hash.digest('hex') !== object.md5
}

async function countFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).length
}
