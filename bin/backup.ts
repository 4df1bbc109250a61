import { parseArgs } from 'node:util'
import { takeBackup } from '../src/backup/backups.ts'
import { settingsOfProcess } from '../src/variables.ts'
import { SettingRefused } from '../src/vocabulary/setting-refused.ts'
import { runCommand, say } from './commands/command.ts'

/**
 * `npm run -s backup`: backs up the embedded database and the files of the service that runs on DATA_DIR, to BACKUP_DIR, while
 * it serves. `-- --keep N` then removes all but the newest N backups. It exits with 3 if all is backed up but for files that cannot
 * be read.
 */
const usage = 'usage: npm run -s backup [-- --keep N]'

await runCommand(async () => {
  const keep = keepOf(process.argv.slice(2))
  const { dataDir, backupDir } = settingsOfProcess(process.env)
  if (backupDir === undefined) throw new SettingRefused('BACKUP_DIR must name the folder for backups (docs/backup.md).')
  const startedAt = performance.now()
  const { backup, newFiles, unreadable, removed, newer } = await takeBackup({ dataDir, backupDir }, new Date(), keep)
  const bytes = backup.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  say(
    `backup ${backup.name}: ${backup.files.length} files of the database, ${(bytes / 1e6).toFixed(0)} MB, ${seconds} s`,
  )
  say(`  new stored files: ${newFiles}`)
  say(`  moments from ${backup.restorableFrom} on can be restored`)
  for (const file of unreadable) say(`  not in it, since it cannot be read: ${file}`)
  if (unreadable.length > 0) process.exitCode = 3
  if (removed.length > 0) say(`  removed: ${removed.join(', ')}`)
  if (newer.length > 0) {
    say(`  later by name than this one, so the clock was ahead then, or is behind now: ${newer.join(', ')}`)
    say('    --keep takes them for the newest until their moment has come: move them away once they are not needed')
  }
})

function keepOf(words: string[]): number | undefined {
  try {
    const { keep } = parseArgs({ args: words, options: { keep: { type: 'string' } } }).values
    if (keep === undefined) return undefined
    if (!/^[1-9]\d{0,3}$/.test(keep)) throw new Error()
    return Number(keep)
  } catch {
    throw new SettingRefused(`${usage}; N is a number from 1 to 9999`)
  }
}
