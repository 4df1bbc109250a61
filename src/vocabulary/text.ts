/**
 * Checks of the forms of texts from outside. Each function looks only at the characters. The contract says which field
 * must have which form, and its length unless given here. All run in time linear in the text.
 */

const fileNameLengthMax = 255
const storedNameLengthMax = 120
const extensionLengthMax = 16
const emailLengthMax = 254
const localPartLengthMax = 64

/** True for U+0020 to U+007E only, with at least one character that is not a space (SUB-30, SUB-46). */
export function isPrintableAscii(text: string): boolean {
  return /^ *[!-~][ -~]*$/.test(text)
}

// C0, DEL, C1, and the separators of lines and paragraphs.
const breaking = String.raw`\u0000-\u001F\u007F-\u009F\u2028\u2029`

/** The form of names and of the parts of addresses, as a pattern that contracts publish: one line, no control characters. */
export const oneLine = `^[^${breaking}]*$`

/** The same, with at least one character that is not white space. */
export const filledLine = String.raw`^[^\S${breaking}]*[^\s${breaking}][^${breaking}]*$`

const oneLineForm = new RegExp(oneLine, 'u')

/** True for text that a name or a part of an address may be: {@link oneLine}. */
export function isOneLine(text: string): boolean {
  return oneLineForm.test(text)
}

/** Shows nothing of its own: default-ignorable characters such as zero-width ones, and the blank pattern of braille. */
const unseen = String.raw`\p{Default_Ignorable_Code_Point}\u2800`

// A mark alone is not visible as such: it needs a letter to stand on.
const visible = new RegExp(String.raw`(?![${unseen}])[\p{L}\p{N}\p{P}\p{S}]`, 'u')

// C0 without tab and line breaks, DEL, C1.
const unprintable = String.raw`\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F`

/** The form of notes and comments, as a pattern that contracts publish: any lines, no other control characters. */
export const severalLines = `^[^${unprintable}]*$`

/** True for text of which nothing can be seen, so that it counts as left out. */
export function isBlank(text: string): boolean {
  return !visible.test(text)
}

/** True for text that can name something: one line of at most `lengthMax` characters, with one that can be seen. */
export function isName(text: string, lengthMax: number): boolean {
  return Array.from(text).length <= lengthMax && visible.test(text) && isOneLine(text)
}

/** True for text with a character that turns the direction of others (Unicode Standard Annex 9, sections 2.1 to 2.4). */
export function turnsDirection(text: string): boolean {
  return /[\u202A-\u202E\u2066-\u2069]/.test(text)
}

/** A sentence about a field that is no name ({@link isName}); undefined if it is one. */
export function nameFault(field: string, text: string, lengthMax: number): string | undefined {
  if (isName(text, lengthMax)) return undefined
  return `The field ${field} must be one line of 1 to ${lengthMax} characters, and at least one must be visible.`
}

const usernameLengthMax = 100
const hidden = new RegExp(String.raw`[${unseen}\p{C}]`, 'u')
// Alphabets whose letters look like those of another one. Words of other scripts may stand beside any of them.
const alphabets = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Coptic', 'Cherokee', 'Lisu', 'Deseret', 'Osage'].map(
  (script) => new RegExp(String.raw`\p{Script=${script}}`, 'u'),
)

/**
 * True for a username that nobody takes for another: a name of at most 100 characters, all of which show, and letters of
 * one alphabet only among those whose letters look alike (after Unicode Technical Standard 39, section 5.2).
 */
export function isUsername(text: string): boolean {
  const compatible = text.normalize('NFKC')
  return (
    isName(text, usernameLengthMax) &&
    !hidden.test(text) &&
    alphabets.filter((alphabet) => alphabet.test(compatible)).length <= 1
  )
}

const ignorable = new RegExp(String.raw`[${unseen}]`, 'gu')

/**
 * The form in which two usernames, e-mail addresses or division codes count as the same: NFKC, without invisible
 * characters, case-folded, and without white space around it. This is the only definition. The database stores its result
 * beside the original and has its unique index there, because PostgreSQL's lower() depends on the locale of the server.
 *
 * A lower case of the upper case folds fully (`ß` as `ss`, a letter of two spellings as one), and `ı` as `i`, whose upper
 * case looks the same. The only letter whose lower case depends on its position in the word, the Greek sigma, is unified.
 * NFKC runs again at the end, since a lower-case letter may compose where its upper case does not (`J̌` has no character
 * of its own, `ǰ` has).
 */
export function foldForUniqueness(text: string): string {
  const plain = text.normalize('NFKC').replaceAll(ignorable, '')
  return plain.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC').trim()
}

// Every piece begins with a character that the piece before it cannot end with. So there is only one way to match, and
// no significant backtracking.
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const quotedString = String.raw`"(?:[\t !#-\[\]-~]|\\[\t -~])*"`
const mediaType = new RegExp(`^${token}/${token}(?:[ \\t]*;(?:[ \\t]*${token}=(?:${token}|${quotedString}))?)*$`)

/**
 * True for a media type with or without parameters (RFC 9110 §8.3.1), in ASCII, without white space around it. The
 * ranges a request may accept (`image/*`) fit that grammar but name no type, and are refused (ART-09).
 */
export function isMediaType(text: string): boolean {
  return mediaType.test(text) && !/^\*\/|^[^/]+\/\*(?![^ \t;])/.test(text)
}

/**
 * True for the name of a file without any folder: 1 to 255 characters (ART-08, LIM-27), not blank, not `.` or `..`,
 * without slash, backslash, control character (C0, DEL, C1) or lone surrogate.
 */
export function isPlainFileName(text: string): boolean {
  if (text.trim() === '' || text === '.' || text === '..') return false
  if (Array.from(text).length > fileNameLengthMax) return false
  return text.isWellFormed() && !/[/\\\p{Cc}]/u.test(text)
}

/**
 * The name under which a file called `text` is stored (ART-17): ASCII letters, digits, dot, dash and underscore, 1 to
 * 120 characters, with no dot or dash at either end. Accents are dropped, and any other run of characters becomes one
 * dash. An extension of at most 16 characters is kept whole. If nothing else is left of the name, it is `file`.
 */
export function urlSafeFileName(text: string): string {
  const pieces = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .split('.')
    .map((piece) => piece.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-|-$/g, ''))
  const last = pieces.at(-1) ?? ''
  const hasExtension = pieces.length > 1 && last !== '' && last.length <= extensionLengthMax
  const extension = hasExtension ? `.${last}` : ''
  const stem = (hasExtension ? pieces.slice(0, -1) : pieces)
    .filter((piece) => piece !== '')
    .join('.')
    .slice(0, storedNameLengthMax - extension.length)
    .replace(/[.-]$/, '')
  return `${stem === '' ? 'file' : stem}${extension}`
}

const atoms = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i

/**
 * True for an e-mail address to which mail can be sent over the internet: a dot-atom of at most 64 characters, one `@`,
 * and a host name of at least two labels, the last of which is not a number, 254 characters in all (RFC 5321 §4.5.3.1),
 * in ASCII. Quoted local parts, comments, address literals and unencoded international names are refused.
 */
export function isEmailForm(text: string): boolean {
  if (text.length > emailLengthMax) return false
  const [localPart = '', host = '', ...rest] = text.split('@')
  return rest.length === 0 && localPart.length <= localPartLengthMax && atoms.test(localPart) && domain.test(host)
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** True for a UUID of any version in its text form (RFC 9562 §4). */
export function isUuid(text: string): boolean {
  return uuidForm.test(text)
}
