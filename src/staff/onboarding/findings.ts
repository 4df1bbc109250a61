/**
 * What readiness finds. Each finding has a code, how grave it is, and the staff operation that mends it.
 * MISSING: orders are refused, or nobody can send one. WARNING: orders come in, but hardly as meant. HINT: worth a look.
 */
const kinds = {
  // of a partner
  partner_disabled: ['MISSING', 'enablePartner'],
  partner_merged: ['MISSING', 'readPartner'],
  no_sites: ['MISSING', 'setGrantedSites'],
  no_order_capability: ['MISSING', 'setCapabilities'],
  no_app_client: ['MISSING', 'issueAppClient'],
  no_certificate: ['MISSING', 'registerCertificate'],
  certificates_expired: ['MISSING', 'registerCertificate'],
  no_site_ready: ['MISSING', 'readSiteReadiness'],
  site_not_ready: ['WARNING', 'readSiteReadiness'],
  certificate_expires_soon: ['WARNING', 'registerCertificate'],
  trial_tier: ['HINT', 'setTier'],
  client_never_used: ['HINT', 'listAppClients'],
  no_webhook_endpoint: ['HINT', 'registerEndpoint'],
  // of a site
  no_ordering_user: ['MISSING', 'setOrderingUser'],
  ordering_user_inactive: ['MISSING', 'setOrderingUser'],
  no_product: ['MISSING', 'createProduct'],
  no_product_ready: ['MISSING', 'readProductReadiness'],
  no_service: ['MISSING', 'createShippingService'],
  carriers_not_set_up: ['MISSING', 'changeShippingService'],
  tax_service_not_set_up: ['MISSING', 'changeSite'],
  service_without_carrier: ['WARNING', 'changeShippingService'],
  site_closed: ['WARNING', 'changeSite'],
  no_default_service: ['WARNING', 'changeShippingService'],
  no_taxes: ['WARNING', 'replaceTaxes'],
  product_not_ready: ['WARNING', 'readProductReadiness'],
  // of a product
  product_inactive: ['MISSING', 'changeProduct'],
  product_hidden: ['MISSING', 'changeProduct'],
  segments_hide: ['MISSING', 'setProductSegments'],
  no_variant: ['MISSING', 'createVariant'],
  no_price: ['MISSING', 'replacePrices'],
  quantities_exclude_prices: ['MISSING', 'changeProduct'],
  out_of_stock: ['MISSING', 'adjustStock'],
  no_fulfilment_center: ['MISSING', 'changeProduct'],
  center_not_priceable: ['MISSING', 'changeFulfilmentCenter'],
  no_zone: ['MISSING', 'replaceShippingZones'],
  no_rate: ['MISSING', 'replaceShippingRates'],
  order_refused: ['MISSING', 'readProduct'],
  part_not_delivered: ['WARNING', 'replaceShippingZones'],
  no_template: ['WARNING', 'changeProduct'],
  no_weight: ['WARNING', 'changeProduct'],
  no_artwork_rules: ['HINT', 'changeProduct'],
} as const satisfies Record<string, readonly ['MISSING' | 'WARNING' | 'HINT', string]>

export type FindingCode = keyof typeof kinds

export const findingCodes = Object.keys(kinds) as FindingCode[]
export const gravities = ['MISSING', 'WARNING', 'HINT'] as const

export type Finding = {
  code: FindingCode
  gravity: (typeof gravities)[number]
  says: string
  /** the id of the staff operation that mends it, or that shows more */
  operation: string
}

/** @param says a sentence for people */
export function finding(code: FindingCode, says: string): Finding {
  const [gravity, operation] = kinds[code]
  return { code, gravity, says, operation }
}

export function isReady(findings: readonly Finding[]): boolean {
  return findings.every(({ gravity }) => gravity !== 'MISSING')
}
