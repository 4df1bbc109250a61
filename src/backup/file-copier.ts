import { join } from 'node:path'
import type { Logger } from 'pino'
import { archiveIdOf, refuseFolderOfAnother } from '../database/embedded/archive.ts'
import { startWorker, type Worker } from '../database/worker.ts'
import type { Environment } from '../vocabulary/environment.ts'
import { environments, filePlaces } from './backups.ts'
import { copyNewFiles } from './file-copies.ts'

const pollMilliseconds = 5_000

/** Copies new files to the backup folder while the service works, so that a restored row finds its file there. */
export function startFileCopier(parts: {
  dataDir: string
  backupDir: string
  /** told of each environment's copying: whether it went well */
  noteUse: (environment: Environment, isUp: boolean) => void
  log: Logger
}): Worker {
  const { dataDir, backupDir, noteUse, log } = parts
  const seen = environments.map((environment) => [environment, new Map<string, number>()] as const)
  return startWorker({
    log,
    failed: 'new files could not be copied to BACKUP_DIR; trying again soon',
    pollMilliseconds,
    round: async () => {
      const archiveId = await archiveIdOf(join(dataDir, 'postgres'))
      try {
        // The folder may have been given to another service meanwhile.
        if (archiveId !== undefined) await refuseFolderOfAnother(backupDir, archiveId)
      } catch (error) {
        for (const environment of environments) noteUse(environment, false)
        throw error
      }
      let failure: unknown
      for (const [environment, subfolders] of seen) {
        try {
          const { unreadable } = await copyNewFiles(filePlaces(dataDir, backupDir, environment), subfolders)
          noteUse(environment, unreadable.length === 0)
          if (unreadable.length > 0) failure ??= new Error(`these files cannot be read: ${unreadable.join(', ')}`)
        } catch (error) {
          noteUse(environment, false)
          failure ??= error
        }
      }
      if (failure !== undefined) throw failure
      return false
    },
  })
}
