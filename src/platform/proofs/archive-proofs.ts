import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { lineSubject, lockLines } from '../lines/change-line.ts'
import { changeOrder } from '../order-changes/change-order.ts'

/**
 * Archives the proof files of a line, or retrieves them. Archived files stay listed, without links (PRF-10). Only the
 * files change, so the states of order and line are not checked.
 */
export function setProofsArchived(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  archived: boolean,
) {
  return changeOrder(tx, change, orderNumber, null, async () => {
    const [line] = await lockLines(tx, orderNumber, [lineNumber])
    if (!line) return { refused: 'line_not_found' }
    const moved = await tx.rows(sql`
      update proof_file set archived_on = ${archived ? change.now : null}
      where order_number = ${orderNumber} and line_number = ${lineNumber} and (archived_on is null) = ${archived}
      returning revision`)
    const files = moved.length
    if (files === 0) return { refused: 'no_such_proofs' }
    const action = archived ? 'proof.files_archived' : 'proof.files_retrieved'
    return { done: { files }, audit: { action, subject: lineSubject(line), detail: { files } } }
  })
}
