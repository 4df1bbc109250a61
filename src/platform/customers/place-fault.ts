import { countryByCode, hasSubdivisions, postalCodeMatches, subdivision } from '../../vocabulary/places.ts'

/** What is wrong with where an address says it is. */
export type PlaceFault = 'country_not_known' | 'state_not_known' | 'postal_code_not_usable'

/** @param place ISO 3166 codes; a country that is divided needs its state */
export function placeFault(place: {
  countryCode: string
  stateCode: string | null
  zip: string
}): PlaceFault | undefined {
  const { countryCode, stateCode, zip } = place
  if (!countryByCode(countryCode)) return 'country_not_known'
  const isDivided = hasSubdivisions(countryCode)
  if (isDivided ? !subdivision(countryCode, stateCode ?? '') : stateCode !== null) return 'state_not_known'
  return postalCodeMatches(countryCode, zip) ? undefined : 'postal_code_not_usable'
}
