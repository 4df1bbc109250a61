import { randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, mkdir, open, readFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../database/embedded/base-backup.ts'
import { objectFile } from '../outside/object-store/object-folder.ts'
import { erasureKey } from '../vocabulary/erasure-key.ts'
import { SettingRefused } from '../vocabulary/setting-refused.ts'

/**
 * Copies of stored files in the backup folder, `files/ENVIRONMENT/`, each once for all backups. A stored file is never
 * written to, so one of the same size and time is the same. Paths are those of `objectFile`.
 */

/** Where the copies of an environment lie, and where the files do. */
export type FilePlaces = { stored: string; copies: string }

const objectForm = /^[0-9a-f]{64}$/

/**
 * Copies what is new, and answers how many files that was, and which cannot be read. Of subfolders in `seen` only those that
 * changed are read.
 * @throws SettingRefused, once all else is copied, if the copies are of another service
 */
export async function copyNewFiles(
  { stored, copies }: FilePlaces,
  seen?: Map<string, number>,
): Promise<{ copied: number; unreadable: string[] }> {
  let copied = 0
  const unreadable: string[] = []
  let refusal: SettingRefused | undefined
  for (const subfolder of await readFolder(stored)) {
    const folder = join(stored, subfolder)
    const changedAt = (await stat(folder)).mtimeMs
    if (seen?.get(subfolder) === changedAt) continue
    const target = join(copies, subfolder)
    await mkdir(target, { recursive: true, mode: 0o700 })
    let copiedHere = 0
    let isDone = true
    for (const name of await readFolder(folder)) {
      if (!objectForm.test(name)) continue
      try {
        if (await copyIfNew(join(folder, name), join(target, name))) copiedHere++
      } catch (error) {
        // One bad file must not keep the others from being copied.
        isDone = false
        if (error instanceof SettingRefused) refusal ??= error
        else if (await isReadable(join(folder, name))) throw error
        else unreadable.push(join(folder, name))
      }
    }
    if (copiedHere > 0) await syncFolder(target)
    copied += copiedHere
    // Noted last, so that what failed or came meanwhile is looked at again.
    if (isDone) seen?.set(subfolder, changedAt)
  }
  if (refusal) throw refusal
  return { copied, unreadable }
}

async function isReadable(file: string): Promise<boolean> {
  try {
    for await (const _ of createReadStream(file));
    return true
  } catch {
    return false
  }
}

/** The paths of all files. */
export async function listFiles(stored: string): Promise<string[]> {
  const paths: string[] = []
  for (const subfolder of await readFolder(stored)) {
    for (const name of await readFolder(join(stored, subfolder))) {
      if (objectForm.test(name)) paths.push(join(subfolder, name))
    }
  }
  return paths
}

/**
 * Removes copies that no backup lists, and drafts that were cut off. What came after the oldest backup stays, since a moment
 * between two backups may need it.
 */
export async function removeCopies(copies: string, listed: ReadonlySet<string>, oldest: Date): Promise<number> {
  let removed = 0
  for (const subfolder of await readFolder(copies)) {
    for (const name of await readFolder(join(copies, subfolder))) {
      const path = join(subfolder, name)
      if (listed.has(path)) continue
      const found = await stat(join(copies, path)).catch(() => undefined)
      if (!found || found.ctimeMs >= oldest.getTime()) continue
      await rm(join(copies, path), { force: true })
      removed++
    }
  }
  return removed
}

/** Copies a file durably under its final name. False if there is no such file. */
export async function copyWhole(from: string, to: string): Promise<boolean> {
  const draft = `${to}.arriving-${randomUUID()}`
  try {
    const { atimeMs, mtimeMs } = await stat(from)
    await copyFile(from, draft, constants.COPYFILE_FICLONE)
    await utimes(draft, atimeMs / 1_000, mtimeMs / 1_000)
    const handle = await open(draft, 'r+')
    await handle.sync().finally(() => handle.close())
    await rename(draft, to)
    return true
  } catch (error) {
    await rm(draft, { force: true })
    // Removed by its owner meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

async function copyIfNew(from: string, to: string): Promise<boolean> {
  const [source, copy] = await Promise.all([from, to].map((path) => stat(path).catch(() => undefined)))
  // Some file systems keep no fractions of a millisecond.
  const isSame = source && copy && source.size === copy.size && Math.abs(source.mtimeMs - copy.mtimeMs) < 2
  if (isSame) return false
  if (copy) await keepErasure(from, to)
  return copyWhole(from, to)
}

/**
 * Keeps an entry of the ledger of erasures from being replaced by another erasure of the same number, which only another
 * service can have: whoever is named there would come back with the next restore.
 * @throws SettingRefused
 */
async function keepErasure(from: string, to: string): Promise<void> {
  const [entry, copied] = await Promise.all([from, to].map(readErasure))
  if (entry === undefined || copied === undefined || (entry.kind === copied.kind && entry.subject === copied.subject))
    return
  throw new SettingRefused(
    `${to} holds another erasure than ${from}, number ${entry.ledgerNumber} of this service: the BACKUP_DIR is another service’s, or was. Give this one a BACKUP_DIR of its own.`,
  )
}

type Erasure = { ledgerNumber: number; kind: string; subject: string }

/** What an entry of the ledger of erasures says; undefined = the file is none that can be read. */
async function readErasure(file: string): Promise<Erasure | undefined> {
  try {
    if ((await stat(file)).size > erasureBytesMax) return undefined
    const text = await readFile(file, 'utf8')
    // The last line says only how long the file is.
    const entry = JSON.parse(text.slice(0, text.lastIndexOf('\n', text.length - 2))) as Erasure
    const isEntry = file.endsWith(objectFile(erasureKey(entry.ledgerNumber)))
    return isEntry ? entry : undefined
  } catch {
    return undefined
  }
}

/** An entry lists the orders of a person. */
const erasureBytesMax = 1_000_000

async function readFolder(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
