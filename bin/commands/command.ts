import { join } from 'node:path'
import { databaseOf } from '../../src/backup/backups.ts'
import { EmbeddedServerRefused } from '../../src/database/embedded/server.ts'
import { runningServerUrl } from '../../src/database/embedded/running-server.ts'
import type { Settings } from '../../src/settings.ts'
import type { Environment } from '../../src/vocabulary/environment.ts'
import { SettingRefused } from '../../src/vocabulary/setting-refused.ts'

/** Does the work of a command for operators. What it refuses is one sentence on standard error, and exit code 2. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof SettingRefused || error instanceof EmbeddedServerRefused)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/**
 * Where the database of an environment is: as the settings say, or on the embedded server of the service that runs.
 * @throws SettingRefused if neither is there
 */
export async function databaseUrlOf(
  {
    dataDir,
    databaseUrl,
    sandboxDatabaseUrl,
  }: Pick<Settings, 'dataDir'> & Partial<Pick<Settings, 'databaseUrl' | 'sandboxDatabaseUrl'>>,
  environment: Environment,
): Promise<string> {
  const given = { PRODUCTION: databaseUrl, SANDBOX: sandboxDatabaseUrl }[environment]
  const url = given ?? (await runningServerUrl(join(dataDir, 'postgres'), databaseOf[environment], 'service'))
  if (url !== undefined) return url
  throw new SettingRefused(
    `DATABASE_URL is not set, and no service with a database of its own runs on DATA_DIR ${dataDir}.`,
  )
}
