import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import type { Database, Queries, Transaction } from './database/database.ts'
import { syncFolder } from './database/embedded/base-backup.ts'
import { countOthers } from './database/seal-anew.ts'
import { sql } from './database/sql.ts'
import { takeTurn } from './database/turns.ts'
import { startWorker, type Worker } from './database/worker.ts'
import { sealedKinds } from './sealed-kinds.ts'
import type { Settings } from './settings.ts'
import { SettingRefused } from './vocabulary/setting-refused.ts'
import type { Environment } from './vocabulary/environment.ts'
import { deriveKey, keyRing, type MasterKeys } from './vocabulary/keys.ts'

const keyBytes = 32

/**
 * The keys from which all others are derived, newest first: those in the settings, or those in the data folder's key file,
 * which is made with one key on the first start (mode 0600).
 */
export async function masterKeys(set: MasterKeys | undefined, dataDir: string): Promise<MasterKeys> {
  if (set) return set
  const file = keyFileIn(dataDir)
  const found = await readKeyFile(file)
  if (found) return found
  await makeKeyFile(file)
  return (await readKeyFile(file))!
}

/** The keys of a service that was started before, for its operator's commands: none are made. */
export async function keptMasterKeys({ secretKeys, dataDir }: KeySettings): Promise<MasterKeys> {
  if (secretKeys) return secretKeys
  const file = keyFileIn(dataDir)
  const found = await readKeyFile(file)
  if (found) return found
  throw new SettingRefused(
    `There is no key file ${file}: restore it, or set SECRET_KEYS or DATA_DIR as the service has them.`,
  )
}

type KeySettings = Pick<Settings, 'secretKeys' | 'secretKeysIn' | 'dataDir'>

/** What an operator changes to change the keys. */
export function placeOfKeys({ secretKeysIn, dataDir }: Omit<KeySettings, 'secretKeys'>): string {
  return secretKeysIn ?? `the key file ${keyFileIn(dataDir)}`
}

export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'secret.key')
}

/** An end at any moment leaves a file with a key or none: an empty one would be refused from then on. */
async function makeKeyFile(file: string): Promise<void> {
  const draft = `${file}-${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, `${randomBytes(keyBytes).toString('hex')}\n`, { mode: 0o600, flush: true })
    // Linking, unlike renaming, does not replace the key of another process that was faster.
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  // Before anything is sealed with the key, also by the one that was slower.
  await syncFolder(dirname(file))
}

/** undefined = there is none */
async function readKeyFile(file: string): Promise<MasterKeys | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const [first, ...others] = text
    .trim()
    .split(/\s+/)
    .map((line) => Buffer.from(line, 'hex'))
  if (!first || [first, ...others].some((key) => key.length !== keyBytes))
    throw new SettingRefused(`The key file ${file} is damaged; restore it or set SECRET_KEY.`)
  return [first, ...others]
}

/** A master key that this database knows: something may be sealed or signed with it. */
export type KnownKey = {
  isListed: boolean
  /** whether it is the first of the list, with which new things are made */
  isFirst: boolean
  /** when an instance last made something with it, by the database's clock; null = never */
  inUseOn: string | null
}

/**
 * Checks that the database's stored secrets were made with one of these keys, and that none of them needs a key that is
 * not listed. With another key, every credential would fail without an explanation.
 * @param place of the keys, for the refusal
 */
export async function claimKeys(
  database: Database,
  { keys, place, environment }: { keys: MasterKeys; place: string; environment: Environment },
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  await database.transaction(async (tx) => {
    await takeTurn(tx, 'service_key')
    const known = await readKnown(tx)
    const fingerprints = fingerprintsOf(keys, environment)
    if (known.length > 0 && !known.some(({ fingerprint }) => isAmong(fingerprint, fingerprints))) {
      throw new SettingRefused(whyStrange(known, keys, environment, place))
    }
    const missing = known.filter(({ fingerprint }) => !isAmong(fingerprint, fingerprints))
    if (missing.length > 0) {
      const left = await leftByUnlisted(tx, keys, environment)
      if (left.length > 0) {
        throw new SettingRefused(
          `${sentence(place)} lacks a key that the ${environment.toLowerCase()} database still needs, for ${left.join(', ')}: list it again, last${place === 'SECRET_KEY' ? ' in SECRET_KEYS' : ''}, and run \`npm run -s keys\`.`,
        )
      }
      log.warn(
        { environment, inUseOn: missing.map(({ inUseOn }) => inUseOn) },
        'an older key is no longer listed; tokens, sign-ins and links that it made no longer work',
      )
      await tx.rows(sql`
        delete from service_key where fingerprint = any(${missing.map(({ fingerprint }) => fingerprint)})`)
    }
    for (const fingerprint of fingerprints.slice(1)) {
      await tx.rows(sql`
        insert into service_key (fingerprint, in_use_on) values (${fingerprint}, null) on conflict do nothing`)
    }
    await noteUse(tx, fingerprints[0])
  })
}

