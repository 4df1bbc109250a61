/**
 * Passwords that many people choose, by the list of a library: attackers try them first, in any letter case and with
 * digits or signs before and after. The list is loaded when the first password is set.
 */
let loaded: Promise<ReadonlySet<string>> | undefined

/** No more than so many characters, repeated, make a password that is as weak as one of the list. */
const repeatedMin = 5

/** Whether a password is in the list, or would be without the digits and signs around it, or only repeats something. */
export async function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= load()
  const common = await loaded
  const whole = fold(password)
  if (onceOf(whole).length < repeatedMin) return true
  const core = whole.replaceAll(/^\P{L}+|\P{L}+$/gu, '')
  return [whole, core, onceOf(whole), onceOf(core)].some((form) => common.has(form))
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].map(fold))
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** The part that a text consists of, if it consists of one part only: `abcabc` → `abc`. */
function onceOf(text: string): string {
  const period = (text + text).indexOf(text, 1)
  return period > 0 ? text.slice(0, period) : text
}
