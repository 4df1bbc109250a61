import { access, mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { archiveIdOf, archivesIn, readArchiving, refuseFolderOfAnother } from '../database/embedded/archive.ts'
import {
  type ClusterCopy,
  type CopiedFile,
  copyCluster,
  copyHashed,
  segmentForm,
  syncFolder,
} from '../database/embedded/base-backup.ts'
import { clusterIn } from '../database/embedded/cluster.ts'
import { runningServerUrl } from '../database/embedded/running-server.ts'
import type { Environment } from '../vocabulary/environment.ts'
import { SettingRefused } from '../vocabulary/setting-refused.ts'
import { copyNewFiles, type FilePlaces, listFiles, removeCopies } from './file-copies.ts'

/**
 * Backups of the embedded database and of the files in the data folder. `BACKUP_DIR` has `base/NAME/`, a copy of the cluster
 * with `backup.json`, which is written last; `wal/ID/`, the archive; and `files/`, the stored files, each once for all.
 */
export type Backup = ClusterCopy & {
  name: string
  startedOn: string
  /** of the cluster, whose WAL is in `wal/` under it */
  archiveId: string
  /** of the database's owner, in a file beside the cluster; backups of earlier releases have it without these facts */
  password?: Omit<CopiedFile, 'path'>
  /** what tells the master keys that the databases need, in hexadecimal; the keys themselves are in no backup */
  keyFingerprints: Readonly<Record<Environment, string[]>>
  /** the stored files at that time, by their paths; empty where an S3 has them */
  stored: Readonly<Record<Environment, string[]>>
}

export const environments = ['PRODUCTION', 'SANDBOX'] as const satisfies readonly Environment[]

/** The folders of the embedded databases and stores are called as the environments are. */
export const databaseOf = { PRODUCTION: 'production', SANDBOX: 'sandbox' } as const

export function filePlaces(dataDir: string, backupDir: string, environment: Environment): FilePlaces {
  const name = databaseOf[environment]
  return { stored: join(dataDir, 'objects', name, 'objects'), copies: join(backupDir, 'files', name) }
}

export function folderOf(backupDir: string, name: string): string {
  return join(backupDir, 'base', name)
}

/**
 * Takes a backup of the service that runs on the data folder, and removes all but the newest `keep`, with the WAL and the
 * copies that only they need. `newer` are backups whose names are later moments, although they were taken before.
 * @throws SettingRefused, EmbeddedServerRefused
 */
export async function takeBackup(
  { dataDir, backupDir }: { dataDir: string; backupDir: string },
  now: Date,
  keep: number | undefined,
): Promise<{ backup: Backup; newFiles: number; unreadable: string[]; removed: string[]; newer: string[] }> {
  const folder = join(dataDir, 'postgres')
  const url = await runningServerUrl(folder, 'postgres', 'owner')
  if (url === undefined) {
    throw new SettingRefused(`No service with a database of its own runs on DATA_DIR ${dataDir}: start it first.`)
  }
  const archiveId = await archiveIdOf(folder)
  const { command, isFailing } = await readArchiving(url)
  if (archiveId === undefined || !command.includes(join(archivesIn(backupDir), archiveId))) {
    throw new SettingRefused(
      `The service on DATA_DIR ${dataDir} does not archive to BACKUP_DIR ${backupDir}: start it with this setting.`,
    )
  }
  if (isFailing) {
    throw new SettingRefused(
      `The service could not archive its WAL to BACKUP_DIR ${backupDir} when it tried last: make room there, or mend the rights, and try again after a minute.`,
    )
  }
  await refuseFolderOfAnother(backupDir, archiveId)
  const name = now.toISOString().slice(0, 19).replaceAll(':', '-').concat('Z')
  const draft = folderOf(backupDir, `${name}.arriving`)
  const lock = await takeLock(url, backupDir)
  try {
    await mkdir(folderOf(backupDir, ''), { recursive: true, mode: 0o700 })
    await removeDrafts(backupDir)
    await mkdir(draft, { mode: 0o700 })
    const { backup, newFiles, unreadable } = await copyAll(url, { dataDir, backupDir, draft }, { name, archiveId, now })
    await writeManifest(draft, backup)
    await rename(draft, folderOf(backupDir, name))
    await syncFolder(folderOf(backupDir, ''))
    const removed = keep === undefined ? [] : await removeOld(backupDir, keep, name)
    const newer = (await listBackups(backupDir)).map((each) => each.name).filter((each) => each > name)
    return { backup, newFiles, unreadable, removed, newer }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!unwritable.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    throw new SettingRefused(`BACKUP_DIR ${backupDir} cannot be written, so there is no backup: ${String(error)}.`)
  } finally {
    await lock.end()
  }
}

/** Ensures that one backup is taken at a time. The lock ends with its connection. */
async function takeLock(url: string, backupDir: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [advisoryLock])
  if (rows[0]!.locked) return client
  await client.end()
  throw new SettingRefused(`Another backup to BACKUP_DIR ${backupDir} is under way: wait until it has ended.`)
}

const advisoryLock = 7_305_012

/** The codes of errors that a folder without room, or without rights, brings. */
const unwritable: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'])

