import type { AnswerOf } from '../api/api.ts'
import { inWords, isStatus } from '../kit/status.tsx'

export type HitGroup = AnswerOf<'search'>['groups'][number]
export type Hit = HitGroup['hits'][number]

const names: Readonly<Record<string, string>> = {
  creditAccount: 'Credit accounts',
  fulfilmentCenter: 'Plants',
  shippingService: 'Shipping services',
  stockCount: 'Stock counts',
  webhookEndpoint: 'Webhook endpoints',
  webhookDelivery: 'Webhook deliveries',
  person: 'People of partners',
}

/** What a group of hits is called. */
export function nameOf(kind: string): string {
  return names[kind] ?? `${kind.charAt(0).toUpperCase()}${kind.slice(1)}s`
}

const tiers: ReadonlySet<string> = new Set(['TRIAL', 'STANDARD', 'ENTERPRISE'])

/** What tells a hit from others of its kind. The service names statuses by its own words. */
export function aboutOf({ subtitle }: Hit): string | null {
  return (
    subtitle &&
    subtitle
      .split(' · ')
      .map((part) => (isStatus(part) || tiers.has(part) ? inWords(part) : part))
      .join(' · ')
  )
}

const pages: Readonly<Record<string, (id: string) => string>> = {
  order: (id) => `/orders/${id}`,
  submission: (id) => `/support/submissions/${id}`,
  request: (id) => `/support/requests/${id}`,
  mail: (id) => `/support/mails/${id}`,
  webhookDelivery: (id) => `/support/deliveries/${id}`,
  user: (id) => `/customers/${id}`,
  division: (id) => `/customers/divisions/${id}`,
  creditAccount: (id) => `/customers/credit/${id}`,
  partner: (id) => `/partners/${id}`,
  product: (id) => `/catalog/${id}`,
  site: (id) => `/sites/${id}`,
  fulfilmentCenter: (id) => `/fulfilment-centers/${id}`,
  stockCount: (id) => `/stock/counts/${id}`,
  webhookEndpoint: () => '/partners?tab=endpoints',
  person: () => '/partners',
  segment: (id) => `/customers/segments/${id}`,
}

/** The part of the page of an order on which a record of it stands. */
const partsOfOrder: Readonly<Record<string, string>> = {
  shipment: '?tab=shipments',
  return: '?tab=returns',
  refund: '?tab=money',
  invoice: '?tab=money',
}

/** The part of a page that a text is about which is not the record's own number. */
const partsOfFields: Readonly<Record<string, string>> = {
  trackingNumber: '?tab=shipments',
  eventId: '?tab=history',
  clientId: '?tab=credentials',
  certificateId: '?tab=credentials',
  serialNumber: '?tab=credentials',
  sha256: '?tab=credentials',
}

/** The console's page of a hit. What has no page of its own is shown on that of its order or site. */
export function pageOf(kind: string, { id, title, subtitle, field, path }: Hit): string {
  const line = /^Line (\d+) of order (\d+)$/.exec(title)
  if (kind === 'line' && line) return `/orders/${line[2]}/lines/${line[1]}`
  const inspected = /\/orders\/(\d+)\/lines\/(\d+)/.exec(path)
  if (inspected) return `/orders/${inspected[1]}/lines/${inspected[2]}`
  const order = /\/orders\/(\d+)/.exec(path) ?? /\border (\d+)/.exec(subtitle ?? '')
  const site = /\/sites\/(\d+)/.exec(path)
  const page = pages[kind]
  const part = kind === 'order' || kind === 'partner' ? (partsOfFields[field] ?? '') : ''
  if (page) return page(id) + part
  if (order) return `/orders/${order[1]}${partsOfOrder[kind] ?? ''}`
  return site ? `/sites/${site[1]}` : '/today'
}
