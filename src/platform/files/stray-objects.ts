import type { Database, Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { Outage } from '../../vocabulary/outage.ts'

/**
 * Objects are stored before the transaction that writes their record, so that no row is locked while a store is slow.
 * If the process died in between, an object would stay for ever. So it is noted as a stray first, and the transaction
 * claims it. Unclaimed strays are removed once they are old.
 */
export async function noteStrays(queries: Queries, objectKeys: readonly string[]): Promise<void> {
  await queries.rows(sql`
    insert into stray_object (object_key) select * from unnest(${objectKeys}::text[]) on conflict do nothing`)
}

/** @throws Outage if a stray was removed meanwhile, which happens only after a day without a claim */
export async function claimStrays(tx: Transaction, objectKeys: readonly string[]): Promise<void> {
  const claimed = await tx.rows(sql`
    delete from stray_object where object_key = any(${objectKeys}::text[]) returning object_key`)
  if (claimed.length < objectKeys.length) throw new Outage('a stored file was removed before its record was written')
}

/** Removes strays that nobody will claim without waiting until they are old. `removeStrays` removes what fails here. */
export async function dropStrays(
  objectStore: Pick<ObjectStore, 'remove'>,
  objectKeys: readonly string[],
): Promise<void> {
  await Promise.allSettled(objectKeys.map((objectKey) => objectStore.remove(objectKey)))
}

/**
 * Removes them one by one, each under its lock, for which a concurrent claim waits.
 * @param ending aborted = leave the rest
 * @returns how many were removed
 * @throws Outage of the database or the store
 */
export async function removeStrays(
  database: Database,
  objectStore: Pick<ObjectStore, 'remove'>,
  olderThanHours: number,
  ending?: AbortSignal,
): Promise<number> {
  for (let removed = 0; ; removed++) {
    if (ending?.aborted) return removed
    const found = await database.transaction(async (tx) => {
      // stray_object_oldest
      const stray = await tx.row<{ objectKey: string }>(sql`
        select object_key from stray_object
        where noted_on < now() - make_interval(hours => ${olderThanHours}::int)
        order by noted_on
        limit 1
        for update skip locked`)
      if (!stray) return false
      await objectStore.remove(stray.objectKey)
      await tx.rows(sql`delete from stray_object where object_key = ${stray.objectKey}`)
      return true
    })
    if (!found) return removed
  }
}
