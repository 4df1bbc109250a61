import type { PictureKind } from '../../artwork/reports.ts'
import type { Queries } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { Finding, PageBoxes } from '../../vocabulary/artwork.ts'
import type { InspectionStatus } from '../../vocabulary/statuses.ts'
import {
  type FindingKey,
  judged,
  type JudgedFinding,
  summaryOf,
  type Summary,
  type Waiver,
} from './inspection-status.ts'

/** What is known about the files of a line. */

export type Picture = { kind: PictureKind; objectKey: string; width: number; height: number }

export type InspectedPage = PageBoxes & { pictures: Picture[] }

export type Inspection = {
  inspectionId: string
  status: InspectionStatus
  inspectedOn: string | null
  summary: Summary
  /** by falling weight */
  findings: JudgedFinding[]
  /** pictures are added one by one while it is inspected */
  pages: InspectedPage[]
}

export type InspectedFile = {
  printFileId: number
  fileName: string
  sizeBytes: number
  md5: string
  active: boolean
  source: 'UPLOAD' | 'URL' | 'STAFF' | 'TEMPLATE'
  attachedOn: string
  inspection: Inspection
}

type InspectionRow = {
  inspectionId: string
  status: InspectionStatus
  inspectedOn: string | null
  findings: Finding[]
  pages: PageBoxes[]
  pictures: (Picture & { page: number })[]
  waivers: (Waiver & FindingKey)[]
}

/** Needs `inspection`, the row of artwork_inspection. */
const inspectionColumns = sqlText`
  inspection.inspection_id, inspection.status, inspection.inspected_on, inspection.findings, inspection.pages,
  (
    select coalesce(json_agg(json_build_object(
      'page', picture.page, 'kind', picture.kind, 'objectKey', picture.object_key, 'width', picture.width,
      'height', picture.height
    ) order by picture.page, picture.width, picture.kind), '[]')
    from artwork_picture picture where picture.inspection_id = inspection.inspection_id
  ) as pictures, (
    select coalesce(json_agg(json_build_object(
      'code', waiver.code, 'page', waiver.page, 'subject', waiver.subject, 'reason', waiver.reason,
      'actorId', waiver.actor_id, 'waivedOn', to_char(waiver.waived_on, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    )), '[]')
    from artwork_waiver waiver where waiver.print_file_id = inspection.print_file_id and waiver.ended_on is null
  ) as waivers`

function inspectionOf({ inspectionId, status, inspectedOn, pages, pictures, ...row }: InspectionRow): Inspection {
  const findings = judged(row.findings, row.waivers)
  return {
    inspectionId,
    status,
    inspectedOn,
    summary: summaryOf(findings),
    findings,
    pages: pages.map((page) => ({
      ...page,
      pictures: pictures
        .filter((picture) => picture.page === page.page)
        .map(({ kind, objectKey, width, height }) => ({ kind, objectKey, width, height })),
    })),
  }
}

/** The waivers of a print file that hold. */
export function readWaivers(queries: Queries, printFileId: number): Promise<(Waiver & FindingKey)[]> {
  // artwork_waiver_once
  return queries.rows<Waiver & FindingKey>(sql`
    select code, page, subject, reason, actor_id, waived_on from artwork_waiver
    where print_file_id = ${printFileId} and ended_on is null`)
}

/** What is known about the file of a check. */
export async function readCheckInspection(queries: Queries, checkId: string): Promise<Inspection | undefined> {
  const row = await queries.row<InspectionRow>(sql`
    select ${inspectionColumns} from artwork_inspection inspection where check_id = ${checkId}`)
  return row && inspectionOf(row)
}

/** The newest print files of a line, oldest first. */
export async function readLineArtwork(
  queries: Queries,
  orderNumber: number,
  lineNumber: number,
  filesMax: number,
): Promise<InspectedFile[]> {
  // print_file_by_line, artwork_inspection_print_file_id_key
  const rows = await queries.rows<Omit<InspectedFile, 'inspection'> & InspectionRow>(sql`
    select file.print_file_id, file.file_name, file.size_bytes, file.md5, file.active, file.source, file.attached_on,
      ${inspectionColumns}
    from print_file file
    join artwork_inspection inspection using (print_file_id)
    where file.order_number = ${orderNumber} and file.line_number = ${lineNumber}
    order by file.print_file_id desc
    limit ${filesMax}`)
  return rows
    .toReversed()
    .map(({ printFileId, fileName, sizeBytes, md5, active, source, attachedOn, ...inspection }) => ({
      printFileId,
      fileName,
      sizeBytes,
      md5,
      active,
      source,
      attachedOn,
      inspection: inspectionOf(inspection),
    }))
}
