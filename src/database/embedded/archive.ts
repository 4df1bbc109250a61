import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { archiveWorks } from '../wal-archive.ts'
import { ownerRole } from './cluster.ts'
import { EmbeddedServerRefused } from './refused.ts'
import { mayPass, type RunAs } from './run-as.ts'

/**
 * The archive of the embedded server's write-ahead log (WAL) in the backup folder, `wal/ID/`. Each cluster has an id and
 * a folder of its own: a restored one begins another, so it never mixes its WAL with that of the cluster it came from.
 */

/** The folder of all archives within the backup folder. */
export function archivesIn(backupDir: string): string {
  return join(backupDir, 'wal')
}

/** The id of the cluster in `folder`; undefined before the server has run with an archive. */
export async function archiveIdOf(folder: string): Promise<string | undefined> {
  return readFile(join(folder, 'archive-id'), 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
}

/**
 * Refuses a backup folder of another cluster. The copies of stored files in it are of one service: a second one, such as a
 * restored copy of the first that is tried beside it, would write its files over them. Only people know whether the first is
 * gone for good.
 * @throws EmbeddedServerRefused
 */
export async function refuseFolderOfAnother(backupDir: string, id: string): Promise<void> {
  const owner = await readOwner(backupDir)
  if (owner === undefined || owner === id) return
  throw new EmbeddedServerRefused(
    `BACKUP_DIR ${backupDir} belongs to another service, the one that archives to wal/${owner} there: give this one a BACKUP_DIR of its own. Only if the other is gone for good and this one takes its place, remove ${ownerFile(backupDir)} and start this one.`,
  )
}

function ownerFile(backupDir: string): string {
  return join(backupDir, 'owner')
}

async function readOwner(backupDir: string): Promise<string | undefined> {
  const text = await readFile(ownerFile(backupDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  // Empty when power was cut while it was written.
  return text.trim() || undefined
}

/** Notes whose backup folder it is; folders of earlier releases say nothing. */
async function claimFolder(backupDir: string, id: string): Promise<void> {
  if ((await readOwner(backupDir)) === undefined) {
    // A folder that is full, or that cannot be written, keeps no service from starting.
    await writeFile(ownerFile(backupDir), `${id}\n`, { mode: 0o600, flush: true }).catch(() => undefined)
  }
  await refuseFolderOfAnother(backupDir, id)
}

/**
 * Makes the cluster's archive at first use, for the database user alone. Answers its folder.
 * @throws EmbeddedServerRefused
 */
export async function openArchive(backupDir: string, folder: string, runAs: RunAs | undefined): Promise<string> {
  await makeBackupFolder(backupDir)
  let id = await archiveIdOf(folder)
  if (id === undefined) {
    id = randomUUID()
    await writeFile(join(folder, 'archive-id'), id, { mode: 0o600, flush: true })
  }
  const archives = archivesIn(backupDir)
  const archive = join(archives, id)
  try {
    await claimFolder(backupDir, id)
    await mkdir(archives, { recursive: true })
    await mkdir(archive, { recursive: true, mode: 0o700 })
    // Nothing is changed that is right already: on a disk that can only be read, the service still starts.
    const passable = runAs ? 0o711 : 0o700
    if (((await stat(archives)).mode & 0o777) !== passable) await chmod(archives, passable)
    if (runAs && (await stat(archive)).uid !== runAs.uid) await chown(archive, runAs.uid, runAs.gid)
  } catch (error) {
    throw cannotBeUsed(backupDir, error)
  }
  if (!(await mayPass(runAs, archives))) {
    throw new EmbeddedServerRefused(
      `BACKUP_DIR ${backupDir} is out of reach of the user PostgreSQL runs as when root starts it: set it to a folder that others may pass (mode 711), like all folders above it.`,
    )
  }
  return archive
}

async function makeBackupFolder(backupDir: string): Promise<void> {
  try {
    // When root starts the server, another user passes through this folder to the archive.
    await mkdir(backupDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  } catch (error) {
    throw cannotBeUsed(backupDir, error)
  }
}

function cannotBeUsed(backupDir: string, error: unknown): EmbeddedServerRefused {
  if (error instanceof EmbeddedServerRefused) return error
  return new EmbeddedServerRefused(`BACKUP_DIR ${backupDir} cannot be used as a folder: ${(error as Error).message}.`)
}

/**
 * Lets a server that has just started keep to its `archive_timeout`. Its checkpointer fell asleep for five minutes while the
 * server was not ready yet, and heeds the timeout only once it is awake.
 */
export async function wakeCheckpointer(port: number, password: string): Promise<void> {
  const client = new Client({ host: '127.0.0.1', port, user: ownerRole, password, database: 'postgres' })
  await client.connect()
  try {
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

/**
 * PostgreSQL's `archive_command`: compresses a segment into a draft, puts it on disk and renames it. A segment that is
 * there already succeeds only with the same content. The end of a segment that was closed early is zeros, so most of it
 * goes away.
 */
export function archiveCommand(archive: string): string {
  const folder = quoted(archive)
  const [target, draft] = [`${folder}/%f.gz`, `${folder}/%f.arriving`]
  return [
    `if [ -e ${target} ]; then gzip -dc ${target} | cmp -s - "%p"; exit; fi`,
    `gzip -1 -c < "%p" > ${draft} && sync ${draft} && mv ${draft} ${target} && sync ${folder}`,
  ].join('; ')
}

/**
 * PostgreSQL's `restore_command`, with a path as seen from the cluster. Any failure means the end of the archive to PostgreSQL,
 * but for codes above 125: so a segment that is there and cannot be read ends the recovery with an error.
 */
export function restoreCommand(archive: string): string {
  const target = `${quoted(archive)}/%f.gz`
  return `[ -e ${target} ] && { gzip -dc ${target} > "%p" || exit 255; }`
}

/** The `archive_command` of a server that runs ('' or '(disabled)' = it archives nothing), and whether it failed last. */
export async function readArchiving(url: string): Promise<{ command: string; isFailing: boolean }> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const told = await client.query<{ command: string }>(`select current_setting('archive_command') as command`)
    const tried = await client.query<{ works: boolean }>({ ...archiveWorks, values: [] })
    return { command: told.rows[0]!.command, isFailing: tried.rows[0]?.works === false }
  } finally {
    await client.end()
  }
}

/** A path for the shell, with PostgreSQL's placeholders taken as text. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
}
