import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from './database/database.ts'
import { sql } from './database/sql.ts'
import { SettingRefused } from './vocabulary/setting-refused.ts'
import type { Environment } from './vocabulary/environment.ts'
import { deriveKey } from './vocabulary/keys.ts'

const keyBytes = 32

/**
 * The key from which all others are derived: the one in the settings, or the one in the data folder's key file, made on
 * the first start (mode 0600).
 */
export async function masterKey(set: Buffer | undefined, dataDir: string): Promise<Buffer> {
  if (set) return set
  const file = join(dataDir, 'secret.key')
  try {
    const handle = await open(file, 'wx', 0o600)
    try {
      await handle.writeFile(`${randomBytes(keyBytes).toString('hex')}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'hex')
  if (key.length !== keyBytes)
    throw new SettingRefused(`The key file ${file} is damaged; restore it or set SECRET_KEY.`)
  return key
}

/**
 * Checks that the database's stored secrets were made with this key. With another key, every credential would fail
 * without an explanation.
 */
export async function claimKey(database: Database, key: Buffer, environment: Environment): Promise<void> {
  const fingerprint = fingerprintOf(key, environment)
  const stored = await database.statements.row<{ fingerprint: Buffer }>(sql`
    with made as (
      insert into service_key (fingerprint) values (${fingerprint}) on conflict do nothing returning fingerprint
    )
    select fingerprint from made union all select fingerprint from service_key limit 1`)
  if (stored && timingSafeEqual(stored.fingerprint, fingerprint)) return
  if (stored && timingSafeEqual(stored.fingerprint, fingerprintOf(key, others[environment]))) {
    throw new SettingRefused(
      'DATABASE_URL and SANDBOX_DATABASE_URL must name two databases and keep to them: one of them is the other environment’s.',
    )
  }
  throw new SettingRefused('SECRET_KEY (or the key file in DATA_DIR) is not the one this database was made with.')
}

const others = { PRODUCTION: 'SANDBOX', SANDBOX: 'PRODUCTION' } as const satisfies Record<Environment, Environment>

function fingerprintOf(key: Buffer, environment: Environment): Buffer {
  return createHmac('sha256', deriveKey(key, environment, 'fingerprint'))
    .update(environment)
    .digest()
}
