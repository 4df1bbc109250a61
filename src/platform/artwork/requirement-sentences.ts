import { onRulers } from '../../artwork/findings/amounts.ts'
import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import type { ArtworkSource } from '../../vocabulary/product-kinds.ts'

type FileUse = {
  /** media types */
  types: readonly string[]
  artworkSource: ArtworkSource
  digitalDelivery: boolean
}

/**
 * What a product wants of print files in plain words: whether one is needed, then the rules for it, each a sentence, made
 * from the numbers of the profile. Lengths are in inches and millimetres; type and lines, which nobody measures in inches,
 * in points.
 */
export function requirementSentences(profile: ArtworkProfile, use: FileUse): string[] {
  return [
    ...needSentences(use),
    ...sizeSentences(profile),
    ...pageSentences(profile),
    ...imageSentences(profile),
    ...inkSentences(profile),
  ]
}

function needSentences({ types, artworkSource, digitalDelivery }: FileUse): string[] {
  const named = types.map((type) => typeNames[type] ?? type)
  const send = `end ${listed(named, 'or')}`
  switch (artworkSource) {
    case 'NONE':
      return digitalDelivery
        ? ['No print file is needed: the product is delivered digitally.']
        : [`No print file is needed. For decoration on request, s${send}.`]
    case 'TEMPLATE':
      return [
        "No print file is needed: the product's template makes it from the templateVariables of the order line.",
        `To have a file of your own printed instead, s${send}.`,
      ]
    case 'ON_FILE':
      return ['No print file is needed: the one on file is printed.', `To have another printed instead, s${send}.`]
    default:
      return [`S${send}.`]
  }
}

const typeNames: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/tiff': 'TIFF',
  'image/svg+xml': 'SVG',
  'image/webp': 'WebP',
  'image/vnd.adobe.photoshop': 'Photoshop',
  'application/postscript': 'PostScript',
  'application/eps': 'EPS',
}

function sizeSentences({ trimWidth, trimHeight, bleed, safe }: ArtworkProfile): string[] {
  const said: string[] = []
  const hasSize = trimWidth !== null && trimHeight !== null
  if (hasSize) said.push(`The finished piece is ${onRulers([trimWidth, trimHeight])}.`)
  if (bleed !== null) {
    const page = hasSize ? `, so that the page is ${onRulers([trimWidth + 2 * bleed, trimHeight + 2 * bleed])}` : ''
    said.push(`Let backgrounds and pictures run ${onRulers(bleed)} beyond the edge on every side${page}.`)
  }
  if (safe !== null) said.push(`Keep texts and logos at least ${onRulers(safe)} inside the edge.`)
  return said
}

function pageSentences({ pagesMin: min, pagesMax: max, pagesMultiple }: ArtworkProfile): string[] {
  const multiple = pagesMultiple !== null && pagesMultiple > 1 ? `, in multiples of ${pagesMultiple}` : ''
  if (min !== null && max !== null) return [`A file has ${min === max ? '' : `${min} to `}${pages(max)}${multiple}.`]
  if (min !== null) return [`A file has at least ${pages(min)}${multiple}.`]
  if (max !== null) return [`A file has at most ${pages(max)}${multiple}.`]
  return multiple === '' ? [] : [`The pages of a file are a multiple of ${pagesMultiple}.`]
}

function pages(count: number): string {
  return count === 1 ? '1 page' : `${count} pages`
}

function imageSentences({ imagePpiError: error, imagePpiWarn: warn }: ArtworkProfile): string[] {
  if (error !== null && warn !== null && warn > error) {
    return [
      `Images have ${warn} pixels per inch or more at the size in which they are printed; with fewer than ${error} the file needs a change.`,
    ]
  }
  const least = error ?? warn
  return least === null ? [] : [`Images have ${least} pixels per inch or more at the size in which they are printed.`]
}

function inkSentences({ inkPercentMax, textPointsMin, linePointsMin }: ArtworkProfile): string[] {
  return [
    ...(inkPercentMax === null ? [] : [`The inks at one place add up to at most ${inkPercentMax} %.`]),
    ...(textPointsMin === null ? [] : [`Type is ${textPointsMin} pt or larger.`]),
    ...(linePointsMin === null ? [] : [`Lines are at least ${linePointsMin} pt thick.`]),
  ]
}

function listed(words: readonly string[], last: string): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
