/** An address as it stands on a parcel or in a letter. */

export type Place = Readonly<Partial<Record<PlaceField, string | null>>>

type PlaceField = 'name' | 'company' | 'address1' | 'address2' | 'city' | 'state' | 'postalCode' | 'country'

/**
 * Where the postal code is written after the city. Everywhere else it comes first, as in `10115 Berlin`. (Google's
 * libaddressinput, the formats for Latin script.)
 */
const codeAfterCity = new Set(
  (
    'AS AU BD BH BM BN BR CA CO FK FM GB GG GI GS GU HN ID IE IM IN IO IQ IR JE JM JO JP KE KH KR KY LB LK LS LV MH MM MN ' +
    'MP MT MV NG NP NZ PG PK PN PR PW RU SA SG SH SZ TC TH TW UA UM US VE VG VI VN ZA'
  ).split(' '),
)

/** Where no state is written, even if it is known: in Germany `BE` would be taken for Belgium. */
const withoutState = new Set('AT BE CH CZ DE DK FI FR GR HU LI LU NL NO PL PT SE SI SK'.split(' '))

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })

/** The lines of an address; parts that are not there take no line. */
export function addressLines(place: Place | null): string[] {
  if (place === null) return []
  const { name, company, address1, address2, country } = place
  return filled([name, company, address1, address2, townLine(place), country && countryName(country)])
}

function townLine({ city, state, postalCode, country }: Place): string {
  const code = country ?? ''
  const region = withoutState.has(code) ? null : state
  if (codeAfterCity.has(code)) return joined(' ', joined(', ', city, region), postalCode)
  return joined(', ', joined(' ', postalCode, city), region)
}

function countryName(code: string): string {
  // A code that is no region code throws.
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code
}

export function joined(between: string, ...parts: readonly (string | null | undefined)[]): string {
  return filled(parts).join(between)
}

function filled(parts: readonly (string | null | undefined)[]): string[] {
  return parts.flatMap((part) => (part === null || part === undefined || part.trim() === '' ? [] : [part.trim()]))
}
