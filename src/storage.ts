import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { onDisk } from './outside/object-store/disk-fault.ts'
import { embeddedStore } from './outside/object-store/embedded-store.ts'
import { folderStore } from './outside/object-store/folder-store.ts'
import { lookIntoObjectFolder, openObjectFolder, type ObjectFolder } from './outside/object-store/object-folder.ts'
import type { ObjectStore } from './outside/object-store/object-store.ts'
import { reachS3, s3Store } from './outside/object-store/s3-store.ts'
import type { SigningKey } from './outside/object-store/signing-v4.ts'
import { createStorageServer, storageListener } from './outside/object-store/storage-listener.ts'
import type { S3Location } from './settings.ts'
import { SettingRefused } from './vocabulary/setting-refused.ts'
import type { Clock } from './vocabulary/clock.ts'
import type { Environment } from './vocabulary/environment.ts'
import { keyRing, type MasterKeys, ofEach } from './vocabulary/keys.ts'

/**
 * Where the service stores files: in the configured S3, or in folders of its own with a listener of its own. Each
 * environment has its own store, and a link of one is not valid in the other.
 */
export type Storage = {
  /** serves the signed links; undefined when an S3 does */
  server: Server | undefined
  /** @param url the URL by which partners reach the storage */
  storeOf: (environment: Environment, url: string) => ObjectStore
  /** whether files can be stored now. @throws Outage */
  reach: () => Promise<unknown>
}

type StorageParts = {
  s3: S3Location | undefined
  dataDir: string
  masterKeys: MasterKeys
  clock: Clock
  log: Logger
  ownUrl: () => string
  /** where the staff console runs, which uploads by script */
  consoleUrl: () => string
  /** what a folder in DATA_DIR is used as; left out = as it is */
  folderOf?: (folder: ObjectFolder) => ObjectFolder
}

const folders = { PRODUCTION: 'production', SANDBOX: 'sandbox' } as const satisfies Record<Environment, string>

/** @throws SettingRefused when files cannot be stored in the data folder, or those that were in it are gone */
export async function openStorage(parts: StorageParts): Promise<Storage> {
  const root = join(parts.dataDir, 'objects')
  return parts.s3 ? openS3(parts, parts.s3, root) : openFolders(parts, root)
}

async function openS3(parts: StorageParts, location: S3Location, root: string): Promise<Storage> {
  const spoolFolder = join(root, 'spool')
  await mkdir(spoolFolder, { recursive: true, mode: 0o700 })
  const at = { ...location, spoolFolder, now: parts.clock }
  return {
    server: undefined,
    storeOf: (environment, url) => folderStore(s3Store({ ...at, publicEndpoint: url }), folders[environment]),
    reach: () => reachS3(at),
  }
}

async function openFolders(parts: StorageParts, root: string): Promise<Storage> {
  const { dataDir, clock, log, folderOf = (folder) => folder } = parts
  await refuseIfGone(dataDir, root)
  const opened = {} as Record<
    Environment,
    { folder: ObjectFolder; bucket: string; signingKeys: readonly [SigningKey, ...SigningKey[]] }
  >
  for (const environment of ['PRODUCTION', 'SANDBOX'] as const) {
    const bucket = folders[environment]
    opened[environment] = {
      folder: folderOf(await openOrRefuse(join(root, bucket))),
      bucket,
      signingKeys: ofEach(keyRing(parts.masterKeys, environment, 'link'), (key) => ({
        accessKeyId: bucket,
        secretAccessKey: key.toString('hex'),
        region: 'local',
      })),
    }
  }
  await markMade(dataDir)
  const browserOrigin = (): string => new URL(parts.consoleUrl()).origin
  const answer = (environment: Environment) => {
    const { folder, bucket, signingKeys } = opened[environment]
    return storageListener(folder, { bucket, signingKeys, browserOrigin, now: clock, log: log.child({ environment }) })
  }
  const [production, sandbox] = [answer('PRODUCTION'), answer('SANDBOX')]
  return {
    server: createStorageServer(
      (req, res) => (req.url?.startsWith(`/${folders.SANDBOX}/`) ? sandbox : production)(req, res),
      parts.ownUrl,
    ),
    storeOf: (environment, url) => {
      const { folder, bucket, signingKeys } = opened[environment]
      return embeddedStore(folder, { endpoint: url, bucket, signingKey: signingKeys[0] })
    },
    reach: () => onDisk(() => Promise.all(Object.values(opened).map(({ folder }) => folder.probe()))),
  }
}

/**
 * The file that says that the folders of files were made. Folders that are gone afterwards are on a disk that is not mounted:
 * new ones in their place would serve without the files, and hide what is stored in them once the disk is back.
 */
const markOf = (dataDir: string): string => join(dataDir, 'objects.made')

async function markMade(dataDir: string): Promise<void> {
  try {
    await writeFile(markOf(dataDir), 'objects/ was made. Remove this file to begin without the files in it.\n', {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** A data folder without the mark is new, or of a release that made none. */
async function refuseIfGone(dataDir: string, root: string): Promise<void> {
  if (!existsSync(markOf(dataDir))) return
  for (const name of Object.values(folders)) {
    if (await lookIntoObjectFolder(join(root, name))) continue
    throw new SettingRefused(
      `The files in ${join(root, name)} were there before and are gone: mount their disk or bring them back; to begin without them, remove ${markOf(dataDir)}.`,
    )
  }
}

/**
 * The same stores for one who only looks files up. In the data folder nothing is made.
 * @throws SettingRefused when no files are in the data folder
 */
export async function openStorageToLook({
  s3,
  dataDir,
  clock,
}: Pick<StorageParts, 's3' | 'dataDir' | 'clock'>): Promise<(environment: Environment) => Pick<ObjectStore, 'head'>> {
  const root = join(dataDir, 'objects')
  if (s3) {
    const store = s3Store({ ...s3, spoolFolder: join(root, 'spool'), publicEndpoint: s3.endpoint, now: clock })
    return (environment) => folderStore(store, folders[environment])
  }
  const opened = await Promise.all(
    Object.entries(folders).map(async ([environment, name]) => {
      const folder = await lookIntoObjectFolder(join(root, name))
      if (folder) return [environment, folder] as const
      throw new SettingRefused(
        `No files are in ${join(root, name)}: mount their disk, bring them back, or set DATA_DIR to the service's own.`,
      )
    }),
  )
  const of = Object.fromEntries(opened) as Record<Environment, Pick<ObjectFolder, 'head'>>
  return (environment) => ({ head: (key) => onDisk(() => of[environment].head(key)) })
}

async function openOrRefuse(folder: string): Promise<ObjectFolder> {
  try {
    return await openObjectFolder(folder)
  } catch (error) {
    throw new SettingRefused(`DATA_DIR cannot hold files. ${(error as Error).message}`)
  }
}
