import type { Database, Transaction } from '../../database/database.ts'
import { batchMax, inBatches } from '../../database/in-batches.ts'
import { sql, sqlText, type SqlPart } from '../../database/sql.ts'
import { noteStrays } from '../files/stray-objects.ts'
import { forgetPictures } from './forget-inspections.ts'

/** Removes checks begun before an instant. Their files become strays. */
export async function forgetArtworkChecks(
  { transaction }: Pick<Database, 'transaction'>,
  before: Date,
  ending?: AbortSignal,
): Promise<number> {
  return inBatches(
    () =>
      transaction((tx) =>
        // artwork_check_oldest
        forget(
          tx,
          sqlText`
          select check_id from artwork_check where begun_on < ${before} order by begun_on limit ${batchMax}
          for update skip locked`,
        ),
      ),
    ending,
  )
}

/** Removes a partner's checks but its newest. */
export async function forgetOlderChecksOf(tx: Transaction, partnerId: string, kept: number): Promise<void> {
  // artwork_check_by_partner
  await forget(
    tx,
    sqlText`
    select check_id from artwork_check
    where check_id in (
      select check_id from artwork_check where partner_id = ${partnerId} order by begun_on desc, check_id offset ${kept})
    for update skip locked`,
  )
}

/** Removes all checks of a partner, for a reset of its sandbox. */
export async function forgetArtworkChecksOf(tx: Transaction, partnerId: string): Promise<void> {
  // artwork_check_by_partner
  await forget(tx, sqlText`select check_id from artwork_check where partner_id = ${partnerId} for update`)
}

async function forget(tx: Transaction, which: SqlPart): Promise<unknown[]> {
  const checks = await tx.rows<{ checkId: string }>(sql`${which}`)
  const checkIds = checks.map(({ checkId }) => checkId)
  if (checkIds.length === 0) return checks
  const [pictures, , files] = await Promise.all([
    forgetPictures(tx, sqlText`check_id = any(${checkIds}::uuid[])`),
    tx.rows(sql`delete from artwork_inspection where check_id = any(${checkIds}::uuid[])`),
    tx.rows<{ uploadKey: string; objectKey: string | null }>(sql`
      delete from artwork_check where check_id = any(${checkIds}::uuid[]) returning upload_key, object_key`),
  ])
  const keys = files.flatMap(({ uploadKey, objectKey }) => (objectKey === null ? [uploadKey] : [uploadKey, objectKey]))
  await noteStrays(tx, [...pictures, ...keys])
  return checks
}
