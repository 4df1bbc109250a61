/**
 * Countries, their subdivisions and the form of their postal codes: the ISO 3166 lists of the iso-3166 package, and the
 * forms of postal-codes-js with the amendments below. It owns no address and no delivery zone: a code may have the
 * right form and still not exist.
 */

import { iso31661 } from 'iso-3166/1.js'
import { iso31662 } from 'iso-3166/2.js'
import { validate } from 'postal-codes-js'

const postalCodeLengthMax = 20

/** A country or subdivision. `name` is ISO's, in the language of the ISO list. */
export type Region = { readonly code: string; readonly name: string }

const zip = /^\d{5}(?:[ -]?\d{4})?$/

/**
 * Mail to the armed forces and diplomats of the United States abroad has state codes that ISO 3166-2 does not list, and
 * postal codes of its own (USPS Publication 28, section 238).
 */
const militaryMail: ReadonlyMap<string, { name: string; postalCodes: RegExp; begin: string; example: string }> =
  new Map([
    ['AA', { name: 'Armed Forces Americas', postalCodes: /^340/, begin: '340', example: '34012' }],
    ['AE', { name: 'Armed Forces Europe', postalCodes: /^09/, begin: '09', example: '09012' }],
    ['AP', { name: 'Armed Forces Pacific', postalCodes: /^96[2-6]/, begin: '962 to 966', example: '96201' }],
  ])

const countryNames: ReadonlyMap<string, string> = new Map(iso31661.map(({ alpha2, name }) => [alpha2, name]))
const subdivisionNames: ReadonlyMap<string, string> = new Map([
  ...iso31662.map(({ code, name }) => [code, name] as const),
  ...[...militaryMail].map(([code, { name }]) => [`US-${code}`, name] as const),
])
const countriesWithSubdivisions: ReadonlySet<string> = new Set(iso31662.map(({ code }) => code.slice(0, 2)))

/** The form in which codes of countries are kept and compared; callers may write them in any letter case. */
export function countryCodeOf(text: string): string {
  return text.trim().toUpperCase()
}

/** The same for the codes of states. In a country without subdivisions a state is free text, and keeps its letters. */
export function stateCodeOf(countryCode: string, text: string): string {
  return hasSubdivisions(countryCode) ? text.trim().toUpperCase() : text.trim()
}

/** A place with the codes of its country and state as they are kept. */
export function withRegionCodes<Place extends { countryCode: string; stateCode: string | null }>(place: Place): Place {
  const countryCode = countryCodeOf(place.countryCode)
  const stateCode = place.stateCode === null ? null : stateCodeOf(countryCode, place.stateCode)
  return { ...place, countryCode, stateCode }
}

/** The country of an ISO 3166-1 alpha-2 code in upper case, else undefined: `us`, `USA` and `EU` are not countries. */
export function countryByCode(alpha2: string): Region | undefined {
  const name = countryNames.get(alpha2)
  return name === undefined ? undefined : { code: alpha2, name }
}

/**
 * The subdivision with that code within the country (SQ-08), at any level ISO 3166-2 lists: state, province, county; in
 * the United States also the three codes of military mail.
 * `stateCode` is the part after the hyphen, in upper case: `CA` for `US-CA`; so is the `code` returned.
 */
export function subdivision(countryCode: string, stateCode: string): Region | undefined {
  const name = subdivisionNames.get(`${countryCode}-${stateCode}`)
  return name === undefined ? undefined : { code: stateCode, name }
}

/** The codes of a country's subdivisions, in order; none where it has none. */
export function subdivisionCodes(countryCode: string): string[] {
  const prefix = `${countryCode}-`
  return [...subdivisionNames.keys()]
    .filter((code) => code.startsWith(prefix))
    .map((code) => code.slice(3))
    .toSorted()
}

/** False for the countries ISO 3166-2 does not divide, such as Hong Kong or Puerto Rico: no state code exists there. */
export function hasSubdivisions(countryCode: string): boolean {
  return countriesWithSubdivisions.has(countryCode)
}

const anyCode = /^/

/**
 * Forms that replace the package's: exact ones for the United States, Canada and the United Kingdom, where the package
 * accepts a separator anywhere (`902-10`), and forms that the package has wrong or lacks.
 */
