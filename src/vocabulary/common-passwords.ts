/**
 * Passwords that many people choose, by the list of a library: attackers try them first, in any letter case and with
 * digits or signs before and after. The list is loaded when the first password is set.
 */
let loaded: Promise<ReadonlySet<string>> | undefined

/** A password of fewer different parts is as weak as one of the list. */
const partsMin = 5

/**
 * Whether a password is in the list or has too few parts: as it is, without the digits and signs around it, or as often
 * as it repeats itself. Spaces do not count.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= load()
  const common = await loaded
  const whole = fold(password).replaceAll(/[\s\p{Cf}]/gu, '')
  const core = coreOf(whole)
  const [once, coreOnce] = [onceOf(whole), onceOf(core)]
  if (partsOf(once) < partsMin || (core.length >= partsMin && partsOf(coreOnce) < partsMin)) return true
  return [whole, core, once, coreOnce, coreOf(once)].some((form) => common.has(form))
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].map(fold))
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** A text without the digits and signs around it. */
function coreOf(text: string): string {
  return text.replaceAll(/^\P{L}+|\P{L}+$/gu, '')
}

/** What a text repeats, the last time perhaps in part: `abcabc` and `abcab` → `abc`. */
function onceOf(text: string): string {
  let period = 1
  while (!text.startsWith(text.slice(period))) period += 1
  return text.slice(0, period)
}

/** How many characters a text has if a run of neighbours, such as `abcd`, `4321` or `aaa`, counts as one. */
function partsOf(text: string): number {
  const points = Array.from(text, (character) => character.codePointAt(0)!)
  const stepTo = (at: number): number => points[at]! - points[at - 1]!
  let parts = 0
  for (let at = 0; at < points.length; parts += 1) {
    let next = at + 2
    while (next < points.length && Math.abs(stepTo(next)) <= 1 && stepTo(next) === stepTo(next - 1)) next += 1
    at = next - at > 2 ? next : at + 1
  }
  return parts
}
