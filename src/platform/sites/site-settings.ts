import { countryByCode } from '../../vocabulary/regions.ts'
import { nameFault } from '../../vocabulary/text.ts'

/** What staff decide about a site. */
export type SiteSettings = {
  name: string
  /** of its storefront, without path */
  url: string
  /** ISO 4217 */
  currency: string
  /** ISO 3166-1 alpha-2 */
  countryCode: string
  /** IANA name */
  timeZone: string
  /** as its orders and divisions show it */
  supplierCode: string
  active: boolean
  storesDivisionAddresses: boolean
  taxBy: TaxBy
}

/** Whose percents orders are taxed by: the site's own tables, or a tax service. */
export type TaxBy = (typeof taxSources)[number]

export const taxSources = ['TABLES', 'SERVICE'] as const

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** The fault of the settings, as a sentence. */
export function siteSettingsProblem(site: SiteSettings): string | undefined {
  const unnamed = nameFault('name', site.name, 200)
  if (unnamed) return unnamed
  if (!isStorefrontUrl(site.url)) return 'The field url must be http or https with a host, without path, query or user.'
  if (!currencies.has(site.currency)) return 'The field currency must be an upper-case ISO 4217 code.'
  if (!countryByCode(site.countryCode)) return 'The field countryCode must be an ISO 3166-1 alpha-2 code.'
  if (!isTimeZone(site.timeZone)) return 'The field timeZone must be an IANA name such as America/New_York.'
  if (!/^[!-~]{1,50}$/.test(site.supplierCode))
    return 'The field supplierCode must have 1 to 50 visible ASCII characters.'
  return undefined
}

function isStorefrontUrl(text: string): boolean {
  if (text.length > 500 || !URL.canParse(text)) return false
  const { protocol, origin } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && text === origin
}

export function isTimeZone(name: string): boolean {
  // Intl also accepts offsets, which are not time zones.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