const amendedForms: ReadonlyMap<string, RegExp> = new Map([
  ...['US', 'AS', 'FM', 'GU', 'MH', 'MP', 'PR', 'PW', 'UM', 'VI'].map((code) => [code, zip] as const),
  ['CA', /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ -]?\d[ABCEGHJ-NPRSTV-Z]\d$/i],
  ['GB', /^(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2}|GIR ?0AA)$/i],
  // The old four digits, or the eight characters that also name the province and the side of the street.
  ['AR', /^(?:\d{4}|[A-HJ-NP-Z]\d{4}[A-Z]{3})$/i],
  ['FO', /^(?:FO[ -]?)?\d{3}$/i],
  ['HT', /^(?:HT[ -]?)?\d{4}$/i],
  ['IL', /^\d{5}(?:\d{2})?$/],
  ['KH', /^\d{5,6}$/],
  ['KZ', /^(?:\d{6}|[A-Z]\d{2}[A-Z]\d[A-Z]\d)$/i],
  ['SH', /^(?:STHL|ASCN|TDCU) ?1ZZ$/i],
  ['TW', /^\d{3}(?:-?\d{2,3})?$/],
  ['VN', /^\d{5,6}$/],
  // No postal codes in use.
  ...['BQ', 'CW', 'JM', 'SX', 'TD'].map((code) => [code, anyCode] as const),
])

function militaryOf(countryCode: string, stateCode: string | null | undefined) {
  return countryCode === 'US' ? militaryMail.get(stateCode ?? '') : undefined
}

/**
 * Whether a postal code has the form of its country (SQ-11), letters in either case, without white space around it. If
 * the country has no form, any text of 1 to 20 characters passes that is not blank and has no control character. False
 * for a country that {@link countryByCode} does not know. The states of military mail accept only codes of their own.
 */
export function postalCodeMatches(countryCode: string, postalCode: string, stateCode?: string | null): boolean {
  if (!countryNames.has(countryCode)) return false
  if (postalCode.trim() === '' || postalCode.length > postalCodeLengthMax || /\p{Cc}/u.test(postalCode)) return false
  const military = militaryOf(countryCode, stateCode)
  if (military && !military.postalCodes.test(postalCode)) return false
  const amended = amendedForms.get(countryCode)
  if (amended !== undefined) return amended.test(postalCode)
  // No form accepts a question mark, so a country that accepts it has no form.
  if (validate(countryCode, '?') === true) return true
  // The package ignores all spaces and hyphens, so check their positions here.
  return /^[A-Z0-9]+(?:[ -][A-Z0-9]+)?$/i.test(postalCode) && validate(countryCode, postalCode) === true
}

/** What a postal code there must be, as the rest of a sentence: `a postal code of US, such as 12345 or 12345-6789`. */
export function postalCodeRule(countryCode: string, stateCode: string | null): string {
  const military = militaryOf(countryCode, stateCode)
  if (military) return `a postal code of ${stateCode}, which begins with ${military.begin}, such as ${military.example}`
  if (postalCodeMatches(countryCode, 'any text')) return `a text of 1 to ${postalCodeLengthMax} characters`
  const examples = amendedForms.get(countryCode) === zip ? ['12345', '12345-6789'] : [postalCodeExample(countryCode)]
  return `a postal code of ${countryCode}, such as ${examples.join(' or ')}`
}

function postalCodeExample(countryCode: string): string | undefined {
  return [...postalCodeExamples, `${countryCode}-1010`, `${countryCode}1 1AA`, `${countryCode}10001`].find((example) =>
    postalCodeMatches(countryCode, example),
  )
}

/** One of each form that countries have; every country with a form has one of these. */
const postalCodeExamples = [
  '12345',
  '1010',
  '101000',
  '101',
  '8320000',
  '01310-100',
  'K1A 0B1',
  'SW1A 1AA',
  'D02 AF30',
  '1012 AB',
  '1000-001',
  '00-001',
  '100-0001',
  '10',
  '1193653471',
  'AD500',
  'AI-2640',
  'BIQQ 1ZZ',
  '97133',
  'FIQQ 1ZZ',
  '97300',
  'GY1 1AA',
  'GX11 1AA',
  '97100',
  'SIQQ 1ZZ',
  'BBND 1ZZ',
  '98000',
  '97150',
  'VLT 1117',
  '98800',
  '98714',
  '97500',
  'PCRN 1ZZ',
  '97400',
  'STHL 1ZZ',
  '47890',
  'H100',
  'TKCA 1ZZ',
  '00120',
  '98600',
]

/** What the code of a state there must be, as the rest of a sentence. The country has {@link hasSubdivisions}. */
export function stateCodeRule(countryCode: string): string {
  const example = subdivision(countryCode, 'CA')?.code ?? firstSubdivisions.get(countryCode)
  return `the code of a state of ${countryCode}, such as ${example}`
}

const firstSubdivisions: ReadonlyMap<string, string> = new Map(
  iso31662.map(({ code }) => [code.slice(0, 2), code.slice(3)] as const).toReversed(),
)
