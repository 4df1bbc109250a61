import sharp, { type Metadata, type Sharp } from 'sharp'
import type { ArtworkProfile, PageBoxes } from '../../vocabulary/artwork.ts'
import { coverageAbove } from '../colour/coverage.ts'
import { inksOf, inPrint } from '../colour/inks.ts'
import { Findings } from '../findings/finding.ts'
import { judgePageCount } from '../findings/page-count.ts'
import { onPage } from '../findings/page-findings.ts'
import { onPaper } from '../render/on-paper.ts'
import type { Pixels } from '../render/pdfium.ts'
import { picturedOf, picturesOf } from '../render/pictures.ts'
import { pixelFindings } from '../render/pixel-findings.ts'
import { boxOf, sizeInPixels } from '../render/pixel-grid.ts'
import { type Sheet, sheetOf } from '../render/sheet.ts'
import { type EngineReport, largePictureBytes, pictureSizes } from '../reports.ts'
import { addFormatFindings, addPixelsTooFew } from './format-findings.ts'
import { type Format, formatOf, sizeByDensity } from './format.ts'

/** Two metres by one at 300 pixels per inch have 279 millions. */
export const pixelsAtMost = 400e6

/** A picture file: PNG, JPEG, TIFF or WebP. Each picture in a TIFF is a page. */
export async function* inspectRaster(
  bytes: Uint8Array,
  mediaType: string,
  profile: ArtworkProfile,
): AsyncGenerator<EngineReport> {
  const metadata = await metadataOf(bytes)
  const findings = new Findings()
  if (metadata === null) {
    findings.add('not_readable')
    yield { kind: 'findings', mediaType, readable: false, findings: findings.list(), pages: [] }
    return
  }
  const { width, height } = metadata.autoOrient
  const format = formatOf([width, height], profile)
  const pages = pagesOf(metadata, format, profile)
  addColourFindings(findings, metadata)
  judgePageCount(pages.length, profile, findings)
  const here = onPage(findings, pages[0]!)
  addFormatFindings(here, [width, height], format, profile)
  const [across, down] = format?.size ?? [profile.trimWidth, profile.trimHeight]
  if (across !== null && down !== null) addPixelsTooFew(here, Math.min(width / across, height / down) * 72, profile)
  const tooLarge = width * height > pixelsAtMost
  if (tooLarge) findings.add('image_too_large', { found: (width * height) / 1e6, wanted: pixelsAtMost / 1e6 })
  yield { kind: 'findings', mediaType, readable: true, findings: findings.list(), pages }
  if (tooLarge) return
  let bytesSoFar = 0
  for (const page of picturedOf(pages, profile)) {
    const reports = await Array.fromAsync(pageReports(bytes, metadata, page, profile, bytesSoFar < largePictureBytes))
    for (const report of reports) if (report.kind === 'picture') bytesSoFar += report.png.length
    yield* reports
  }
}

async function metadataOf(bytes: Uint8Array): Promise<Metadata | null> {
  try {
    return await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata()
  } catch {
    return null
  }
}

function pagesOf(
  { pages, density, autoOrient }: Metadata,
  format: Format | null,
  profile: ArtworkProfile,
): PageBoxes[] {
  const [width, height] = format?.size ?? sizeByDensity([autoOrient.width, autoOrient.height], density)
  const beyond = format?.beyond ?? 0
  const trimBox = format === null ? null : ([beyond, beyond, width - beyond, height - beyond] as const)
  const bleedBox = format === null || profile.bleed === null ? null : ([0, 0, width, height] as const)
  return Array.from({ length: pages ?? 1 }, (_, index) => ({ page: index + 1, width, height, trimBox, bleedBox }))
}

function addColourFindings(findings: Findings, { orientation = 1, space, hasProfile }: Metadata): void {
  if (orientation > 1) findings.add('orientation_by_exif')
  const grey = space === 'b-w' || space === 'grey16'
  if (!hasProfile && !grey) findings.add('colour_profile_missing')
  if (space !== 'cmyk' && !grey) findings.add('rgb_used', { subject: 'the picture', mild: true })
}

/** What the pixels of a page tell, and its pictures. */
async function* pageReports(
  bytes: Uint8Array,
  metadata: Metadata,
  page: PageBoxes,
  profile: ArtworkProfile,
  inFull: boolean,
): AsyncGenerator<EngineReport> {
  const findings = new Findings()
  const sheet = sheetOf(page, profile)
  const pixels = await pixelsOf(bytes, metadata, page.page, sheet, profile, findings)
  const told =
    pixels === null ? findings.list() : [...findings.list(), ...pixelFindings(page.page, pixels, sheet, profile)]
  if (told.length > 0) yield { kind: 'more_findings', findings: told }
  if (pixels !== null) yield* picturesOf(page.page, pixels, sheet, inFull)
}

/** @returns null when nothing of the picture can be decoded */
async function pixelsOf(
  bytes: Uint8Array,
  { space, icc, depth }: Metadata,
  page: number,
  sheet: Sheet,
  profile: ArtworkProfile,
  findings: Findings,
): Promise<Pixels | null> {
  const { width, height } = sizeInPixels(sheet.drawn, pictureSizes.large)
  const decode = async (failOn: 'warning' | 'none'): Promise<Sharp> => {
    const picture = sharp(bytes, { page: page - 1, limitInputPixels: pixelsAtMost, failOn }).autoOrient()
    if (space !== 'cmyk') {
      const { data, info } = await picture
        .resize(width, height, { fit: 'fill' })
        .toColourspace('srgb')
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      if (isTransparent(data)) findings.add('has_alpha', { page })
      return sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
    }
    // libvips cuts inks of 16 bits off at 255 instead of scaling them.
    const inks = await inksOf(depth === 'ushort' ? picture.linear(1 / 257, 0.5) : picture, width, height)
    const limit = profile.inkPercentMax
    const above = limit === null ? null : coverageAbove(limit, inks)
    if (above !== null && limit !== null)
      findings.add('ink_coverage_high', {
        page,
        box: boxOf(above.rect, sheet.drawn, inks),
        found: above.percent,
        wanted: limit,
      })
    return inPrint(inks, icc ?? null)
  }
  try {
    return await onPaper(await decode('warning'))
  } catch {
    findings.add('image_broken', { page })
  }
  try {
    return await onPaper(await decode('none'))
  } catch {
    return null
  }
}

/** @param rgba four bytes a pixel */
function isTransparent(rgba: Buffer): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at]! < 255) return true
  return false
}
