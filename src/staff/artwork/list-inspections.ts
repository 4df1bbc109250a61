import type { Static } from 'typebox'
import type { SortKey } from '../../contract/operation.ts'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { judged, summaryOf, type FindingKey, type Waiver } from '../../platform/artwork/inspection-status.ts'
import type { Finding, FindingCode } from '../../vocabulary/artwork.ts'
import type { InspectionStatus } from '../../vocabulary/statuses.ts'
import type { InspectionView } from './contract.ts'

type Shown = Static<typeof InspectionView>

type Row = Omit<Shown, 'summary' | 'codes'> & {
  printFileId: number
  findings: Finding[]
  waivers: (Waiver & FindingKey)[]
}

export type InspectionWish = {
  siteId?: number | undefined
  status?: InspectionStatus | undefined
  code?: FindingCode | undefined
  orderNumber?: number | undefined
}

/** At most `limit` inspections of print files, newest file first; `after` = the number of the file before. */
export async function listInspections(
  reads: Queries,
  { siteId, status, code, orderNumber }: InspectionWish,
  { after, limit }: { after: SortKey | undefined; limit: number },
): Promise<{ printFileId: number; shown: Shown }[]> {
  // artwork_inspection_by_status, print_file_by_line where an order is named, else artwork_inspection's key of the file
  const rows = await reads.rows<Row>(sql`
    select inspection.inspection_id, inspection.status, inspection.inspected_on, file.site_id, file.order_number,
      file.line_number, file.file_name, file.attached_on, file.print_file_id, inspection.findings,
      (
        select coalesce(json_agg(json_build_object(
          'code', waiver.code, 'page', waiver.page, 'subject', waiver.subject
        )), '[]')
        from artwork_waiver waiver where waiver.print_file_id = file.print_file_id and waiver.ended_on is null
      ) as waivers
    from artwork_inspection inspection
    join print_file file using (print_file_id)
    where inspection.print_file_id is not null
      ${siteId === undefined ? nothing : sqlText`and file.site_id = ${siteId}`}
      ${status === undefined ? nothing : sqlText`and inspection.status = ${status}`}
      ${code === undefined ? nothing : sqlText`and inspection.findings @> ${JSON.stringify([{ code }])}::jsonb`}
      ${orderNumber === undefined ? nothing : sqlText`and file.order_number = ${orderNumber}`}
      ${after ? sqlText`and inspection.print_file_id < ${after[0]}::bigint` : nothing}
    order by inspection.print_file_id desc
    limit ${limit}`)
  return rows.map(({ printFileId, findings, waivers, ...row }) => ({
    printFileId,
    shown: {
      ...row,
      summary: summaryOf(judged(findings, waivers)),
      codes: [...new Set(findings.map((finding) => finding.code))],
    },
  }))
}
