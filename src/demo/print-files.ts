import { pictureSizes, type PictureKind } from '../artwork/reports.ts'
import type { DrawsFile } from './files-when-asked.ts'
import type { Design } from './specimens/canvas.ts'
import { cardOfThreePages, lowResolutionCard } from './specimens/faulty-cards.ts'
import { drawPage, pictureSize } from './specimens/page-picture.ts'
import { printDesign } from './specimens/print-design.ts'
import { customersDesign, type SpecimenKind } from './specimens/specimens.ts'

/** The print files on the lines of the demo data, and the pictures of their pages. Lines of a kind have the same file. */

/** Cards that customers have to mend. */
const faulty = { 'card-of-low-resolution': lowResolutionCard, 'card-of-three-pages': cardOfThreePages }

export const faultyPrints = Object.keys(faulty) as (keyof typeof faulty)[]

export type Print = SpecimenKind | keyof typeof faulty

export function designOfPrint(print: Print): Design {
  return print in faulty ? faulty[print as keyof typeof faulty] : customersDesign(print as SpecimenKind)
}

/** The keys of a print's files begin so; what follows says whose line it is. */
export const printFileFolder = 'demo/print-files/'
export const previewFolder = 'demo/previews/'

const fileForm = /^demo\/print-files\/([\w-]+)\/\d+-\d+\.pdf$/
const previewForm = /^demo\/previews\/([\w-]+)\/\d+-\d+-(\d+)-([a-z]+)\.png$/

const shownBy = (kind: PictureKind) => (kind === 'finished' ? 'trim' : kind === 'guides' ? 'guides' : 'bleed')

/** Every picture that inspection makes of a print. */
export function picturesOf(print: Print): { page: number; kind: PictureKind; width: number; height: number }[] {
  const design = designOfPrint(print)
  return design.pages.flatMap((_, index) =>
    (Object.keys(pictureSizes) as PictureKind[])
      .filter((kind) => kind !== 'finished' || index === 0)
      .map((kind) => ({ page: index + 1, kind, ...pictureSize(design, shownBy(kind), pictureSizes[kind]) })),
  )
}

/** Draws the print files, and the pictures of their pages. */
export const demoPrintFile: DrawsFile = (key) => {
  const [, print] = fileForm.exec(key) ?? []
  if (print !== undefined) return printDesign(designOfPrint(print as Print))
  const [, pictured, page, kind] = previewForm.exec(key) ?? []
  if (pictured === undefined) return undefined
  const size = pictureSizes[kind as PictureKind]
  return drawPage(designOfPrint(pictured as Print), Number(page) - 1, shownBy(kind as PictureKind), size)
}
