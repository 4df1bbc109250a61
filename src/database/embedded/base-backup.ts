import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { Client } from 'pg'
import { EmbeddedServerRefused } from './refused.ts'

/** A file of a copied cluster: its path within the cluster, its bytes and their SHA-256 in hexadecimal. */
export type CopiedFile = { path: string; sizeBytes: number; sha256: string }

/** A copy of a cluster's files, which is whole together with the WAL from `walFrom` to `walTo` (names of segments). */
export type ClusterCopy = {
  files: CopiedFile[]
  walFrom: string
  walTo: string
  postgresql: string
  /** Moments from here on can be restored. By the server's clock, as all moments of a restore are. */
  restorableFrom: string
}

/**
 * Copies the cluster of a server while it works, by PostgreSQL's low-level interface for backups. Resolves when all WAL that
 * the copy needs is archived.
 * @param url of a database on the server, for its owner
 * @throws EmbeddedServerRefused if that is not archived in time
 */
export async function copyCluster(url: string, cluster: string, into: string): Promise<ClusterCopy> {
  const client = new Client({ connectionString: url, application_name: 'partner-commerce backup' })
  await client.connect()
  try {
    // The backup ends with this connection, so one that is cut off leaves nothing behind.
    const begun = await client.query<{ segment: string; version: string }>(
      `select pg_walfile_name(pg_backup_start('partner-commerce', true)) as segment,
         current_setting('server_version') as version`,
    )
    const files = await copyFiles(cluster, into)
    await client.query(`set statement_timeout = '${archiveMinutes}min'`)
    const ended = await client
      .query<{ segment: string; label: string; tablespaces: string; now: Date }>(
        `with stopped as materialized (select * from pg_backup_stop(true))
         select pg_walfile_name(lsn) as segment, labelfile as label, spcmapfile as tablespaces, clock_timestamp() as now
         from stopped`,
      )
      .catch((error: { code?: string }) => {
        if (error.code !== queryCanceled) throw error
        throw new EmbeddedServerRefused(
          `The WAL that the backup needs was not archived within ${archiveMinutes} minutes, so there is no backup: look whether the archive has room.`,
        )
      })
    const { segment, label, tablespaces, now } = ended.rows[0]!
    if (tablespaces !== '') throw new Error('a cluster with tablespaces cannot be backed up')
    files.push(await writeText(into, 'backup_label', label))
    return {
      files,
      walFrom: begun.rows[0]!.segment,
      walTo: segment,
      postgresql: begun.rows[0]!.version,
      restorableFrom: now.toISOString(),
    }
  } finally {
    await client.end()
  }
}

/** What takes longer to be archived has got stuck. */
const archiveMinutes = 5
/** PostgreSQL's error of a statement that took too long. */
const queryCanceled = '57014'

/** Folders whose content the server makes anew, or that must not be in a copy. */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const leftOut =
  /^(?:postmaster\.(?:pid|opts)|pg_internal\.init.*|pgsql_tmp.*|\.s\.PGSQL\..*|backup_label.*|recovery\.signal)$/

async function copyFiles(cluster: string, into: string): Promise<CopiedFile[]> {
  await mkdir(into, { mode: 0o700 })
  const entries = await readdir(cluster, { recursive: true, withFileTypes: true })
  const paths: string[] = []
  for (const entry of entries) {
    const path = relative(cluster, join(entry.parentPath, entry.name))
    const isInEmptied = emptied.has(path.split('/')[0]!) && path.includes('/')
    if (leftOut.test(entry.name) || (isInEmptied && !path.startsWith('pg_wal/'))) continue
    if (entry.isDirectory()) await mkdir(join(into, path), { recursive: true, mode: 0o700 })
    else if (entry.isFile() && !isInEmptied) paths.push(path)
  }
  // The control file last: it must not be older than what it describes.
  const control = join('global', 'pg_control')
  const copied = await eachAtOnce(
    paths.filter((path) => path !== control),
    (path) =>
      copyHashed(join(cluster, path), join(into, path)).then(
        (facts) => ({ path, ...facts }),
        (error: NodeJS.ErrnoException) => {
          // Of a table that was dropped meanwhile; the WAL says so.
          if (error.code === 'ENOENT' && error.path === join(cluster, path)) return undefined
          throw error
        },
      ),
  )
  const last = { path: control, ...(await copyHashed(join(cluster, control), join(into, control))) }
  return [...copied.filter((file) => file !== undefined), last]
}

