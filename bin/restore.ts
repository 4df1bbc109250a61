import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isThere } from '../src/backup/backups.ts'
import { restore, type Restored } from '../src/backup/restore.ts'
import { isDemoFile } from '../src/demo/files-when-asked.ts'
import { fingerprintsOf, keyFileIn, masterKeys } from '../src/master-keys.ts'
import type { Settings } from '../src/settings.ts'
import { settingsOfProcess } from '../src/variables.ts'
import { SettingRefused } from '../src/vocabulary/setting-refused.ts'
import { runCommand, say } from './commands/command.ts'
import { sayFaulty } from './commands/say-faulty.ts'

/**
 * `npm run -s restore -- --to MOMENT`: restores the databases and files of BACKUP_DIR into DATA_DIR as they were at that moment
 * (ISO 8601, or `latest`). `--backup NAME` begins with that backup. It exits with 3 if all is restored but for files that rows
 * name, for entries of the ledger of erasures, or for what came after a hole in the WAL; the service starts all the same. So it
 * does if the key is there and is not the one that the databases need, without which the service does not start.
 */
const usage = 'usage: npm run -s restore -- --to MOMENT [--backup NAME]; MOMENT is as 2026-11-24T20:15:00Z, or latest'

await runCommand(async () => {
  const { to, name } = asked(process.argv.slice(2))
  const settings = settingsOfProcess(process.env)
  const { dataDir, backupDir, s3 } = settings
  if (backupDir === undefined)
    throw new SettingRefused('BACKUP_DIR must name the folder of the backups (docs/backup.md).')
  const startedAt = performance.now()
  const restored = await restore({
    dataDir,
    backupDir,
    to,
    name,
    withFiles: s3 === undefined,
    madeWhenAsked: isDemoFile,
    log: (line) => process.stderr.write(`${line}\n`),
  })
  say(`restored into ${dataDir} from the backup ${restored.backup.name} and ${restored.segments} segments of WAL`)
  say(`  last change: ${restored.lastChangeOn ?? 'none since the backup'}`)
  if (restored.missingSegment !== undefined)
    say(
      `  missing: the segment ${restored.missingSegment}.gz of the WAL; nothing that was changed from there on is restored`,
    )
  const faults = sayFiles(restored)
  const key = await lookAtKey(settings, restored)
  say(`  key: ${key.sentence}`)
  say(`  recovery time: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  say(
    `Start the service on it, to try it with a BACKUP_DIR of its own; in the place of one that is gone, remove ${join(backupDir, 'owner')} first. Then take a backup: moments from then on can be restored from that one only.`,
  )
  if (faults > 0 || restored.missingSegment !== undefined || key.isWrong) process.exitCode = 3
})

function sayFiles({ files }: Restored): number {
  if (!files) {
    say('  files: in the S3; hold them against the rows with npm run -s reconcile once the service runs')
    return 0
  }
  for (const [environment, found] of Object.entries(files)) {
    const later = found.madeWhenAsked > 0 ? ` (${found.madeWhenAsked} of the demo data, drawn when asked for)` : ''
    say(
      `  ${environment.toLowerCase()} files: ${found.named} named by rows${later}, ${found.copied} copied back, ${found.faulty.length} missing or wrong`,
    )
    say(`    erasures in the ledger: ${found.erasures}; files in the backup that no row names: ${found.left}`)
    sayFaulty(found.faulty)
  }
  return Object.values(files).reduce((sum, { faulty }) => sum + faulty.length, 0)
}

async function lookAtKey(
  { secretKeys, dataDir }: Settings,
  { backup }: Restored,
): Promise<{ sentence: string; isWrong: boolean }> {
  const needed = backup.keyFingerprints.PRODUCTION
  const keyFile = keyFileIn(dataDir)
  if (secretKeys === undefined && !(await isThere(keyFile))) {
    return {
      sentence: `put the key with the fingerprint ${needed[0]} into ${keyFile}, or set SECRET_KEY; without it the service does not start`,
      isWrong: false,
    }
  }
  const given = fingerprintsOf(await masterKeys(secretKeys, dataDir), 'PRODUCTION').map((each) => each.toString('hex'))
  return given.includes(needed[0]!)
    ? { sentence: 'the one that the databases need', isWrong: false }
    : {
        sentence: `not the one that the databases need, whose fingerprint is ${needed[0]} (docs/keys.md); without it the service does not start`,
        isWrong: true,
      }
}

function asked(words: string[]): { to: Date | undefined; name: string | undefined } {
  try {
    const { to, backup } = parseArgs({
      args: words,
      options: { to: { type: 'string' }, backup: { type: 'string' } },
    }).values
    if (to === 'latest') return { to: undefined, name: backup }
    if (to === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(to))
      throw new Error()
    const moment = new Date(to)
    if (Number.isNaN(moment.getTime())) throw new Error()
    return { to: moment, name: backup }
  } catch {
    throw new SettingRefused(usage)
  }
}
