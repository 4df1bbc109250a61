import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { lineSubject } from '../lines/change-line.ts'
import { artworkInspected } from './artwork-channels.ts'
import { changeInspection, isUnderWay, type LockedInspection } from './change-inspection.ts'
import { endedStatus, type FindingKey, isSameFinding, judged } from './inspection-status.ts'
import { readWaivers } from './read-artwork.ts'

/**
 * Staff let a finding of a print file pass, with a reason that stays on the record. The finding stays listed, counts as
 * info, and keeps nothing waiting. The waiver holds for later inspections of the file too.
 */
export function waiveFinding(tx: Transaction, change: Change, inspectionId: string, key: FindingKey, reason: string) {
  return changeInspection(tx, change, inspectionId, async (inspection, line) => {
    if (isUnderWay(inspection)) return { refused: 'inspection_not_done' }
    if (!inspection.findings.some((finding) => isSameFinding(finding, key))) return { refused: 'no_such_finding' }
    const { code, page, subject } = key
    const waived = await tx.row<{ waiverId: number }>(sql`
      insert into artwork_waiver (print_file_id, code, page, subject, reason, actor_id, waived_on)
      values (${inspection.printFileId}, ${code}, ${page}, ${subject}, ${reason}, ${change.actor.id}, ${change.now})
      on conflict do nothing
      returning waiver_id`)
    if (!waived) return { refused: 'already_waived' }
    await judgeAgain(tx, inspection)
    const detail = { inspectionId, waiverId: waived.waiverId, code, page }
    return { done: {}, audit: { action: 'artwork.finding_waived', subject: lineSubject(line), detail } }
  })
}

/** Takes a waiver back: the finding counts again. A proof that was published meanwhile stays, its line in prepress. */
export function unwaiveFinding(tx: Transaction, change: Change, inspectionId: string, key: FindingKey) {
  return changeInspection(tx, change, inspectionId, async (inspection, line) => {
    const { code, page, subject } = key
    const ended = await tx.row<{ waiverId: number }>(sql`
      update artwork_waiver set ended_on = ${change.now}
      where print_file_id = ${inspection.printFileId} and code = ${code} and page is not distinct from ${page}::int
        and subject is not distinct from ${subject}::text and ended_on is null
      returning waiver_id`)
    if (!ended) return { refused: 'not_waived' }
    if (!isUnderWay(inspection)) await judgeAgain(tx, inspection)
    const detail = { inspectionId, waiverId: ended.waiverId, code, page }
    return { done: {}, audit: { action: 'artwork.waiver_ended', subject: lineSubject(line), detail } }
  })
}

async function judgeAgain(tx: Transaction, inspection: LockedInspection): Promise<void> {
  const findings = judged(inspection.findings, await readWaivers(tx, inspection.printFileId))
  await tx.rows(sql`
    update artwork_inspection set status = ${endedStatus(inspection.status !== 'unreadable', findings)}
    where inspection_id = ${inspection.inspectionId}`)
  tx.hint(artworkInspected)
}