/**
 * Notes that something is about to be sealed with the first key, so that no start without it is let in afterwards. Refused
 * unless an instance makes new things with it: one that does not know it could not open what is sealed anew.
 */
export async function noteSealing(
  database: Database,
  { keys, place, environment }: { keys: MasterKeys; place: string; environment: Environment },
): Promise<void> {
  const [first] = fingerprintsOf(keys, environment)
  await database.transaction(async (tx) => {
    await takeTurn(tx, 'service_key')
    const inUse = (await readKnown(tx)).filter(({ inUseOn }) => inUseOn !== null)
    if (!inUse.some(({ fingerprint }) => isAmong(fingerprint, [first]))) {
      throw new SettingRefused(
        `The first key of ${place} is not in use in the ${environment.toLowerCase()} database: start every instance with it first (docs/keys.md).`,
      )
    }
    await noteUse(tx, first)
  })
}

/** Notes again and again that new things are made with the first key, so that its last use is known once it is replaced. */
export function noteKeyInUse(parts: {
  database: Database
  keys: MasterKeys
  environment: Environment
  log: Logger
}): Pick<Worker, 'close'> {
  const { database, keys, environment, log } = parts
  const [fingerprint] = fingerprintsOf(keys, environment)
  return startWorker({
    log,
    failed: 'the use of the key could not be noted; trying again soon',
    pollMilliseconds: useNotedSeconds * 1_000,
    round: async () => {
      await noteUse(database.statements, fingerprint)
      return false
    },
  })
}

/** How far the noted last use of a key may be behind the real one. */
export const useNotedSeconds = 60

/** The master keys that the database knows. */
export async function knownKeys(queries: Queries, keys: MasterKeys, environment: Environment): Promise<KnownKey[]> {
  const fingerprints = fingerprintsOf(keys, environment)
  return (await readKnown(queries)).map(({ fingerprint, inUseOn }) => ({
    isListed: isAmong(fingerprint, fingerprints),
    isFirst: isAmong(fingerprint, [fingerprints[0]]),
    inUseOn,
  }))
}

/** Forgets the keys that are not listed, and so gives up what is still sealed with them. */
export async function forgetUnlisted(queries: Queries, keys: MasterKeys, environment: Environment): Promise<void> {
  const fingerprints = fingerprintsOf(keys, environment)
  // Never all: then the next start would take any key for the right one.
  await queries.rows(sql`
    delete from service_key
    where fingerprint <> all(${fingerprints})
      and exists (select from service_key as listed where listed.fingerprint = any(${fingerprints}))`)
}

/** What the database keeps that none of these keys opens, each as the end of a sentence. */
async function leftByUnlisted(queries: Queries, keys: MasterKeys, environment: Environment): Promise<string[]> {
  const left: string[] = []
  for (const kind of sealedKinds) {
    const sealed = await countOthers(queries, kind, keyRing(keys, environment, kind.purpose))
    const hashed = (await kind.hashed?.(queries)) ?? []
    if (sealed + hashed.length > 0) left.push(`${sealed + hashed.length} ${kind.what}`)
  }
  return left
}

type Known = { fingerprint: Buffer; inUseOn: string | null }

function readKnown(queries: Queries): Promise<Known[]> {
  return queries.rows<Known>(sql`select fingerprint, in_use_on from service_key order by in_use_on desc nulls last`)
}

async function noteUse(queries: Queries | Transaction, fingerprint: Buffer): Promise<void> {
  await queries.rows(sql`
    insert into service_key (fingerprint, in_use_on) values (${fingerprint}, now())
    on conflict (fingerprint) do update set in_use_on = excluded.in_use_on`)
}

function whyStrange(known: readonly Known[], keys: MasterKeys, environment: Environment, place: string): string {
  const others = fingerprintsOf(keys, environment === 'PRODUCTION' ? 'SANDBOX' : 'PRODUCTION')
  return known.some(({ fingerprint }) => isAmong(fingerprint, others))
    ? 'DATABASE_URL and SANDBOX_DATABASE_URL must name two databases and keep to them: one of them is the other environment’s.'
    : `${sentence(place)} has no key that the ${environment.toLowerCase()} database was made with.`
}

/** as its beginning */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function isAmong(fingerprint: Buffer, others: readonly Buffer[]): boolean {
  return others.some((other) => timingSafeEqual(other, fingerprint))
}

/** What tells the keys apart in a database without showing them, in the order of the keys. */
export function fingerprintsOf(
  [first, ...others]: MasterKeys,
  environment: Environment,
): readonly [Buffer, ...Buffer[]] {
  const of = (key: Buffer): Buffer =>
    createHmac('sha256', deriveKey(key, environment, 'fingerprint'))
      .update(environment)
      .digest()
  return [of(first), ...others.map(of)]
}
