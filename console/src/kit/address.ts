/** How an address is written, by country; the papers of the service write it in the same way. */

/**
 * Where the postal code is written after the town. Everywhere else it comes first, as in `10115 Berlin`. (Google's
 * libaddressinput, the formats for Latin script.)
 */
const codeAfterTown = new Set(
  (
    'AS AU BD BH BM BN BR CA CO FK FM GB GG GI GS GU HN ID IE IM IN IO IQ IR JE JM JO JP KE KH KR KY LB LK LS LV MH MM MN ' +
    'MP MT MV NG NP NZ PG PK PN PR PW RU SA SG SH SZ TC TH TW UA UM US VE VG VI VN ZA'
  ).split(' '),
)

/** Where no state is written, even if it is known. */
const withoutState = new Set('AT BE CH CZ DE DK FI FR GR HU LI LU NL NO PL PT SE SI SK'.split(' '))

type Town = { city: string | null; state: string | null; postalCode: string | null; country: string | null }

/** `New York, NY 10118`, `10115 Berlin`. */
export function townLine({ city, state, postalCode, country }: Town): string {
  const code = country ?? ''
  const region = withoutState.has(code) ? null : state
  if (codeAfterTown.has(code)) return joined(' ', joined(', ', city, region), postalCode)
  return joined(', ', joined(' ', postalCode, city), region)
}

function joined(between: string, ...parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join(between)
}
