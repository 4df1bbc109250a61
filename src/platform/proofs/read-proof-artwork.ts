import { buffer } from 'node:stream/consumers'
import { sheetOf } from '../../artwork/render/sheet.ts'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { ArtworkProfile, Finding, PageBoxes, Severity } from '../../vocabulary/artwork.ts'
import type { InspectionStatus } from '../../vocabulary/statuses.ts'
import { judged, type FindingKey, type Waiver } from '../artwork/inspection-status.ts'
import type { ProofFile } from './drawing/proof-sheet.ts'
import { filesToProve, type ChosenFiles, type ProvableFile } from './files-to-prove.ts'

/** A print file of a line as far as proofs go. */
export type ProofArtwork = ProvableFile & {
  profile: ArtworkProfile
  /** those that a proof lists, by falling weight */
  findings: Finding[]
  pages: PageBoxes[]
  pictures: { page: number; kind: string; objectKey: string }[]
}

type Row = Pick<
  ProofArtwork,
  'printFileId' | 'fileName' | 'attachedOn' | 'profile' | 'findings' | 'pages' | 'pictures'
> & {
  status: InspectionStatus
  waivers: (Waiver & FindingKey)[]
}

/** What a proof lists of the findings of a file that staff did not waive. */
const listed: ReadonlySet<Severity> = new Set(['sign_off', 'warning'])
const listedMax = 200

/** The artwork that the next proof of a line shows, or why there can be none. */
export async function readLatestArtwork(
  queries: Queries,
  orderNumber: number,
  lineNumber: number,
): Promise<ChosenFiles<ProofArtwork>> {
  const [rows, last] = await Promise.all([
    // print_file_by_line, artwork_inspection_print_file_id_key
    queries.rows<Row>(sql`
      select file.print_file_id, file.file_name, file.attached_on, inspection.status, inspection.profile, inspection.findings,
        inspection.pages, (
          select coalesce(json_agg(json_build_object('page', page, 'kind', kind, 'objectKey', object_key) order by page, kind), '[]')
          from artwork_picture where artwork_picture.inspection_id = inspection.inspection_id
        ) as pictures, (
          select coalesce(json_agg(json_build_object('code', code, 'page', page, 'subject', subject)), '[]')
          from artwork_waiver where artwork_waiver.print_file_id = file.print_file_id and ended_on is null
        ) as waivers
      from print_file file
      join artwork_inspection inspection using (print_file_id)
      where file.order_number = ${orderNumber} and file.line_number = ${lineNumber} and file.active
      order by file.print_file_id`),
    // The primary key
    queries.row<{ provedOn: string | null }>(sql`
      select max(created_on) as proved_on from proof_file
      where order_number = ${orderNumber} and line_number = ${lineNumber}`),
  ])
  const files = rows.map(({ waivers, ...row }): ProofArtwork => {
    const findings = judged(row.findings, waivers)
      .filter(({ waiver, severity }) => waiver === null && listed.has(severity))
      .slice(0, listedMax)
    return { ...row, findings, pageCount: row.pages.length }
  })
  const pagesMax = files.at(-1)?.profile.pagesMax ?? null
  return filesToProve(files, last?.provedOn ?? null, pagesMax)
}

/** The pages up to the last one that has pictures: of long files only the first pages are drawn. */
function shownPages({ pages, pictures }: ProofArtwork): readonly PageBoxes[] {
  const last = Math.max(1, ...pictures.map(({ page }) => page))
  return pages.filter(({ page }) => page <= last)
}

/** So many pages are shown large; of more, each is smaller on its sheet. */
const largeMax = 8

/** Reads the pictures that a proof shows: of every page, and of the first as a customer would hold it. */
export async function readProofFiles(
  objectStore: Pick<ObjectStore, 'read'>,
  artwork: readonly ProofArtwork[],
): Promise<{ files: ProofFile[]; finished: Uint8Array | null }> {
  const kind = artwork.reduce((sum, { pageCount }) => sum + pageCount, 0) > largeMax ? 'medium' : 'large'
  const pictureOf = async (file: ProofArtwork, page: number, wanted: string): Promise<Uint8Array | null> => {
    const picture = file.pictures.find((each) => each.page === page && each.kind === wanted)
    const bytes = picture && (await objectStore.read(picture.objectKey))
    return bytes ? buffer(bytes) : null
  }
  const files: ProofFile[] = []
  for (const file of artwork) {
    const pages: ProofFile['pages'][number][] = []
    for (const page of shownPages(file)) {
      pages.push({ page: page.page, picture: await pictureOf(file, page.page, kind), ...sheetOf(page, file.profile) })
    }
    files.push({ fileName: file.fileName, pageCount: file.pageCount, pages, findings: file.findings })
  }
  const finished = artwork[0] ? await pictureOf(artwork[0], artwork[0].pages[0]?.page ?? 1, 'finished') : null
  return { files, finished }
}
