import type { Static } from 'typebox'
import type { SortKey } from '../../contract/operation.ts'
import { type Looked, lookThrough } from '../../database/bounded-look.ts'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText, word } from '../../database/sql.ts'
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

/** How many inspections one read looks at. There is no index of them by site or by what was found. */
const inspectionsLookedAt = 1_000

type Listed = { printFileId: number; shown: Shown }

/** At most `limit` inspections of print files, newest file first; `after` = the number of the file before. */
export async function listInspections(
  reads: Queries,
  { siteId, status, code, orderNumber }: InspectionWish,
  { after, limit }: { after: SortKey | undefined; limit: number },
): Promise<Looked<Listed, { printFileId: number }>> {
  // artwork_inspection_by_status, print_file_by_line where an order is named, else artwork_inspection's key of the file
  const walked = sqlText`
    select inspection_id, print_file_id, site_id, status, inspected_on, findings from artwork_inspection
    where print_file_id is not null
      ${status === undefined ? nothing : sqlText`and status = ${word(status)}`}
      ${orderNumber === undefined ? nothing : sqlText`and print_file_id in (select print_file_id from print_file where order_number = ${orderNumber})`}
      ${after ? sqlText`and print_file_id < ${after[0]}::bigint` : nothing}
    order by print_file_id desc`
  const key = sqlText`print_file_id`
  const { found, goOn } = await lookThrough<Row, { printFileId: number }>(
    reads,
    { walked, lookAt: inspectionsLookedAt, limit, key },
    (looked) => sql`
    select inspection.*, file.order_number, file.line_number, file.file_name, file.attached_on,
      (
        select coalesce(json_agg(json_build_object(
          'code', waiver.code, 'page', waiver.page, 'subject', waiver.subject
        )), '[]')
        from artwork_waiver waiver where waiver.print_file_id = file.print_file_id and waiver.ended_on is null
      ) as waivers
    from (
      select * from (${looked}) as looked
      where true
        ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}
        ${code === undefined ? nothing : sqlText`and findings @> ${JSON.stringify([{ code }])}::jsonb`}
      order by print_file_id desc
      limit ${limit}
    ) as inspection
    join print_file file using (print_file_id)
    order by print_file_id desc`,
  )
  return { found: found.map(listed), goOn }
}

function listed({ printFileId, findings, waivers, ...row }: Row): Listed {
  return {
    printFileId,
    shown: {
      ...row,
      summary: summaryOf(judged(findings, waivers)),
      codes: [...new Set(findings.map((finding) => finding.code))],
    },
  }
}
