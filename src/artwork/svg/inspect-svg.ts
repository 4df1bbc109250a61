import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { ArtworkProfile, PageBoxes } from '../../vocabulary/artwork.ts'
import { finding, Findings } from '../findings/finding.ts'
import { judgePageCount } from '../findings/page-count.ts'
import { onPage, type PageFindings } from '../findings/page-findings.ts'
import { addFormatFindings } from '../raster/format-findings.ts'
import { formatOf } from '../raster/format.ts'
import { pixelsAtMost } from '../raster/inspect-raster.ts'
import { onPaper } from '../render/on-paper.ts'
import type { Pixels } from '../render/pdfium.ts'
import { picturesOf } from '../render/pictures.ts'
import { pixelFindings } from '../render/pixel-findings.ts'
import { sizeInPixels } from '../render/pixel-grid.ts'
import { sheetOf } from '../render/sheet.ts'
import { type EngineReport, pictureSizes } from '../reports.ts'
import { addArtFindings, drawingOf, type PictureInside } from './art-findings.ts'
import { cleanSvg } from './clean-svg.ts'
import { parseSvg } from './parse-svg.ts'
import { writeSvg } from './write-svg.ts'

// Read by the library that draws text when it does so for the first time.
process.env.FONTCONFIG_FILE = fileURLToPath(new URL('no-fonts.conf', import.meta.url))

/** An SVG document. Only a copy is drawn that refers to nothing outside itself. */
export async function* inspectSvg(bytes: Uint8Array, profile: ArtworkProfile): AsyncGenerator<EngineReport> {
  const mediaType = 'image/svg+xml'
  const findings = new Findings()
  const document = parseSvg(bytes)
  if (document === null || document === 'too complex') {
    findings.add(document === null ? 'not_readable' : 'too_complex')
    yield { kind: 'findings', mediaType, readable: false, findings: findings.list(), pages: [] }
    return
  }
  const { size, viewBox } = drawingOf(document.root)
  const format = formatOf(size, profile)
  const [width, height] = format?.size ?? size
  const beyond = format?.beyond ?? 0
  const page: PageBoxes = {
    page: 1,
    width,
    height,
    trimBox: format === null ? null : [beyond, beyond, width - beyond, height - beyond],
    bleedBox: format === null || profile.bleed === null ? null : [0, 0, width, height],
  }
  const here = onPage(findings, page)
  for (const subject of document.references) here.add('external_reference', { subject })
  // Scripts are the file's; they stand nowhere on the page.
  const root = cleanSvg(document.root, {
    add: (code, seen) => (code === 'active_content' ? findings : here).add(code, seen),
  })
  judgePageCount(1, profile, findings)
  addFormatFindings(here, size, format, profile)
  findings.add('rgb_used', { subject: 'the drawing', mild: true })
  const perUnit = Math.min(width / viewBox[2], height / viewBox[3])
  for (const picture of addArtFindings(here, root, perUnit, profile)) await lighten(picture, profile, here)
  yield { kind: 'findings', mediaType, readable: true, findings: findings.list(), pages: [page] }

  const sheet = sheetOf(page, profile)
  const pixels = sizeInPixels(sheet.drawn, pictureSizes.large)
  // Proportions that fit nearly are made to fit.
  const sameShape = Math.abs((viewBox[2] / viewBox[3]) * (size[1] / size[0]) - 1) < 0.01
  const fit = sameShape ? 'none' : (root.attributes.get('preserveAspectRatio') ?? 'xMidYMid meet')
  const drawn = await draw(writeSvg(root, pixels.width, pixels.height, viewBox, fit))
  if (drawn === null) {
    yield { kind: 'more_findings', findings: [finding('too_complex')] }
    return
  }
  const more = pixelFindings(1, drawn, sheet, profile)
  if (more.length > 0) yield { kind: 'more_findings', findings: more }
  yield* picturesOf(1, drawn, sheet, true)
}

/** Puts a picture inside into a size and a form in which drawing it is easy, and tells what is the matter with it. */
async function lighten({ element, width, height }: PictureInside, profile: ArtworkProfile, findings: PageFindings) {
  const data = Buffer.from(element.attributes.get('href')!.replace(/^[^,]*,/, ''), 'base64')
  element.attributes.delete('href')
  try {
    const picture = sharp(data, { limitInputPixels: pixelsAtMost, failOn: 'error' })
    const metadata = await picture.metadata()
    addResolutionLow(findings, Math.min(metadata.width / width, metadata.height / height) * 72, profile)
    const small = picture
      .resize({ width: pictureSizes.large, height: pictureSizes.large, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
    const written = await (metadata.hasAlpha ? small.png() : small.jpeg({ quality: 92 })).toBuffer()
    element.attributes.set(
      'href',
      `data:image/${metadata.hasAlpha ? 'png' : 'jpeg'};base64,${written.toString('base64')}`,
    )
  } catch {
    findings.add('image_broken')
  }
}

function addResolutionLow(findings: PageFindings, perInch: number, profile: ArtworkProfile): void {
  const { imagePpiError, imagePpiWarn } = profile
  const found = Math.floor(perInch)
  if (imagePpiError !== null && perInch < imagePpiError)
    findings.add('image_resolution_low', { found, wanted: imagePpiError }, -perInch)
  else if (imagePpiWarn !== null && perInch < imagePpiWarn)
    findings.add('image_resolution_low', { found, wanted: imagePpiWarn, mild: true }, -perInch)
}

/** @returns null when the library gives up */
async function draw(svg: string): Promise<Pixels | null> {
  try {
    return await onPaper(sharp(Buffer.from(svg)))
  } catch {
    return null
  }
}
