import type { Transaction } from '../../database/database.ts'
import { sql, sqlText, type SqlPart } from '../../database/sql.ts'

/**
 * Removes what is known about the print files of orders, which only a reset of the sandbox does.
 * @returns the object keys that no record refers to any more
 */
export async function forgetInspections(tx: Transaction, orderNumbers: readonly number[]): Promise<string[]> {
  const files = sqlText`
    select print_file_id from print_file where order_number = any(${orderNumbers}::bigint[])`
  const [pictures] = await Promise.all([
    forgetPictures(tx, sqlText`print_file_id in (${files})`),
    tx.rows(sql`delete from artwork_inspection where print_file_id in (${files})`),
    tx.rows(sql`delete from artwork_waiver where print_file_id in (${files})`),
  ])
  return pictures
}

/** @param of a condition on artwork_inspection */
export async function forgetPictures(tx: Transaction, of: SqlPart): Promise<string[]> {
  const gone = await tx.rows<{ objectKey: string }>(sql`
    delete from artwork_picture where inspection_id in (select inspection_id from artwork_inspection where ${of})
    returning object_key`)
  return gone.map(({ objectKey }) => objectKey)
}
