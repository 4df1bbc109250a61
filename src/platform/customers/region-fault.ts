import { countryByCode, hasSubdivisions, postalCodeMatches, subdivision } from '../../vocabulary/regions.ts'

/** A fault of the country, state or postal code of an address. */
export type RegionFault = 'country_not_known' | 'state_not_known' | 'postal_code_not_usable'

/** @param region by ISO 3166 codes as they are kept; a country with states needs one */
export function regionFault(region: {
  countryCode: string
  stateCode: string | null
  zip: string
}): RegionFault | undefined {
  const { countryCode, stateCode, zip } = region
  if (!countryByCode(countryCode)) return 'country_not_known'
  const isDivided = hasSubdivisions(countryCode)
  if (isDivided ? !subdivision(countryCode, stateCode ?? '') : stateCode !== null) return 'state_not_known'
  return postalCodeMatches(countryCode, zip, stateCode) ? undefined : 'postal_code_not_usable'
}
