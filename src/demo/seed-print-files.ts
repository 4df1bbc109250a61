import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { inspectPdf } from '../artwork/pdf/inspect-pdf.ts'
import type { Row } from '../database/rows.ts'
import { sql } from '../database/sql.ts'
import { rulesOfSource } from '../platform/artwork/queue-inspections.ts'
import { endedStatus, judged } from '../platform/artwork/inspection-status.ts'
import { noArtworkRules } from '../vocabulary/artwork.ts'
import { artworkProfiles } from './artwork-profiles.ts'
import { designOfPrint, faultyPrints, picturesOf, previewFolder, printFileFolder, type Print } from './print-files.ts'
import type { Tables } from './insert.ts'
import { kindOfCode } from './specimens/kind-of-code.ts'
import { printDesign } from './specimens/print-design.ts'

/**
 * Gives the lines that are being made from a customer's file this file, with its inspection and the pictures of its
 * pages. Each kind of file is drawn and inspected once; the files themselves are drawn when somebody asks for them.
 */
export async function insertPrintFiles(client: ClientBase, printed: PrintedLines): Promise<void> {
  const { text, values } = insertion(JSON.stringify(printed.lines), JSON.stringify(printed.facts))
  await client.query(text, [...values])
  for (const table of ['print_file', 'artwork_inspection', 'artwork_picture']) await client.query(`analyze ${table}`)
}

type PrintedLines = { lines: readonly PrintedLine[]; facts: readonly Awaited<ReturnType<typeof factsOf>>[] }

type PrintedLine = { orderNumber: unknown; lineNumber: unknown; print: Print }

/** Draws the files of the lines among these rows. It takes seconds, in which the rows can be inserted. */
export async function printFilesOf(tables: Tables): Promise<PrintedLines> {
  const lines = tables
    .flatMap(([table, rows]) => (table === 'order_line' ? rows : []))
    .flatMap((line): PrintedLine[] => {
      const print = printOf(line)
      return print ? [{ orderNumber: line.orderNumber, lineNumber: line.lineNumber, print }] : []
    })
  const facts = await Promise.all([...new Set(lines.map(({ print }) => print))].map(factsOf))
  return { lines, facts }
}

/** What is larger takes so long to draw that the first start would wait for it. */
const picturePixelsMax = 1_900

/** What has shipped is no longer kept. A card without a proof waits for a file that can be printed. */
function printOf(line: Row): Print | undefined {
  const isMade = line.artworkSource === 'UPLOAD' && line.recordKind === 'SALE' && !line.cancelledOn && !line.shippedOn
  if (!isMade || line.proofStatus === null) return undefined
  const print = kindOfCode(line.productCode as string)
  if (line.proofStatus !== 'NOT_CREATED') {
    return print && (designOfPrint(print).picture?.widthPixels ?? 0) <= picturePixelsMax ? print : undefined
  }
  const isWaiting = line.productionStatus === 'PREPRESS' && print === 'card' && !isOfCast(line)
  return isWaiting ? faultyPrints[Number(line.orderNumber) % faultyPrints.length] : undefined
}

/** What waits in the cast waits for its first file. */
function isOfCast(line: Row): boolean {
  return !/-\d{4}$/.test(line.productCode as string)
}

async function factsOf(print: Print) {
  const design = designOfPrint(print)
  const bytes = await printDesign(design)
  const profile = print in artworkProfiles ? artworkProfiles[print as keyof typeof artworkProfiles] : otherRules(print)
  const { readable, findings, pages } = inspectPdf(bytes, profile)
  return {
    print,
    fileName: `${design.title.toLowerCase().replaceAll(/\W+/g, '-')}.pdf`,
    sizeBytes: bytes.length,
    md5: createHash('md5').update(bytes).digest('hex'),
    status: endedStatus(readable, judged(findings, [])),
    findings,
    pages,
    pictures: picturesOf(print),
  }
}

function otherRules(print: Print) {
  return faultyPrints.some((faulty) => faulty === print) ? artworkProfiles.card : noArtworkRules
}

/** @param lines with their print  @param facts of each print. No hash is kept: these results are not used again. */
const insertion = (lines: string, facts: string) => sql`
  with wanted as (
    select line."orderNumber" as order_number, line."lineNumber" as line_number, print.*
    from json_to_recordset(${lines}::json) as line ("orderNumber" bigint, "lineNumber" int, print text)
    join json_to_recordset(${facts}::json) as print (
      print text, "fileName" text, "sizeBytes" bigint, md5 text, status text, findings jsonb, pages jsonb, pictures jsonb
    ) using (print)
  ), file as (
    insert into print_file (site_id, order_number, line_number, file_name, object_key, size_bytes, md5, source, attached_on)
    select line.site_id, order_number, line_number, "fileName",
      ${printFileFolder} || print || '/' || order_number || '-' || line_number || '.pdf', "sizeBytes", md5, 'UPLOAD',
      orders.placed_on
    from wanted
    join order_line line using (order_number, line_number)
    join orders using (order_number)
    order by order_number, line_number
    returning print_file_id, site_id, order_number, line_number, attached_on
  ), inspection as (
    insert into artwork_inspection (inspection_id, print_file_id, site_id, profile, artwork_types, profile_key, status,
      queued_on, engine_version, media_type, findings, pages, inspected_on)
    select md5('inspection/' || order_number || '/' || line_number)::uuid, file.print_file_id, file.site_id,
      ${rulesOfSource}, status, attached_on, 'demo', 'application/pdf', findings, pages, attached_on
    from file
    join wanted using (order_number, line_number)
    join order_line line using (order_number, line_number)
    join product using (product_number)
    join product source on source.product_number = coalesce(product.master_number, product.product_number)
    returning inspection_id, print_file_id
  )
  insert into artwork_picture (inspection_id, page, kind, object_key, width, height)
  select inspection_id, page, kind,
    ${previewFolder} || print || '/' || order_number || '-' || line_number || '-' || page || '-' || kind || '.png',
    width, height
  from inspection
  join file using (print_file_id)
  join wanted using (order_number, line_number)
  cross join jsonb_to_recordset(pictures) as picture (page int, kind text, width int, height int)`
