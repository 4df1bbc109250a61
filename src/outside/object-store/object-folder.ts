/**
 * Objects as files in one folder. It owns durability and atomicity: an object is there whole and fsynced, or not at
 * all. It knows no URL, no signature and no HTTP; those are in `embedded-store.ts` and `storage-listener.ts`.
 *
 * One object is one file: its bytes, then a trailer of fixed length with their MD5 and size. So a single rename
 * publishes the bytes and their facts together, and a hard link settles both without copying. A published file is never
 * written to. File names are hashes of keys, so no key can leave the folder, and file systems that ignore case cannot
 * merge two keys.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { isCode } from './disk-fault.ts'
import { checkedKey, type StoredObject } from './object-store.ts'

/** Bytes in order. A body that fails midway throws. */
export type Body = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export type OpenObject = StoredObject & {
  /** The bytes from `first` to `last`, both included; closes the object when it ends or is destroyed. */
  stream(first: number, last: number): Promise<Readable>
  close(): Promise<void>
}

/** The bytes received do not have the MD5 that the sender declared. */
export class BytesDiffer extends Error {
  override name = 'BytesDiffer'
}

const subfolders = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'))
const trailerForm = /^\nmd5 ([0-9a-f]{32}) size (\d{16})\n$/
const trailerBytes = 60

/**
 * Opens the folder, or makes it, and removes partial uploads of processes that died. Several processes may share it.
 * Throws one clear sentence when the folder cannot be written or its file system has no hard links.
 */
export async function openObjectFolder(folder: string) {
  const { objects, incoming } = within(folder)
  try {
    // All subfolders exist and are on disk before the first upload, so that no upload is acknowledged in one that a
    // crash loses.
    for (const name of subfolders) await fs.mkdir(path.join(objects, name), { recursive: true, mode: 0o700 })
    await fs.mkdir(incoming, { recursive: true, mode: 0o700 })
    await syncFolder(objects)
    await syncFolder(folder)
    // At the first start its name is new, and so is that of the folder above.
    await syncFolder(path.dirname(folder))
    await syncFolder(path.dirname(path.dirname(folder)))
    await probe(incoming)
    await sweep(incoming)
  } catch (cause) {
    throw new Error(`The object store cannot use the folder ${folder}: it must be writable and allow hard links.`, {
      cause,
    })
  }
  return objectsIn(folder)
}

/** The folder for one who only looks: nothing is made or removed in it. undefined when no objects are there. */
export async function lookIntoObjectFolder(folder: string): Promise<Pick<ObjectFolder, 'head'> | undefined> {
  const { objects } = within(folder)
  const names = await fs.readdir(objects).catch((error: unknown) => {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return []
    throw error
  })
  // Empty, it is where a disk would be mounted: an opened folder has its subfolders.
  return names.length > 0 ? objectsIn(folder) : undefined
}

function within(folder: string): { objects: string; incoming: string } {
  return { objects: path.join(folder, 'objects'), incoming: path.join(folder, 'incoming') }
}

