import type { Mark } from '../content/marks.ts'
import type { Place } from './place.ts'

type ImageMark = Extract<Mark, { kind: 'image' }>

/** Line art needs this where 225 ppi are asked of photographs (Ghent Workgroup 2022); large formats need less of both. */
const lineArt = { ppi: 550, besides: 225 }

/** Images of so few pixels are areas of one colour, or gradients. */
const fewPixels = 4

/** The limit of the library that reads pixels. */
const mostPixels = 268_402_689

const million = 1_000_000

export function judgeImage(mark: ImageMark, place: Place): void {
  const { image, name: subject, box } = mark
  if (image.broken) {
    place.add('image_broken', { subject, box })
    return
  }
  const pixels = image.width * image.height
  if (pixels > mostPixels)
    place.add('image_too_large', { subject, found: pixels / million, wanted: Math.floor(mostPixels / million), box })
  if (Math.min(image.width, image.height) >= fewPixels) judgeResolution(mark, place)
}

function judgeResolution({ image, name: subject, box, ppi }: ImageMark, place: Place): void {
  const { imagePpiError, imagePpiWarn } = place.profile
  const lines = image.bits === 1 && imagePpiWarn !== null
  const warn = lines ? Math.round((lineArt.ppi * imagePpiWarn) / lineArt.besides) : imagePpiWarn
  const found = Math.round(ppi)
  if (imagePpiError !== null && found < imagePpiError)
    place.add('image_resolution_low', { subject, found, wanted: imagePpiError, box }, -found)
  else if (warn !== null && found < warn)
    place.add('image_resolution_low', { subject, found, wanted: warn, box, mild: true }, -found)
}
