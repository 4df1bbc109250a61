import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeOrder, lineSubject, lockLines, type Refused } from '../order-changes/change-order.ts'

/** Puts the files of a line's proofs where they cannot be downloaded from: they stay listed, without links (PRF-10). */
export function archiveProofs(database: Database, orderNumber: number, lineNumber: number, change: Change) {
  return moveProofs(database, orderNumber, lineNumber, 'archive', change)
}

/** Brings them back: the same read then has their links again. */
export function retrieveProofs(database: Database, orderNumber: number, lineNumber: number, change: Change) {
  return moveProofs(database, orderNumber, lineNumber, 'retrieve', change)
}

/** Whatever has become of the order and the line: it is about the files alone. */
function moveProofs(
  database: Database,
  orderNumber: number,
  lineNumber: number,
  direction: 'archive' | 'retrieve',
  change: Change,
) {
  return changeOrder<{ files: number }, Refused<'line_not_found' | 'no_such_proofs'>>(
    database,
    orderNumber,
    null,
    change,
    async (tx) => {
      const [line] = await lockLines(tx, orderNumber, [lineNumber])
      if (!line) return { refused: 'line_not_found' }
      const isArchived = direction === 'retrieve'
      const moved = await tx.rows(sql`
        update proof_file set archived_on = ${isArchived ? null : change.now}
        where order_number = ${orderNumber} and line_number = ${lineNumber} and (archived_on is not null) = ${isArchived}
        returning revision`)
      if (moved.length === 0) return { refused: 'no_such_proofs' }
      const files = moved.length
      const action = isArchived ? 'proof.files_retrieved' : 'proof.files_archived'
      return { done: { files }, audit: { action, subject: lineSubject(line), detail: { files } } }
    },
  )
}