async function copyAll(
  url: string,
  { dataDir, backupDir, draft }: { dataDir: string; backupDir: string; draft: string },
  { name, archiveId, now }: { name: string; archiveId: string; now: Date },
): Promise<{ backup: Backup; newFiles: number; unreadable: string[] }> {
  const folder = join(dataDir, 'postgres')
  // Before the copy and after it: a file that is removed meanwhile may still be named by a row of the copy.
  const before = await copyStored(dataDir, backupDir)
  const copy = await copyCluster(url, clusterIn(folder), clusterIn(draft))
  const password = await copyHashed(join(folder, 'password'), join(draft, 'password'))
  const after = await copyStored(dataDir, backupDir)
  const backup: Backup = {
    name,
    startedOn: now.toISOString(),
    archiveId,
    password,
    keyFingerprints: {
      PRODUCTION: await readKeyFingerprints(folder, 'production'),
      SANDBOX: await readKeyFingerprints(folder, 'sandbox'),
    },
    stored: {
      PRODUCTION: [...new Set([...before.stored.PRODUCTION, ...after.stored.PRODUCTION])],
      SANDBOX: [...new Set([...before.stored.SANDBOX, ...after.stored.SANDBOX])],
    },
    ...copy,
  }
  return { backup, newFiles: before.copied + after.copied, unreadable: after.unreadable }
}

/** All whole backups, the oldest first. A folder without a list of its files that can be read is none. */
export async function listBackups(backupDir: string): Promise<Backup[]> {
  const all = await Promise.all(
    (await listNames(backupDir)).map(async (name) => {
      try {
        return JSON.parse(await readFile(join(folderOf(backupDir, name), 'backup.json'), 'utf8')) as Backup
      } catch {
        return undefined
      }
    }),
  )
  return all.filter((each) => each !== undefined)
}

/** When the newest whole backup began; null = there is none. */
export async function newestBackupOn(backupDir: string): Promise<Date | null> {
  for (const name of (await listNames(backupDir)).toReversed()) {
    const isWhole = await isThere(join(folderOf(backupDir, name), 'backup.json'))
    if (isWhole) return new Date(name.replace(/-(\d\d)-(\d\d)Z$/, ':$1:$2Z'))
  }
  return null
}

export function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** The names of whole backups are moments, so the oldest comes first. */
async function listNames(backupDir: string): Promise<string[]> {
  const names = await readdir(folderOf(backupDir, '')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => nameForm.test(name)).toSorted()
}

const nameForm = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/

async function copyStored(
  dataDir: string,
  backupDir: string,
): Promise<{ copied: number; unreadable: string[]; stored: Backup['stored'] }> {
  let copied = 0
  const unreadable: string[] = []
  const stored = {} as Record<Environment, string[]>
  for (const environment of environments) {
    const places = filePlaces(dataDir, backupDir, environment)
    stored[environment] = await listFiles(places.stored)
    const found = await copyNewFiles(places)
    copied += found.copied
    unreadable.push(...found.unreadable)
  }
  return { copied, unreadable, stored }
}

async function readKeyFingerprints(folder: string, database: string): Promise<string[]> {
  const client = new Client({ connectionString: await runningServerUrl(folder, database, 'owner') })
  await client.connect()
  try {
    const { rows } = await client.query<{ fingerprint: Buffer }>(
      'select fingerprint from service_key order by in_use_on desc nulls last',
    )
    return rows.map(({ fingerprint }) => fingerprint.toString('hex'))
  } finally {
    await client.end()
  }
}

async function writeManifest(folder: string, backup: Backup): Promise<void> {
  const handle = await open(join(folder, 'backup.json'), 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(backup)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes what backups that were cut off left behind. */
async function removeDrafts(backupDir: string): Promise<void> {
  for (const name of await readdir(folderOf(backupDir, ''))) {
    if (name.endsWith('.arriving')) await rm(folderOf(backupDir, name), { recursive: true, force: true })
  }
}

/** Removes all but the newest `keep`, one of which is `taken`: once the clock was ahead, older ones have later names. */
export async function removeOld(backupDir: string, keep: number, taken: string): Promise<string[]> {
  const all = await listBackups(backupDir)
  const others = all.filter(({ name }) => name !== taken)
  const old = others.slice(0, Math.max(others.length - (keep - 1), 0))
  const kept = all.filter((each) => !old.includes(each))
  for (const { name } of old) {
    // Renamed first, so that one that is half removed is no backup.
    const going = `${folderOf(backupDir, name)}.arriving`
    await rename(folderOf(backupDir, name), going)
    await rm(going, { recursive: true })
  }
  for (const archiveId of await readdir(archivesIn(backupDir))) {
    const archive = join(archivesIn(backupDir), archiveId)
    const first = kept
      .filter((each) => each.archiveId === archiveId)
      .map(({ walFrom }) => walFrom)
      .toSorted()[0]
    if (first === undefined) {
      // Another service may just be beginning its archive here: only one that had a backup is given up.
      if (old.some((each) => each.archiveId === archiveId)) await rm(archive, { recursive: true })
      continue
    }
    for (const name of await readdir(archive)) {
      if (segmentForm.test(name) && name < first) await rm(join(archive, name))
    }
  }
  for (const environment of environments) {
    const listed = new Set(kept.flatMap(({ stored }) => stored[environment]))
    await removeCopies(join(backupDir, 'files', databaseOf[environment]), listed, new Date(kept[0]!.startedOn))
  }
  return old.map(({ name }) => name)
}
