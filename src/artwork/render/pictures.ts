import sharp, { type Sharp } from 'sharp'
import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import { type Picture, type PictureKind, pictureSizes } from '../reports.ts'
import { withGuides } from './guides.ts'
import type { Pixels } from './pdfium.ts'
import { pixelsOf } from './pixel-grid.ts'
import type { Sheet } from './sheet.ts'

// The process does one thing at a time, and the next file is another's.
sharp.cache(false)
sharp.concurrency(1)

/** So many pages get pictures at most; all are inspected. */
export const pagesPictured = 100

/** The pages that get pictures: as many as the product takes, and one that shows that there are more. */
export function picturedOf<Page>(pages: readonly Page[], { pagesMax }: Pick<ArtworkProfile, 'pagesMax'>): Page[] {
  return pages.slice(0, Math.min(pagesPictured, (pagesMax ?? pagesPictured) + 1))
}

/**
 * The pictures of a page, from the pixels of the area that its sheet draws, the smallest first.
 * @param inFull false = only small and medium ones
 */
export async function* picturesOf(
  page: number,
  pixels: Pixels,
  sheet: Sheet,
  inFull: boolean,
): AsyncGenerator<Picture> {
  yield await picture(page, 'small', image(pixels).resize(within(pictureSizes.small)))
  yield await picture(page, 'medium', image(pixels).resize(within(pictureSizes.medium)))
  if (!inFull) return
  yield await picture(page, 'large', image(pixels))
  yield await picture(page, 'guides', image(withGuides(pixels, sheet)))
  if (page === 1) yield await picture(page, 'finished', finished(pixels, sheet))
}

function finished(pixels: Pixels, { drawn, trim }: Sheet): Sharp {
  const rect = pixelsOf(trim ?? drawn, drawn, pixels)
  const left = Math.min(Math.max(rect.left, 0), pixels.width - 1)
  const top = Math.min(Math.max(rect.top, 0), pixels.height - 1)
  const width = Math.max(Math.min(rect.right, pixels.width) - left, 1)
  const height = Math.max(Math.min(rect.bottom, pixels.height) - top, 1)
  return image(pixels).extract({ left, top, width, height }).resize(within(pictureSizes.finished))
}

function within(longerSide: number): { width: number; height: number; fit: 'inside'; withoutEnlargement: true } {
  return { width: longerSide, height: longerSide, fit: 'inside', withoutEnlargement: true }
}

function image({ rgba, width, height }: Pixels): Sharp {
  return sharp(rgba, { raw: { width, height, channels: 4 } }).removeAlpha()
}

async function picture(page: number, of: PictureKind, from: Sharp): Promise<Picture> {
  const { data, info } = await from
    .png({ compressionLevel: 6, adaptiveFiltering: true })
    .toBuffer({ resolveWithObject: true })
  return { kind: 'picture', page, of, width: info.width, height: info.height, png: data }
}
