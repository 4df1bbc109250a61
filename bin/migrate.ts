import pino from 'pino'
import { openDatabases } from '../src/databases.ts'
import type { Steps } from '../src/start-steps.ts'
import { settingsOfProcess } from '../src/variables.ts'
import { SettingRefused } from '../src/vocabulary/setting-refused.ts'
import { runCommand, say } from './commands/command.ts'

/**
 * `npm run -s migrate`: brings the tables of both databases up to date, gives the service's role its rights, and ends. It
 * reads the settings of the service, and connects with MIGRATION_DATABASE_URL and SANDBOX_MIGRATION_DATABASE_URL. Several
 * may run at once. A service that starts afterwards needs no more than DATABASE_URL and SANDBOX_DATABASE_URL.
 */
await runCommand(async () => {
  if (process.argv.length > 2) throw new SettingRefused('usage: npm run -s migrate')
  const settings = settingsOfProcess(process.env)
  if (settings.databaseUrl === undefined)
    throw new SettingRefused(
      'DATABASE_URL is not set: the embedded database is migrated by the service when it starts.',
    )
  const steps: Steps = async (_what, work) => {
    const [result, said] = await work(() => {})
    say(said)
    return result
  }
  await using opened = new AsyncDisposableStack()
  await openDatabases(settings, { log: pino({ level: 'silent' }), steps }, opened)
})
