import type { Client } from 'pg'
import { demoCast, type CastManifest } from './cast/cast.ts'
import { orderingUsers } from './cast/customers.ts'
import type { CastOptions } from './cast/options.ts'
import { demoCrowd } from './crowd/crowd.ts'
import { insertTables } from './insert.ts'
import { insertPrintFiles, printFilesOf } from './seed-print-files.ts'

/** Makes the cast, and with `crowd` the crowd, and inserts it. `tellDone` gets the share of all rows, up to 1. */
export async function insertDemo(
  client: Client,
  options: CastOptions & { crowd: boolean },
  tellDone: (share: number) => void,
): Promise<CastManifest> {
  const cast = demoCast(options)
  const tables = options.crowd ? [...cast.tables, ...demoCrowd(options.now, cast)] : cast.tables
  // A partner's sandbox fills with files of its own; drawing the crowd's twice would delay the first start.
  const printed = printFilesOf(options.environment === 'SANDBOX' ? cast.tables : tables)
  await insertTables(client, tables, tellDone)
  for (const [siteId, userId] of orderingUsers)
    await client.query('update site set ordering_user_id = $2 where site_id = $1', [siteId, userId])
  await insertPrintFiles(client, await printed)
  await advanceSequences(client)
  return cast.manifest
}

const numberSequences = [
  ['order_number_sequence', 'orders', 'order_number'],
  ['item_number_sequence', 'order_line', 'item_number'],
  ['project_id_sequence', 'orders', 'project_id'],
  ['shipment_number_sequence', 'shipment', 'shipment_number'],
] as const

/** Rows were inserted with their ids, so the sequences have to be moved past them. */
async function advanceSequences(client: Client): Promise<void> {
  const { rows: identities } = await client.query<{ sequence: string; table: string; column: string }>(
    `select pg_get_serial_sequence(attrelid::regclass::text, attname) as sequence,
       attrelid::regclass::text as table, attname as column
     from pg_attribute
     where attidentity <> '' and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  )
  const all = [...identities, ...numberSequences.map(([sequence, table, column]) => ({ sequence, table, column }))]
  for (const { sequence, table, column } of all)
    await client.query(`select setval('${sequence}', max(${column})) from ${table} having max(${column}) is not null`)
}
