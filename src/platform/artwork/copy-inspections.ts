import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { artworkQueued } from './artwork-channels.ts'

/**
 * Gives the copies of a line's print files what inspection found in them and what staff let pass, so that the other line
 * need not wait. What is still to be inspected is queued for the copy too. A copy has no pictures of its own, so its result
 * is not used again (no `sha256`).
 */
export async function copyInspections(
  tx: Transaction,
  { orderNumber, lineNumber }: { orderNumber: number; lineNumber: number },
  toLineNumber: number,
): Promise<void> {
  tx.hint(artworkQueued)
  // print_file_by_line and print_file_once
  await tx.rows(sql`
    with both_files as (
      select former.print_file_id as former_id, copy.print_file_id as copy_id
      from print_file former
      join print_file copy on copy.order_number = former.order_number and copy.line_number = ${toLineNumber}
        and copy.object_key = former.object_key
      where former.order_number = ${orderNumber} and former.line_number = ${lineNumber}
    ), waived as (
      insert into artwork_waiver (print_file_id, code, page, subject, reason, actor_id, waived_on)
      select copy_id, code, page, subject, reason, actor_id, waived_on
      from both_files join artwork_waiver on print_file_id = former_id
      where ended_on is null
    )
    insert into artwork_inspection (print_file_id, site_id, turn_of, profile, artwork_types, profile_key, status,
      engine_version, size_bytes, media_type, findings, pages, inspected_on)
    select copy_id, site_id, turn_of, profile, artwork_types, profile_key,
      case when inspected_on is null then 'queued' else status end, engine_version, size_bytes, media_type, findings, pages,
      inspected_on
    from both_files join artwork_inspection on print_file_id = former_id`)
}
