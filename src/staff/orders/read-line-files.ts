import type { Static } from 'typebox'
import { sql } from '../../database/sql.ts'
import { entryInWords, proofComments } from '../../platform/proofs/proof-log.ts'
import { linkToObject } from '../../platform/files/link-to-object.ts'
import type { StaffEnvironment } from '../environment.ts'
import type { OrderLine, PrintFile, ProofLogEntry, ProofRevision } from './order-records.ts'

type OfLine = { lineNumber: number }
type Proof = Static<typeof ProofRevision>
type ProofRow = Omit<Proof, 'link' | 'previewLink'> & OfLine & { objectKey: string; renditionKey: string }
type Print = Static<typeof PrintFile>
type PrintRow = Omit<Print, 'link'> & OfLine & { objectKey: string }

export type LineFiles = Pick<Static<typeof OrderLine>, 'proofs' | 'proofLog' | 'printFiles'>

/**
 * The files of an order's lines with signed links, and the decisions about their proofs; answers a function that gives a
 * line's part. A link that cannot be made right now is null.
 */
export async function readLineFiles(
  { database: { reads }, objectStore }: StaffEnvironment,
  orderNumber: number,
  now: Date,
): Promise<(lineNumber: number) => LineFiles> {
  // The primary keys of proof_file, proof_log_entry_by_line, print_file_by_line
  const [proofs, log, prints] = await Promise.all([
    reads.rows<ProofRow>(sql`
      select line_number, revision, name, object_key,
        rendition_key, active, consumer_visible as shown_to_partner, archived_on,
        created_on
      from proof_file where order_number = ${orderNumber}
      order by line_number, revision`),
    reads.rows<Static<typeof ProofLogEntry> & OfLine>(sql`
      select line_number, recorded_on, actor_kind,
        actor_id, ${entryInWords} as entry
      from proof_log_entry ${proofComments} where proof_log_entry.order_number = ${orderNumber}
      order by line_number, proof_log_entry_id`),
    reads.rows<PrintRow>(sql`
      select line_number, file_name, size_bytes, md5,
        object_key, source = 'URL' as fetched, attached_on
      from print_file where order_number = ${orderNumber}
      order by line_number, print_file_id`),
  ])

  const link = (key: string, answer: Parameters<typeof linkToObject>[3]) => linkToObject(objectStore, key, now, answer)

  const proofsOf = await linked(proofs, async ({ objectKey, renditionKey, ...proof }): Promise<Proof> => {
    if (proof.archivedOn !== null) return { ...proof, link: null, previewLink: null }
    const [file, preview] = await Promise.all([
      link(objectKey, { contentType: 'application/pdf', downloadName: proof.name }),
      link(renditionKey, { contentType: 'image/png' }),
    ])
    return { ...proof, link: file, previewLink: preview }
  })
  const logOf = await linked(log, async (entry): Promise<Static<typeof ProofLogEntry>> => entry)
  const printsOf = await linked(prints, async ({ objectKey, ...file }): Promise<Print> => ({
    ...file,
    link: await link(objectKey, { downloadName: file.fileName }),
  }))
  return (lineNumber) => ({
    proofs: proofsOf(lineNumber),
    proofLog: logOf(lineNumber),
    printFiles: printsOf(lineNumber),
  })
}

/** The shown rows, by line. */
async function linked<Row extends OfLine, Shown>(
  rows: readonly Row[],
  show: (row: Omit<Row, 'lineNumber'>) => Promise<Shown>,
): Promise<(lineNumber: number) => Shown[]> {
  const shown = await Promise.all(rows.map(async ({ lineNumber, ...row }) => [lineNumber, await show(row)] as const))
  return (wanted) => shown.filter(([lineNumber]) => lineNumber === wanted).map(([, each]) => each)
}
