import { sqlText } from '../../database/sql.ts'

/**
 * How the artwork of a line stands: `inspecting` = something is still to be found out about one of its files, `blocked` =
 * its newest file cannot be printed as it is, `ready` = nothing stands against it. A mended file comes after a faulty one
 * and never replaces it (ART-19), so the newest decides.
 */
export type ArtworkStanding = 'inspecting' | 'blocked' | 'ready'

/**
 * The newest file of `line` as a row with `attached_on` and `standing`; none without a file. Served by
 * print_file_by_line.
 */
export const newestArtwork = sqlText`
  select file.attached_on,
    case
      when exists (
        select from print_file
        join artwork_inspection inspected using (print_file_id)
        where print_file.order_number = line.order_number and print_file.line_number = line.line_number
          and print_file.active and inspected.status in ('queued', 'inspecting')
      ) then 'inspecting'
      when inspection.status in ('needs_changes', 'unreadable') then 'blocked'
      else 'ready'
    end as standing
  from print_file file
  join artwork_inspection inspection using (print_file_id)
  where file.order_number = line.order_number and file.line_number = line.line_number and file.active
  order by file.print_file_id desc
  limit 1`

/** Whether `line` is in prepress, or on hold there. In the words of the index order_line_to_proof. */
export const inPrepress = sqlText`(line.production_status = 'PREPRESS' or line.held_production_status = 'PREPRESS')`

/** Whether the last proof of `line` is older than its file `newest`; null without a proof. By the primary key. */
export const proofOutdated = sqlText`newest.attached_on > (
  select max(created_on) from proof_file
  where proof_file.order_number = line.order_number and proof_file.line_number = line.line_number
)`
