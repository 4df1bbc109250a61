import type { AnswerOf } from '../api/api.ts'
import { steadyLink, type Picture, type Size } from './pictures.ts'

/** What can be laid on the desk: each print file of a line, and each revision of its proof, page by page. */

export type Line = AnswerOf<'readOrder'>['lines'][number]
export type File = AnswerOf<'readLineArtwork'>['files'][number]
export type Finding = File['findings'][number]
export type Revision = Line['proofs'][number]
export type Profile = AnswerOf<'readProduct'>['artworkProfile']

/** In points, from the upper left corner of the sheet. */
export type Box = { left: number; top: number; width: number; height: number }

export type Page = Size & {
  /** where it is cut; the whole sheet where that is not known */
  trim: Box
  /** it reaches beyond the cut */
  hasBleed: boolean
  pictures: readonly Picture[]
  /** the corner from which the boxes of findings are measured */
  origin: readonly [left: number, bottom: number]
}

export type Sheet = {
  id: string
  name: string
  pages: readonly Page[]
  /** of a print file: what was inspected */
  file: File | null
}

/** Print files first, then proofs, each with the newest first. */
export function sheetsOf(line: Line, files: readonly File[], profile: Profile | undefined): Sheet[] {
  const ofFiles = files.map((file, at): Sheet => ({
    id: `file-${at + 1}`,
    name: files.length > 1 ? `Artwork ${at + 1}` : 'Artwork',
    pages: file.pages.map(pageOf),
    file,
  }))
  const ofProofs = line.proofs.flatMap((proof): Sheet[] =>
    proof.previewLink === null
      ? []
      : [
          {
            id: `proof-${proof.revision}`,
            name: `Proof, revision ${proof.revision}`,
            pages: [provenPage(proof.previewLink, finishedSize(proof, files, profile))],
            file: null,
          },
        ],
  )
  return [...ofFiles.toReversed(), ...ofProofs.toSorted((one, other) => revisionOf(other) - revisionOf(one))]
}

const revisionOf = ({ id }: Sheet) => Number(id.split('-')[1])

function pageOf({ width, height, trimBox, bleedBox, pictures }: File['pages'][number]): Page {
  const [left, bottom, right, top] = (bleedBox ?? [0, 0, width, height]) as Corners
  const trim = trimBox as Corners | null
  const size = { width: right - left, height: top - bottom }
  return {
    ...size,
    trim: trim
      ? { left: trim[0] - left, top: top - trim[3], width: trim[2] - trim[0], height: trim[3] - trim[1] }
      : { left: 0, top: 0, ...size },
    hasBleed: bleedBox !== null && trim !== null,
    origin: [left, bottom],
    // Guides and the finished piece are drawn by the desk itself.
    pictures: pictures.flatMap(({ of, link, ...pixels }) =>
      link === null || of === 'guides' || of === 'finished' ? [] : [{ ...pixels, link: steadyLink(link) }],
    ),
  }
}

type Corners = [left: number, bottom: number, right: number, top: number]

/** The picture of a proof shows the finished piece, cut as it will be. */
function provenPage(previewLink: string, size: Size): Page {
  return {
    ...size,
    trim: { left: 0, top: 0, ...size },
    hasBleed: false,
    origin: [0, 0],
    pictures: [{ link: steadyLink(previewLink), width: 1200, height: Math.round((1200 * size.height) / size.width) }],
  }
}

/** As large as the file that was there when the proof was made, cut; else as the product says. */
function finishedSize({ createdOn }: Revision, files: readonly File[], profile: Profile | undefined): Size {
  const shown = files.findLast(({ attachedOn, pages }) => attachedOn <= createdOn && pages.length > 0)
  const page = shown && pageOf(shown.pages[0]!)
  if (page) return { width: page.trim.width, height: page.trim.height }
  return { width: profile?.trimWidth ?? 252, height: profile?.trimHeight ?? 144 }
}

/** Where a finding stands on a page, if it has a place. */
export function placeOf({ box }: Finding, { origin, height }: Page): Box | null {
  if (!box) return null
  const [left, bottom, right, top] = box as Corners
  return { left: left - origin[0], top: height - (top - origin[1]), width: right - left, height: top - bottom }
}

const gravity = ['error', 'sign_off', 'warning', 'info']

/** The gravest first; those that somebody waived stand at the end. */
export function findingsOf(file: File | undefined): Finding[] {
  const weight = ({ severity, waiver }: Finding) => (waiver ? gravity.length : gravity.indexOf(severity))
  return (file?.findings ?? []).toSorted(
    (one, other) => weight(one) - weight(other) || (one.page ?? 0) - (other.page ?? 0),
  )
}

/** What stays of a decision on a revision: the entries made while it was the newest. */
export function decisionsOn(line: Line, { revision, createdOn }: Revision): Line['proofLog'] {
  const next = line.proofs.find((proof) => proof.revision === revision + 1)
  return line.proofLog.filter(
    ({ recordedOn }) => recordedOn >= createdOn && (next === undefined || recordedOn < next.createdOn),
  )
}
