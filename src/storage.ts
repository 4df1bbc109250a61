import { mkdir } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { onDisk } from './outside/object-store/disk-fault.ts'
import { embeddedStore } from './outside/object-store/embedded-store.ts'
import { folderStore } from './outside/object-store/folder-store.ts'
import { openObjectFolder, type ObjectFolder } from './outside/object-store/object-folder.ts'
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

/** @throws SettingRefused when files cannot be stored in the data folder */
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
  const { clock, log, folderOf = (folder) => folder } = parts
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

async function openOrRefuse(folder: string): Promise<ObjectFolder> {
  try {
    return await openObjectFolder(folder)
  } catch (error) {
    throw new SettingRefused(`DATA_DIR cannot hold files. ${(error as Error).message}`)
  }
}
