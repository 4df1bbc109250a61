import type { Static } from 'typebox'
import { findingsMax } from '../../contract/artwork.ts'
import type { Refusal } from '../../contract/refusal.ts'
import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { inspectAgain } from '../../platform/artwork/inspect-again.ts'
import { readLineArtwork } from '../../platform/artwork/read-artwork.ts'
import { unwaiveFinding, waiveFinding } from '../../platform/artwork/waive-finding.ts'
import { linkToObject } from '../../platform/files/link-to-object.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Outcome, Refused } from '../../vocabulary/outcome.ts'
import type { StaffEnvironment } from '../environment.ts'
import type { StaffHandlers } from '../operation.ts'
import { orderChange } from '../orders/change-order.ts'
import { filesMax, type artworkInspections, type InspectedLine } from './contract.ts'
import { listInspections } from './list-inspections.ts'

type Line = { orderNumber: number; lineNumber: number }
type Detail = Static<typeof InspectedLine>

const fileKey = ({ printFileId }: { printFileId: number }) => [printFileId]

export const artworkHandlers: StaffHandlers<typeof artworkInspections> = {
  listInspections: async ({ environment, query, after, page }) => {
    const { found, goOn } = await listInspections(environment.database.longReads, query, {
      after,
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, fileKey, goOn && fileKey(goOn))
    return { status: 200, body: { inspections: rows.map(({ shown }) => shown), nextCursor } }
  },
  readLineArtwork: async ({ environment, path, now, refuse }) => {
    const { orderNumber, lineNumber } = path
    // order_line's primary key
    const line = await environment.database.reads.row<Line>(sql`
      select order_number, line_number from order_line
      where order_number = ${orderNumber} and line_number = ${lineNumber}`)
    if (!line) throw refuse('line_not_found')
    return answerWith(environment, line, now)
  },
  waiveFinding: (call) => {
    const { reason, ...which } = call.body
    return changed(call, (tx, change, inspectionId) => waiveFinding(tx, change, inspectionId, which, reason))
  },
  unwaiveFinding: (call) =>
    changed(call, (tx, change, inspectionId) => unwaiveFinding(tx, change, inspectionId, call.body)),
  inspectAgain: (call) => changed(call, inspectAgain),
}

/** The line's files with signed links. @param now real time */
async function answerWith(environment: StaffEnvironment, { orderNumber, lineNumber }: Line, now: Date) {
  const { database, objectStore } = environment
  const found = await readLineArtwork(database.reads, orderNumber, lineNumber, filesMax)

  const link = (key: string) => linkToObject(objectStore, key, now, { contentType: 'image/png' })

  const files = await Promise.all(
    found.map(async ({ fileName, sizeBytes, md5, active, source, attachedOn, inspection }) => ({
      fileName,
      sizeBytes,
      md5,
      active,
      source,
      attachedOn,
      inspectionId: inspection.inspectionId,
      status: inspection.status,
      inspectedOn: inspection.inspectedOn,
      summary: inspection.summary,
      findings: inspection.findings.slice(0, findingsMax),
      pages: await Promise.all(
        inspection.pages.map(async ({ pictures, ...page }) => ({
          ...page,
          pictures: await Promise.all(
            pictures.map(async ({ kind, objectKey, ...size }) => ({ of: kind, ...size, link: await link(objectKey) })),
          ),
        })),
      ),
    })),
  )
  const body: Detail = { orderNumber, lineNumber, files }
  const links = files.flatMap(({ pages }) => pages.flatMap(({ pictures }) => pictures.map((each) => each.link)))
  return { status: 200 as const, body, links }
}

type AnyOutcome = Outcome<unknown, Refused>
type CodeOf<Result> = Extract<Result, Refused>['refused']

/** A call whose contract declares all that the verb refuses with. */
type InspectionCall<Result> = {
  environment: StaffEnvironment
  path: { inspectionId: string }
  now: Date
  change: Change
  refuse: (code: CodeOf<Result> | 'inspection_not_found') => Refusal<string>
}

/** Changes an inspection and answers with the files of its line. */
async function changed<Result extends AnyOutcome>(
  call: InspectionCall<NoInfer<Result>>,
  verb: (tx: Transaction, change: Change, inspectionId: string) => Promise<Result>,
) {
  const { environment, path, now, refuse } = call
  const { inspectionId } = path
  // artwork_inspection's and print_file's primary keys
  const line = await environment.database.reads.row<Line>(sql`
    select order_number, line_number from artwork_inspection join print_file using (print_file_id)
    where inspection_id = ${inspectionId}`)
  if (!line) throw refuse('inspection_not_found')
  const change = await orderChange({ environment, path: line, change: call.change })
  const outcome = await environment.database.change((tx) => verb(tx, change, inspectionId))
  if ('refused' in outcome) throw refuse(outcome.refused as CodeOf<Result>)
  return answerWith(environment, line, now)
}
