import type { Client } from 'pg'
import type { Environment } from '../vocabulary/environment.ts'
import { deriveKey, keyId, keyIdBytes, keyRing, type MasterKeys } from '../vocabulary/keys.ts'
import { seal, unseal } from '../vocabulary/seal.ts'
import { SettingRefused } from '../vocabulary/setting-refused.ts'

/**
 * The key from which the credentials of the demo data follow. It is made with the data and kept sealed, so that a change
 * of the master key changes none of them. Each start seals it with the newest key.
 * @param isSeeded the data is there; without a key of its own, it was made from the master key itself
 */
export async function keepDemoKey(
  client: Client,
  { environment, masterKeys }: { environment: Environment; masterKeys: MasterKeys },
  isSeeded: boolean,
): Promise<Buffer> {
  const keys = keyRing(masterKeys, environment, 'stored-secret')
  const { rows } = await client.query<{ key_sealed: Buffer }>('select key_sealed from demo_key')
  if (isSeeded && !rows[0]) return masterKeys.at(-1)!
  const isNewest = rows[0] && keyId(keys[0]).equals(rows[0].key_sealed.subarray(0, keyIdBytes))
  let demoKey = deriveKey(masterKeys[0], environment, 'demo')
  try {
    if (rows[0]) demoKey = unseal(keys, 'demo key', rows[0].key_sealed)
  } catch {
    throw new SettingRefused(
      `The key of the ${environment.toLowerCase()} demo data was sealed with a master key that is not listed: list it again, last, or set DEMO=off.`,
    )
  }
  if (isNewest) return demoKey
  await client.query(
    `insert into demo_key (key_sealed) values ($1)
     on conflict (only_one) do update set key_sealed = excluded.key_sealed`,
    [seal(keys, 'demo key', demoKey)],
  )
  return demoKey
}
