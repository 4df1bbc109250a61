import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Finding } from '../../vocabulary/artwork.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import type { InspectionStatus } from '../../vocabulary/statuses.ts'
import { type LockedLine, lockLines } from '../lines/change-line.ts'
import { type Changed, changeOrder } from '../order-changes/change-order.ts'

/** The inspection of a print file as it was when its row was locked. */
export type LockedInspection = {
  inspectionId: string
  printFileId: number
  fileName: string
  status: InspectionStatus
  findings: Finding[]
}

/**
 * The frame of what staff change about the inspection of a print file. The order's row is locked first, as in every
 * change of an order, but the states of order and line are not checked: only what is known about the file changes.
 */
export async function changeInspection<const Worked extends Changed | Refused>(
  tx: Transaction,
  change: Change,
  inspectionId: string,
  work: (inspection: LockedInspection, line: LockedLine) => Promise<Worked>,
) {
  // artwork_inspection's and print_file's primary keys
  const of = await tx.row<{ orderNumber: number; lineNumber: number }>(sql`
    select order_number, line_number
    from artwork_inspection join print_file using (print_file_id)
    where inspection_id = ${inspectionId}`)
  if (!of) return { refused: 'inspection_not_found' as const }
  return changeOrder(tx, change, of.orderNumber, null, async () => {
    const [line] = await lockLines(tx, of.orderNumber, [of.lineNumber])
    const inspection = await tx.row<LockedInspection>(sql`
      select inspection_id, print_file_id, file_name, status, findings
      from artwork_inspection join print_file using (print_file_id)
      where inspection_id = ${inspectionId}
      for no key update of artwork_inspection`)
    if (!line || !inspection) return { refused: 'inspection_not_found' }
    return work(inspection, line)
  })
}

export function isUnderWay({ status }: Pick<LockedInspection, 'status'>): boolean {
  return status === 'queued' || status === 'inspecting'
}
