import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { isToldKind, type ToldSubject } from './told-kinds.ts'

/**
 * What has changed after a position. The sealer numbers audit records after their commit and without gaps, so whoever reads
 * behind a number misses none; their ids, which are given before the commit, would not do. Results of print files have no
 * audit record. They are read by their date, again for a while, since several machines date them.
 */
export type Position = {
  /** `chainNumber` of the last audit record */
  chainNumber: number
  /** of the newest result of a print file, in milliseconds */
  inspectedOn: number
}

/** How much earlier than one already read a result may be dated. */
const laterMilliseconds = 15_000

/** More at once is not told one by one. */
export const changesMax = 1_000

export type Changes = {
  /** by what is told, in the order in which it happened */
  subjects: ToldSubject[]
  position: Position
  /** the position that was read from exists, and there was not more than can be told */
  isWhole: boolean
  /** there are more audit records */
  isMore: boolean
}

export function writtenPosition({ chainNumber, inspectedOn }: Position): string {
  return `${chainNumber}.${inspectedOn}`
}

export function readPosition(written: string): Position | undefined {
  const [, chainNumber, inspectedOn] = /^(\d{1,15})\.(\d{1,15})$/.exec(written) ?? []
  return chainNumber === undefined ? undefined : { chainNumber: Number(chainNumber), inspectedOn: Number(inspectedOn) }
}

/** The newest position. Served by artwork_inspection_ended_newest. */
export async function readNewest(reads: Queries): Promise<Position> {
  const row = await reads.row<Position>(sql`
    select last_audit_link() as chain_number, coalesce((
      select (extract(epoch from max(inspected_on)) * 1000)::bigint from artwork_inspection
      where print_file_id is not null
    ), 0) as inspected_on`)
  return row!
}

type ChangeRow = {
  chainNumber: number | null
  inspectedOn: number | null
  kind: string
  id: string
  orderNumber: number | null
}

/**
 * @param known results that are told already; it learns those that are told now, and forgets old ones
 */
export async function readChanges(
  reads: Queries,
  after: Position,
  known: Map<string, number> = new Map(),
): Promise<Changes> {
  const earliest = Math.max(0, after.inspectedOn - laterMilliseconds)
  const [rows, inspected, start] = await Promise.all([
    reads.rows<ChangeRow>(sql`
      select link.chain_number, subject_kind as kind, subject_id as id,
        case when subject_kind = 'order_line' then split_part(subject_id, '/', 1)
          when subject_kind in ('shipment', 'return', 'refund', 'invoice') then detail ->> 'orderNumber' end::bigint
          as order_number
      from audit_links(${after.chainNumber}, ${after.chainNumber + changesMax}) as link
      join audit_record on audit_record.audit_id = link.audit_id
      order by link.chain_number`),
    // artwork_inspection_ended_newest
    reads.rows<{ inspectionId: string; orderNumber: number; lineNumber: number; inspectedOn: number }>(sql`
      select inspection_id, order_number, line_number, (extract(epoch from inspected_on) * 1000)::bigint as inspected_on
      from artwork_inspection join print_file using (print_file_id)
      where inspected_on > to_timestamp(${earliest}::float8 / 1000)
      order by inspected_on desc limit ${changesMax}`),
    reads.row(sql`select from audit_links(${after.chainNumber - 1}, ${after.chainNumber})`),
  ])
  const keyOf = (row: (typeof inspected)[number]): string => `${row.inspectionId} ${row.inspectedOn}`
  const fresh = inspected.filter((row) => !known.has(keyOf(row)))
  const inspectedOn = Math.max(after.inspectedOn, ...inspected.map((row) => row.inspectedOn))
  for (const row of fresh) known.set(keyOf(row), row.inspectedOn)
  for (const [key, on] of known) if (on < inspectedOn - laterMilliseconds) known.delete(key)
  return {
    subjects: [
      ...rows.flatMap(subjectsOf),
      ...fresh.flatMap(({ inspectionId, orderNumber, lineNumber }): ToldSubject[] => [
        { kind: 'inspection', id: inspectionId },
        { kind: 'order_line', id: `${orderNumber}/${lineNumber}` },
        { kind: 'order', id: String(orderNumber) },
      ]),
    ],
    position: { chainNumber: rows.at(-1)?.chainNumber ?? after.chainNumber, inspectedOn },
    isWhole: fresh.length < changesMax && (after.chainNumber === 0 || start !== undefined),
    isMore: rows.length === changesMax,
  }
}

/** The record, and the order to which it belongs. */
function subjectsOf({ kind, id, orderNumber }: ChangeRow): ToldSubject[] {
  if (!isToldKind(kind)) return []
  return [{ kind, id }, ...(orderNumber === null ? [] : [{ kind: 'order', id: String(orderNumber) } as const])]
}
