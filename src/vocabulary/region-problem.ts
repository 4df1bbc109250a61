import { countryByCode, hasSubdivisions, stateCodeRule, subdivision } from './regions.ts'

/**
 * What is wrong with a country and, if given, a state of it, as a sentence; both codes as they are kept. In a country that ISO 3166-2 does not
 * divide, a state is any text that addresses there use.
 */
export function regionProblem(countryCode: string, stateCode: string | null): string | undefined {
  if (!countryByCode(countryCode)) return 'The field countryCode must be an ISO 3166-1 alpha-2 code.'
  if (stateCode === null) return undefined
  if (!hasSubdivisions(countryCode)) {
    return stateCode.trim() === '' || stateCode.length > 50
      ? 'The field stateCode must have 1 to 50 characters.'
      : undefined
  }
  return subdivision(countryCode, stateCode) ? undefined : `The field stateCode must be ${stateCodeRule(countryCode)}.`
}
