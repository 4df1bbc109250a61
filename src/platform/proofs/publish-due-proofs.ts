import type { Logger } from 'pino'
import { sql, sqlText, type SqlPart } from '../../database/sql.ts'
import { startWorker, type RunningWorker } from '../../database/worker.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { artworkInspected } from '../artwork/artwork-channels.ts'
import type { Stores } from '../files/stores.ts'
import { inPrepress, newestArtwork, proofOutdated } from '../lines/artwork-standing.ts'
import { orderGoesOn } from '../lines/open-lines.ts'
import { publishProof } from './publish-proof.ts'

type DueLine = { orderNumber: number; lineNumber: number }

const pollMilliseconds = 5_000
/** Proofs that are drawn at once. */
const slots = 2
/** A proof that could not be published is tried again this much later. */
const retryMilliseconds = 60_000
/** The same for a proof that was refused: another actor was quicker, or the artwork has changed while it was drawn. */
const refusedMilliseconds = 2_000

/**
 * Publishes the proofs of lines in proofing by itself, once nothing stands against the newest file of the line. A
 * declined line gets its next revision when a newer file has come, and so does a line in prepress whose proof waits for a
 * decision or was approved: that proof shows other artwork. What is due is asked of the database each time, so nothing is
 * lost with the process; the verb lets one publication win.
 * @param parts `apart`: a condition on `line` for lines that are left alone
 */
export function startProofPublisher(
  parts: Stores & { clock: Clock; log: Logger; apart?: SqlPart | undefined },
): RunningWorker {
  const { database, clock, log, apart = sqlText`false` } = parts
  const underWay = new Set<string>()
  /** when lines whose proof could not be published are tried again */
  const later = new Map<string, number>()

  /** Served by order_line_to_proof. */
  function due(left: readonly string[], most: number): Promise<DueLine[]> {
    return database.statements.rows<DueLine>(sql`
      select line.order_number, line.line_number
      from order_line line
      join orders using (order_number)
      cross join lateral (${newestArtwork}) as newest
      where line.proof_status in ('NOT_CREATED', 'PENDING_REVIEW', 'APPROVED', 'DECLINED') and line.cancelled_on is null
        and (line.proof_status in ('NOT_CREATED', 'DECLINED') or ${inPrepress})
        and ${orderGoesOn} and orders.cancelled_on is null
        and newest.standing = 'ready'
        and (line.proof_status = 'NOT_CREATED' or ${proofOutdated})
        and not ${apart}
        and line.order_number || '/' || line.line_number <> all(${left}::text[])
      order by newest.attached_on
      limit ${most}`)
  }

  async function publish({ orderNumber, lineNumber }: DueLine): Promise<void> {
    const line = `${orderNumber}/${lineNumber}`
    const change: Change = { actor: { kind: 'SYSTEM', id: 'proof-publisher' }, now: clock(), requestId: null }
    underWay.add(line)
    try {
      const outcome = await publishProof(parts, change, orderNumber, lineNumber)
      if ('refused' in outcome) putOff(line, refusedMilliseconds)
    } catch (error) {
      if (error instanceof Outage) log.warn({ line, err: error }, 'an outage delays a proof')
      else log.error({ line, err: error }, 'a bug keeps a proof from being published')
      putOff(line, retryMilliseconds)
    } finally {
      underWay.delete(line)
    }
  }

  function putOff(line: string, milliseconds: number): void {
    later.set(line, clock().getTime() + milliseconds)
  }

  return startWorker({
    log,
    failed: 'lines whose proofs are due cannot be read; trying again soon',
    pollMilliseconds,
    hints: { database, channel: artworkInspected },
    slots,
    round: async ({ free, begin }) => {
      const now = clock().getTime()
      for (const [line, retryOn] of later) if (retryOn <= now) later.delete(line)
      const lines = await due([...underWay, ...later.keys()], free)
      for (const line of lines) begin(() => publish(line))
      return lines.length === free
    },
  })
}
