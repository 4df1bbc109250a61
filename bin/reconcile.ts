import { Client } from 'pg'
import { environments } from '../src/backup/backups.ts'
import { readNamedFiles, reconcile } from '../src/backup/named-files.ts'
import { isDemoFile } from '../src/demo/files-when-asked.ts'
import { openStorageToLook } from '../src/storage.ts'
import { settingsOfProcess } from '../src/variables.ts'
import { systemClock } from '../src/vocabulary/clock.ts'
import { SettingRefused } from '../src/vocabulary/setting-refused.ts'
import { databaseUrlOf, runCommand, say } from './commands/command.ts'
import { sayFaulty } from './commands/say-faulty.ts'

/**
 * `npm run -s reconcile`: holds the files that rows name against the store, in both environments, and lists what is missing or
 * of another size or MD5. Databases and store are those of the service; it changes neither. It exits with 3 if anything is listed.
 */
await runCommand(async () => {
  if (process.argv.length > 2) throw new SettingRefused('usage: npm run -s reconcile')
  const settings = settingsOfProcess(process.env)
  const storeOf = await openStorageToLook({ ...settings, clock: systemClock })
  for (const environment of environments) {
    const client = new Client({ connectionString: await databaseUrlOf(settings, environment) })
    await client.connect()
    try {
      const named = await readNamedFiles(client)
      const { checked, madeWhenAsked, faulty } = await reconcile(named, storeOf(environment), isDemoFile)
      const later = madeWhenAsked > 0 ? ` (${madeWhenAsked} of the demo data, drawn when asked for)` : ''
      say(`${environment.toLowerCase()} files: ${checked} named by rows${later}, ${faulty.length} missing or wrong`)
      sayFaulty(faulty)
      if (faulty.length > 0) process.exitCode = 3
    } finally {
      await client.end()
    }
  }
})
