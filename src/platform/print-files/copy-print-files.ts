import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { copyInspections } from '../artwork/copy-inspections.ts'

/** Gives another line of the same order the print files of a line, and what is known about them. It shares their objects. */
export async function copyPrintFiles(
  tx: Transaction,
  { orderNumber, lineNumber }: { orderNumber: number; lineNumber: number },
  toLineNumber: number,
): Promise<void> {
  await tx.rows(sql`
    insert into print_file (site_id, order_number, line_number, file_name, object_key, size_bytes, md5, source,
      attached_on)
    select site_id, order_number, ${toLineNumber}::int, file_name, object_key, size_bytes, md5, source, attached_on
    from print_file where order_number = ${orderNumber} and line_number = ${lineNumber} and active
    order by print_file_id`)
  await copyInspections(tx, { orderNumber, lineNumber }, toLineNumber)
}
