import { countryCodeOf, stateCodeOf } from '../../vocabulary/regions.ts'
import { isBlank } from '../../vocabulary/text.ts'
import type { OrderAddress, OrderRequest } from './order-request.ts'

/**
 * The order with its texts as they are kept. Addresses: without space at the ends, country and state in upper case, and
 * blank optional parts left out, so that `address2: ""` equals none. Blank notes, job names and SKUs are left out too.
 * What was submitted stays as it was.
 */
export function withTidyTexts(request: OrderRequest): OrderRequest {
  const { shipTo, billTo, shippingNotes, lines, ...rest } = request
  const email = shipTo?.email?.trim()
  return {
    ...rest,
    ...unlessBlank('shippingNotes', shippingNotes),
    ...(shipTo ? { shipTo: { ...tidied(shipTo), ...(email ? { email } : {}) } } : {}),
    ...(billTo ? { billTo: tidied(billTo) } : {}),
    lines: lines.map(({ sku, jobName, ...line }) => ({
      ...line,
      ...unlessBlank('sku', sku),
      ...unlessBlank('jobName', jobName),
      ...(line.shipTo ? { shipTo: tidied(line.shipTo) } : {}),
    })),
  }
}

export function tidied(address: OrderAddress): OrderAddress {
  const country = countryCodeOf(address.country)
  return {
    name: address.name.trim(),
    ...filled('company', address.company),
    address1: address.address1.trim(),
    ...filled('address2', address.address2),
    city: address.city.trim(),
    state: stateCodeOf(country, address.state),
    postalCode: address.postalCode.trim(),
    country,
    ...filled('phone', address.phone),
  }
}

function unlessBlank<Key extends string>(key: Key, text: string | undefined): { [Each in Key]?: string } {
  return (text === undefined || isBlank(text) ? {} : { [key]: text }) as { [Each in Key]?: string }
}

function filled<Key extends string>(key: Key, text: string | undefined): { [Each in Key]?: string } {
  const trimmed = text?.trim()
  return (trimmed ? { [key]: trimmed } : {}) as { [Each in Key]?: string }
}

/** Equal for two tidy addresses that differ at most in letter case: they are one destination. */
export function destinationKey(address: OrderAddress): string {
  const { name, company, address1, address2, city, state, postalCode, country, phone } = address
  return JSON.stringify(
    // Not the fold of usernames: `Suite 1²` is not `Suite 12`.
    [name, company, address1, address2, city, state, postalCode, country, phone].map((text) =>
      (text ?? '').normalize('NFC').toLowerCase(),
    ),
  )
}