/**
 * Several files at once, because most of the time goes by in waiting until one is on disk. When one fails, no other is begun,
 * and those under way end before the failure is thrown: whoever catches it finds nothing at work any more.
 */
async function eachAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const failures: unknown[] = []
  const waiting = items.values()
  const take = async (): Promise<void> => {
    for (const item of waiting) {
      if (failures.length > 0) return
      try {
        results.push(await work(item))
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: filesAtOnce }, take))
  if (failures.length > 0) throw failures[0]
  return results
}

const filesAtOnce = 8

/** Copies a file to disk as it is at that moment, and answers what was written. */
export async function copyHashed(from: string, to: string): Promise<{ sizeBytes: number; sha256: string }> {
  const source = await open(from, 'r')
  try {
    const target = await open(to, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      const buffer = Buffer.allocUnsafe(copyBytes)
      let sizeBytes = 0
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, buffer.length, sizeBytes)
        if (bytesRead === 0) break
        const piece = buffer.subarray(0, bytesRead)
        hash.update(piece)
        await target.writeFile(piece)
        sizeBytes += bytesRead
      }
      await target.sync()
      return { sizeBytes, sha256: hash.digest('hex') }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

const copyBytes = 262_144

async function writeText(folder: string, path: string, text: string): Promise<CopiedFile> {
  await writeFile(join(folder, path), text, { mode: 0o600, flush: true })
  return { path, sizeBytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') }
}

/**
 * Copies a cluster back to `cluster`, which must not be there.
 * @throws EmbeddedServerRefused that names a file that is not as it was copied
 */
export async function copyBack(from: string, cluster: string, files: readonly CopiedFile[]): Promise<void> {
  const strange = files.find(({ path }) => isAbsolute(path) || path.split('/').includes('..'))
  if (strange !== undefined)
    throw new EmbeddedServerRefused(`${from} lists ${strange.path}, which is not in a cluster.`)
  await mkdir(cluster, { mode: 0o700 })
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    await mkdir(join(cluster, relative(from, join(entry.parentPath, entry.name))), { recursive: true, mode: 0o700 })
  }
  await eachAtOnce(files, ({ path, ...facts }) => copyChecked(join(from, path), join(cluster, path), facts))
}

/**
 * Copies a file back.
 * @throws EmbeddedServerRefused that names it if it is not as it was copied
 */
export async function copyChecked(
  from: string,
  to: string,
  { sizeBytes, sha256 }: Omit<CopiedFile, 'path'>,
): Promise<void> {
  const copied = await copyHashed(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && error.path === from) return undefined
    throw error
  })
  if (copied?.sizeBytes !== sizeBytes || copied.sha256 !== sha256) {
    throw new EmbeddedServerRefused(
      `${from} is not as it was backed up: take an older backup, a folder beside it, with --backup NAME.`,
    )
  }
}

/**
 * Copies the archived WAL of a cluster, from a segment on, to `into` for the recovery. Answers how many segments, and the first
 * that is missing among them: the recovery ends before it, whatever comes after.
 */
export async function copyWal(
  archive: string,
  into: string,
  from: string,
): Promise<{ segments: number; missing: string | undefined }> {
  await mkdir(into, { mode: 0o711 })
  await chmod(into, 0o711)
  // The archive belongs to the database user, whose links are not followed.
  const names = (await readdir(archive, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && segmentForm.test(entry.name) && entry.name >= from)
    .map(({ name }) => name)
  for (const name of names) {
    await copyFile(join(archive, name), join(into, name), constants.COPYFILE_FICLONE)
    // Read by the database user, who may be another; the folders above are closed to all others.
    await chmod(join(into, name), 0o644)
  }
  const there = new Set(names.map((name) => name.replace(/\.gz$/, '')).filter((name) => name.length === from.length))
  let next = from
  while (there.has(next)) next = segmentAfter(next)
  return { segments: names.length, missing: [...there].some((name) => name > next) ? next : undefined }
}

/** The name of the next segment: timeline, and the number in two parts of which the second ends at FF. */
function segmentAfter(name: string): string {
  const [timeline, high, low] = name.match(/.{8}/g)!.map((part) => Number.parseInt(part, 16)) as [
    number,
    number,
    number,
  ]
  const next = low === 0xff ? [timeline, high + 1, 0] : [timeline, high, low + 1]
  return next.map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('')
}

/** Segments, with what belongs to one (the note of a backup); each is compressed. */
export const segmentForm = /^[0-9A-F]{24}(?:\.[0-9A-F]{8}\.backup)?\.gz$/

/** Puts the names in a folder on disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
