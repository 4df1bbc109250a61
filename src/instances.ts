import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { showPresence } from './database/presence.ts'
import { keyFileIn } from './master-keys.ts'
import type { Settings } from './settings.ts'

/**
 * Says what keeps other instances from running beside this one. Only with databases of one's own: the embedded server
 * belongs to one service. Nothing is refused: one machine with a folder is a way to run, and a lock of a machine that
 * lost its power would keep its successor from starting. Another master key is refused by `claimKeys`.
 */
export async function watchInstances(settings: Settings, log: Logger, opened: AsyncDisposableStack): Promise<void> {
  const { databaseUrl, dataDir, s3 } = settings
  if (databaseUrl === undefined) return
  if (!hasOwnKey(settings)) {
    log.warn(
      `SECRET_KEY is not set: the key is only in ${keyFileIn(dataDir)}, so no other machine can serve these databases; keep a copy of it.`,
    )
  }
  if (!s3) {
    log.warn(
      `S3_ENDPOINT is not set: files are only in ${join(dataDir, 'objects')}, so no other machine can serve them; more than one needs an S3.`,
    )
  }
  const presence = await showPresence(databaseUrl, s3 ? `${s3.endpoint}/${s3.bucket}` : await folderId(dataDir))
  opened.defer(presence.close)
  if (presence.othersDiffer) {
    log.error(
      'Another instance runs on the database of DATABASE_URL and stores files elsewhere: files of one are missing in the other. Give all the same S3, or the same DATA_DIR on one machine.',
    )
  }
}

function hasOwnKey(settings: Settings): boolean {
  return settings.secretKeys !== undefined
}

/** A name of the data folder that stays the same wherever it is mounted. */
async function folderId(dataDir: string): Promise<string> {
  const file = join(dataDir, 'folder.id')
  try {
    await writeFile(file, randomUUID(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFile(file, 'utf8')
}
