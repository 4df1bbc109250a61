import type { ArtworkProfile } from '../../vocabulary/artwork.ts'

/**
 * The most that each rule may ask for. Lengths reach 12.7 metres, the limit that the trade's large format has: what is
 * bigger is made at a scale.
 */
const most: Readonly<Record<keyof ArtworkProfile, number>> = {
  trimWidth: 36_000,
  trimHeight: 36_000,
  bleed: 720,
  safe: 720,
  pagesMin: 10_000,
  pagesMax: 10_000,
  pagesMultiple: 100,
  imagePpiError: 2_400,
  imagePpiWarn: 2_400,
  inkPercentMax: 400,
  textPointsMin: 1_000,
  linePointsMin: 100,
}

const wholes: readonly (keyof ArtworkProfile)[] = ['pagesMin', 'pagesMax', 'pagesMultiple']

/** The first thing wrong with the rules for print files, as a sentence. */
export function artworkProfileFault(profile: ArtworkProfile): string | undefined {
  for (const [name, mostOfIt] of Object.entries(most) as [keyof ArtworkProfile, number][]) {
    const value = profile[name]
    if (value === null) continue
    const isWhole = wholes.includes(name)
    if (!(value > 0 && value <= mostOfIt && (!isWhole || Number.isInteger(value)))) {
      return `In artworkProfile, ${name} must be null or a positive ${isWhole ? 'whole ' : ''}number up to ${mostOfIt}.`
    }
  }
  return rulesCross(profile)
}

/** Rules that no file can keep together. */
function rulesCross(profile: ArtworkProfile): string | undefined {
  const { trimWidth, trimHeight, safe, pagesMin, pagesMax, pagesMultiple, imagePpiError, imagePpiWarn } = profile
  if ((trimWidth === null) !== (trimHeight === null)) {
    return 'In artworkProfile, trimWidth and trimHeight must be given together.'
  }
  if (trimWidth !== null && trimHeight !== null && 2 * (safe ?? 0) >= Math.min(trimWidth, trimHeight)) {
    return 'In artworkProfile, safe must leave some of the trimmed page.'
  }
  if (pagesMax !== null) {
    if (pagesMin !== null && pagesMin > pagesMax) return 'In artworkProfile, pagesMin must not exceed pagesMax.'
    const step = pagesMultiple ?? 1
    if (Math.ceil((pagesMin ?? 1) / step) * step > pagesMax) {
      return 'In artworkProfile, a multiple of pagesMultiple must lie between pagesMin and pagesMax.'
    }
  }
  if (imagePpiError !== null && imagePpiWarn !== null && imagePpiError > imagePpiWarn) {
    return 'In artworkProfile, imagePpiError must not exceed imagePpiWarn.'
  }
  return undefined
}
