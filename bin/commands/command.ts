import { join } from 'node:path'
import { databaseOf } from '../../src/backup/backups.ts'
import { asOutage } from '../../src/database/database.ts'
import { EmbeddedServerRefused } from '../../src/database/embedded/server.ts'
import { runningServerUrl } from '../../src/database/embedded/running-server.ts'
import type { Settings } from '../../src/settings.ts'
import type { Environment } from '../../src/vocabulary/environment.ts'
import { Outage } from '../../src/vocabulary/outage.ts'
import { SettingRefused } from '../../src/vocabulary/setting-refused.ts'

/**
 * Does the work of a command for operators. What it refuses, and an outage, is one sentence on standard error, and exit
 * code 2.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isRefusal = error instanceof SettingRefused || error instanceof EmbeddedServerRefused
    const sentence = isRefusal ? error.message : outageSentence(error)
    if (sentence === undefined) throw error
    process.stderr.write(`${sentence}\n`)
    // The process ends by itself: an exit in the midst of other work may hang. What is still open after that ends with it.
    process.exitCode = 2
    setTimeout(() => process.exit(), lastResortMilliseconds).unref()
  }
}

const lastResortMilliseconds = 5_000

/** undefined = the error is no outage, but a bug. */
function outageSentence(error: unknown): string | undefined {
  const outage = isOfFile(error) ? undefined : asOutage(error)
  if (!(outage instanceof Outage)) return undefined
  const { cause, message } = outage
  const reason = cause instanceof Error ? reasonOf(cause) : undefined
  const what = message === 'the database' ? 'The database cannot be used' : message
  return `${what}${reason ? `: ${reason}` : ''}.`
}

/** What a driver or the system said. Of several addresses that were tried, its error has the code alone. */
export function reasonOf(error: Error): string | undefined {
  return error.message || (error as NodeJS.ErrnoException).code
}

/** Whether the operating system refused work on a file, which is no outage of a database. */
function isOfFile(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall !== undefined && syscall !== 'connect' && !networkCodes.test(code ?? '')
}

const networkCodes = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/

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