function objectsIn(folder: string) {
  const { objects, incoming } = within(folder)
  const pathOf = (key: string): string => path.join(objects, objectFile(key))

  async function open(key: string): Promise<OpenObject | undefined> {
    let file: FileHandle
    try {
      file = await fs.open(pathOf(key), 'r')
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined
      throw error
    }
    try {
      const object = await readTrailer(file)
      return { ...object, stream: (first, last) => streamOf(file, first, last), close: () => file.close() }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  return {
    /**
     * Stores the body under the key once all of it is on disk. Until then, and when it fails, the key keeps its former
     * object. Of concurrent calls for one key, the last to finish wins. Throws BytesDiffer when the bytes do not match
     * `md5Expected`.
     */
    async receive(key: string, body: Body, md5Expected?: string): Promise<StoredObject> {
      const target = pathOf(key)
      const arriving = path.join(incoming, `${process.pid}-${randomUUID()}`)
      const file = await fs.open(arriving, 'wx', 0o600)
      try {
        const object = await writeWhole(file, body, md5Expected).finally(() => file.close())
        await fs.rename(arriving, target)
        await syncFolder(path.dirname(target))
        return object
      } catch (error) {
        await fs.rm(arriving, { force: true })
        throw error
      }
    },

    /** The object as it is now. A later PUT to its key does not change what is read from it. The caller closes it. */
    open,

    async head(key: string): Promise<StoredObject | undefined> {
      const object = await open(key)
      await object?.close()
      return object && { sizeBytes: object.sizeBytes, md5: object.md5 }
    },

    /** undefined when nothing is at `fromKey`. An object already at `toKey` stays, and `isNew` is then false. */
    async settle(fromKey: string, toKey: string): Promise<{ isNew: boolean } | undefined> {
      const target = pathOf(toKey)
      try {
        await fs.link(pathOf(fromKey), target)
      } catch (error) {
        if (isCode(error, 'ENOENT')) return undefined
        if (!isCode(error, 'EEXIST')) throw error
        // Whoever linked it may have died before its name was on disk.
        await syncFolder(path.dirname(target))
        return { isNew: false }
      }
      await syncFolder(path.dirname(target))
      return { isNew: true }
    },

    async remove(key: string): Promise<void> {
      await fs.rm(pathOf(key), { force: true })
    },

    /** Rejects with the disk's error while nothing can be stored. */
    probe: () => probe(incoming),
  }
}

/** Where an object lies within the subfolder `objects`. */
export function objectFile(key: string): string {
  const name = createHash('sha256').update(checkedKey(key)).digest('hex')
  return path.join(name.slice(0, 2), name)
}

export type ObjectFolder = ReturnType<typeof objectsIn>

async function writeWhole(file: FileHandle, body: Body, md5Expected: string | undefined): Promise<StoredObject> {
  const hash = createHash('md5')
  let sizeBytes = 0
  for await (const chunk of body) {
    await file.writeFile(chunk)
    hash.update(chunk)
    sizeBytes += chunk.byteLength
  }
  const md5 = hash.digest('hex')
  if (md5Expected !== undefined && md5Expected !== md5)
    throw new BytesDiffer('The MD5 of the bytes is not the one promised')
  await file.writeFile(`\nmd5 ${md5} size ${String(sizeBytes).padStart(16, '0')}\n`)
  await file.sync()
  return { sizeBytes, md5 }
}

async function readTrailer(file: FileHandle): Promise<StoredObject> {
  const sizeBytes = (await file.stat()).size - trailerBytes
  const { buffer } = await file.read({ buffer: Buffer.alloc(trailerBytes), position: Math.max(sizeBytes, 0) })
  const [, md5, size] = trailerForm.exec(buffer.toString('latin1')) ?? []
  if (md5 === undefined || Number(size) !== sizeBytes)
    throw new Error('A stored object was damaged: its trailer does not fit')
  return { sizeBytes, md5 }
}

async function streamOf(file: FileHandle, first: number, last: number): Promise<Readable> {
  if (last >= first) return file.createReadStream({ start: first, end: last, highWaterMark: 256 * 1024 })
  // A file stream cannot read zero bytes.
  await file.close()
  return Readable.from([])
}

/** Writes and links a file, so that an unusable folder is noticed before the next upload. */
async function probe(incoming: string): Promise<void> {
  const file = path.join(incoming, `${process.pid}-${randomUUID()}`)
  try {
    await fs.writeFile(file, 'probe', { mode: 0o600 })
    await fs.link(file, `${file}-linked`)
  } finally {
    await fs.rm(`${file}-linked`, { force: true })
    await fs.rm(file, { force: true })
  }
}

/**
 * Names of arriving files begin with a process id. Files of a process that is gone are removed, and so are those with
 * our own id, which an earlier process had.
 */
async function sweep(incoming: string): Promise<void> {
  for (const name of await fs.readdir(incoming)) {
    const owner = Number.parseInt(name, 10)
    if (owner === process.pid || !isAlive(owner)) await fs.rm(path.join(incoming, name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
