import { isEmailForm, isName, turnsDirection } from '../../vocabulary/text.ts'

/** What staff decide about a brand, except its logo. */
export type BrandWish = {
  /** null = a site has its own name; a partner has no brand of its own */
  name: string | null
  /** `#rrggbb`; null = the usual colour */
  color: string | null
  supportEmail: string | null
  /** of the sender, line by line, as it is printed */
  senderAddress: string[]
}

export const senderLinesMax = 6
export const senderLineLengthMax = 60

/** The wish as it is kept, or its fault as a sentence. */
export function brandOf(wish: BrandWish): BrandWish | string {
  const name = wish.name?.trim() ?? null
  const color = wish.color?.toLowerCase() ?? null
  const supportEmail = wish.supportEmail?.trim() ?? null
  const senderAddress = wish.senderAddress.map((line) => line.trim())
  if (name !== null && !isName(name, 200))
    return 'The field name must have 1 to 200 characters on one line, or be null.'
  if ([name ?? '', ...senderAddress].some(turnsDirection))
    return 'The fields name and senderAddress must not have characters that turn the direction of text.'
  if (color !== null && !/^#[0-9a-f]{6}$/.test(color))
    return 'The field color must be a colour such as #1a6b4f, or null.'
  if (supportEmail !== null && !isEmailForm(supportEmail)) {
    return 'The field supportEmail must be an e-mail address such as help@example.com, or null.'
  }
  if (senderAddress.length > senderLinesMax || !senderAddress.every((line) => isName(line, senderLineLengthMax))) {
    return `The field senderAddress must have up to ${senderLinesMax} lines of 1 to ${senderLineLengthMax} characters.`
  }
  return { name, color, supportEmail, senderAddress }
}

/** The colour of a brand without one of its own. */
export const usualColor = '#2348c7'

/**
 * White or black, whichever is easier to read on a colour (WCAG 2.2, contrast ratio). One of the two always has a ratio of at
 * least 4.5, so a brand may have any colour.
 * @param color `#rrggbb`
 */
export function textColorOn(color: string): '#ffffff' | '#000000' {
  const light = luminance(color) + 0.05
  return 1.05 / light >= light / 0.05 ? '#ffffff' : '#000000'
}

/** Relative luminance, from 0 to 1. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
