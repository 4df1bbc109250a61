import { onRulers } from '../../artwork/findings/amounts.ts'
import type { ArtworkProfile } from '../../vocabulary/artwork.ts'

/**
 * The rules for print files in plain words, each a sentence, made from the numbers of the profile. Lengths are in inches
 * and millimetres; type and lines, which nobody measures in inches, in points.
 * @param types media types
 */
export function requirementSentences(profile: ArtworkProfile, types: readonly string[]): string[] {
  return [
    `Send ${listed(
      types.map((type) => typeNames[type] ?? type),
      'or',
    )}.`,
    ...sizeSentences(profile),
    ...pageSentences(profile),
    ...imageSentences(profile),
    ...inkSentences(profile),
  ]
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
