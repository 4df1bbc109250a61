import { DatabaseError } from 'pg'
import pino from 'pino'
import { environments } from '../src/backup/backups.ts'
import { openDatabase, type Database } from '../src/database/database.ts'
import { countOthers, sealAnew } from '../src/database/seal-anew.ts'
import {
  forgetUnlisted,
  keptMasterKeys,
  knownKeys,
  noteSealing,
  placeOfKeys,
  useNotedSeconds,
} from '../src/master-keys.ts'
import { sealedKinds } from '../src/sealed-kinds.ts'
import { settingsOfProcess } from '../src/variables.ts'
import type { Environment } from '../src/vocabulary/environment.ts'
import { keyRing, type MasterKeys } from '../src/vocabulary/keys.ts'
import { Outage } from '../src/vocabulary/outage.ts'
import { SettingRefused } from '../src/vocabulary/setting-refused.ts'
import { databaseUrlOf, reasonOf, runCommand, say } from './commands/command.ts'

/**
 * `npm run -s keys`: seals everything that an older key sealed with the newest one, while the service goes on, and says
 * what is left and when the older keys can go. It refuses a newest key with which no instance was started yet. `npm run -s
 * keys -- forget` gives up what only keys need that are no longer listed. Keys and databases are those of the service:
 * SECRET_KEYS or the key file, DATABASE_URL or the embedded server of the service that runs on DATA_DIR.
 */
const [command, ...rest] = process.argv.slice(2)

/** What a key signed lives no longer than this: the links of files and of invitations, 7 days. */
const longestLinkSeconds = 7 * 86_400

await runCommand(async () => {
  if ((command !== undefined && command !== 'forget') || rest.length > 0)
    throw new SettingRefused('usage: npm run -s keys [-- forget]')
  const settings = settingsOfProcess(process.env)
  const keys = await keptMasterKeys(settings)
  for (const environment of environments) {
    const url = await databaseUrlOf(settings, environment)
    const database = openDatabase(url, { log: pino({ level: 'silent' }), connections: { changes: 1 } })
    try {
      say(`${environment.toLowerCase()}:`)
      const of = { keys, place: placeOfKeys(settings), environment }
      await (command === 'forget' ? forget(database, environment, keys) : renew(database, of))
    } catch (error) {
      if (!(error instanceof Outage || error instanceof DatabaseError)) throw error
      const cause = error instanceof Outage && error.cause instanceof Error ? error.cause : error
      const reason = reasonOf(cause) ?? error.message
      throw new SettingRefused(`The ${environment.toLowerCase()} database cannot be used: ${reason}.`)
    } finally {
      await database.close()
    }
  }
})

async function renew(database: Database, of: Parameters<typeof noteSealing>[1]): Promise<void> {
  const { keys: all, environment } = of
  let left = 0
  for (const kind of sealedKinds) {
    // Each time, since an instance that starts with other keys meanwhile forgets a key that nothing is sealed with yet.
    await noteSealing(database, of)
    const ring = keyRing(all, environment, kind.purpose)
    const before = await countOthers(database.statements, kind, [ring[0]])
    await sealAnew(database.statements, kind, ring)
    const after = await countOthers(database.statements, kind, [ring[0]])
    say(`  ${kind.what}: ${before} sealed by an older key, ${after} left`)
    const hashed = (await kind.hashed?.(database.statements)) ?? []
    for (const { name, lastUsedOn } of hashed) {
      say(`    ${name} is stored in a form that only its next use renews; last used ${lastUsedOn ?? 'never'}`)
    }
    left += after + hashed.length
  }
  await noteSealing(database, of)
  const known = await knownKeys(database.statements, all, environment)
  const lastUses = known.flatMap(({ isFirst, inUseOn }) => (isFirst || inUseOn === null ? [] : [Date.parse(inUseOn)]))
  if (all.length === 1 && lastUses.length === 0) return say('  One key is listed, and it is the only one in use.')
  if (left > 0) return say(`  The older keys are still needed: ${left} are left.`)
  const free = new Date(Math.max(...lastUses, 0) + (useNotedSeconds + longestLinkSeconds) * 1_000)
  const until = free.getTime() > Date.now() ? `from ${free.toISOString()} on` : 'now'
  say(`  Nothing is sealed by an older key. What it signed has run out, and it can go, ${until}.`)
}

async function forget(database: Database, environment: Environment, all: MasterKeys): Promise<void> {
  const unlisted = (await knownKeys(database.statements, all, environment)).filter(({ isListed }) => !isListed)
  await forgetUnlisted(database.statements, all, environment)
  const left = (await knownKeys(database.statements, all, environment)).filter(({ isListed }) => !isListed)
  say(`  ${unlisted.length - left.length} forgotten, ${left.length} left`)
}
