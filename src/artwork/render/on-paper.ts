import type { Sharp } from 'sharp'
import type { Pixels } from './pdfium.ts'

/** The pixels of a picture; what lets through is white. */
export async function onPaper(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgba: data }
}
