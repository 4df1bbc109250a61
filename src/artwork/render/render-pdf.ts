import type { ArtworkProfile, Box, PageBoxes } from '../../vocabulary/artwork.ts'
import { coverageAbove } from '../colour/coverage.ts'
import type { Samples } from '../colour/write-tiff.ts'
import { finding, Findings } from '../findings/finding.ts'
import type { HeavyImage } from '../pdf/heavy-images.ts'
import type { PdfInspection } from '../pdf/inspect-pdf.ts'
import { type EngineReport, largePictureBytes, pictureSizes } from '../reports.ts'
import { lightImage, type Overlay, readThrough } from './lighten-image.ts'
import { type OpenPdf, type Pdfium, PdfiumDied, type RawPage } from './pdfium.ts'
import { pixelFindings } from './pixel-findings.ts'
import { sizeInPixels } from './pixel-grid.ts'
import { picturedOf, picturesOf } from './pictures.ts'
import { heightOf, type Sheet, sheetOf, widthOf } from './sheet.ts'

/** What the reader of PDFs found out. */
type Inspected = Pick<PdfInspection, 'pages' | 'heavyImages' | 'outputProfile'>

/**
 * The pictures of a PDF's pages, in order, and the findings that only pixels tell. PDFium may run out of memory on
 * hostile pages: that is a finding, and the last report, since that PDFium is dead.
 */
export async function* renderPdf(
  pdfium: Pdfium,
  bytes: Uint8Array,
  profile: ArtworkProfile,
  { pages, heavyImages, outputProfile }: Inspected,
  largeBytes = largePictureBytes,
): AsyncGenerator<EngineReport> {
  const overlays: Overlay[] = []
  let bytesSoFar = 0
  try {
    const document = pdfium.open(bytes.length, (at, length) => readThrough(bytes, overlays, at, length))
    if (document === null) {
      yield { kind: 'more_findings', findings: [finding('not_readable')] }
      return
    }
    for (const page of picturedOf(pages, profile)) {
      const sheet = sheetOf(page, profile)
      const findings = new Findings()
      for (const image of heavyImages.filter((each) => each.page === page.page)) {
        const light = await lightImage(bytes, image, perInch(sheet), ownProfile(image, outputProfile))
        if (light === null) findings.add('image_broken', { page: page.page, subject: image.name, box: image.box })
        if (light?.overlay) overlays.push(light.overlay)
        if (light?.inks) addInkCoverage(findings, light.inks, image, profile)
      }
      const pixels = draw(document, page, sheet)
      if (pixels === null || pixels === 'no memory') {
        findings.add(pixels === null ? 'not_readable' : 'too_complex', { page: page.page })
        yield { kind: 'more_findings', findings: findings.list() }
        continue
      }
      const told = [...findings.list(), ...pixelFindings(page.page, pixels, sheet, profile)]
      if (told.length > 0) yield { kind: 'more_findings', findings: told }
      const pictures = await Array.fromAsync(picturesOf(page.page, pixels, sheet, bytesSoFar < largeBytes))
      for (const { png } of pictures) bytesSoFar += png.length
      yield* pictures
    }
    document.close()
  } catch (error) {
    if (!(error instanceof PdfiumDied)) throw error
    yield { kind: 'more_findings', findings: [finding('too_complex')] }
  }
}

function perInch({ drawn }: Sheet): number {
  return (pictureSizes.large / Math.max(widthOf(drawn), heightOf(drawn))) * 72
}

/**
 * What the colours of an image mean. PDFium draws plain inks on a page as of the usual printing condition, whatever the
 * output intent says. Images in the inks of the output intent are drawn alike: where a photograph meets a tint of the
 * same inks no seam shows that will not be there in print.
 */
function ownProfile({ profile }: HeavyImage, outputProfile: Uint8Array | null): Uint8Array | null {
  return profile !== null && outputProfile !== null && Buffer.compare(profile, outputProfile) === 0 ? null : profile
}

function addInkCoverage(
  findings: Findings,
  inks: Samples,
  { name, page, box }: HeavyImage,
  profile: ArtworkProfile,
): void {
  const wanted = profile.inkPercentMax
  const above = wanted === null ? null : coverageAbove(wanted, inks)
  if (above === null || wanted === null) return
  findings.add('ink_coverage_high', { page, subject: name, box, found: above.percent, wanted })
}

function draw(document: OpenPdf, page: PageBoxes, { drawn }: Sheet): ReturnType<OpenPdf['draw']> {
  const raw = document.page(page.page)
  if (raw === null) return null
  const { width, height } = sizeInPixels(drawn, pictureSizes.large)
  return document.draw(page.page, unturned(drawn, page, raw), width, height)
}

/**
 * An area of the page as shown, in the page's own units. PDFium knows no UserUnit: its page is smaller by this factor
 * than the page as shown.
 */
function unturned([left, bottom, right, top]: Box, page: PageBoxes, { box, quarterTurns }: RawPage): Box {
  const sideways = quarterTurns % 2 === 1
  const scale = page.width / (sideways ? heightOf(box) : widthOf(box))
  const own = ([x, y]: readonly [number, number]): [number, number] => {
    const [across, up] = [x / scale, y / scale]
    if (quarterTurns === 1) return [box[2] - up, box[1] + across]
    if (quarterTurns === 2) return [box[2] - across, box[3] - up]
    if (quarterTurns === 3) return [box[0] + up, box[3] - across]
    return [box[0] + across, box[1] + up]
  }
  const [oneX, oneY] = own([left, bottom])
  const [otherX, otherY] = own([right, top])
  return [Math.min(oneX, otherX), Math.min(oneY, otherY), Math.max(oneX, otherX), Math.max(oneY, otherY)]
}
