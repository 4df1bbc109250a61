import type { Environment } from '../../vocabulary/environment.ts'
import { permissionsOf } from '../../vocabulary/staff-roles.ts'
import type { StaffHandlers } from '../operation.ts'
import { hitKinds, matches, type HitKind, type search } from './contract.ts'
import { findRecords, type Found } from './find.ts'

export const searchHandlers: StaffHandlers<typeof search> = {
  search: async ({ environment, path, query, session, refuse }) => {
    const { q, kind, limit } = query
    if (q === undefined) throw refuse('invalid_request', 'The query parameter q is required: what to search for.')
    const found = await findRecords(environment.database.longReads, q, {
      environment: path.environment,
      kind,
      limit: limit + 1,
      permissions: permissionsOf(session.roles),
    })
    const byKind = Map.groupBy(found, (each) => each.kind)
    const groups = hitKinds
      .flatMap((each) => {
        const hits = byKind.get(each)
        return hits ? [{ kind: each, hits }] : []
      })
      .toSorted((a, b) => a.hits[0]!.rank - b.hits[0]!.rank)
    return {
      status: 200,
      body: {
        groups: groups.map((group) => ({
          kind: group.kind,
          hits: group.hits.slice(0, limit).map((hit) => ({
            id: hit.id,
            title: hit.title,
            subtitle: hit.subtitle === '' ? null : hit.subtitle,
            match: matches[hit.rank]!,
            field: hit.field,
            path: pathOf(path.environment, hit),
          })),
          more: group.hits.length > limit,
        })),
      },
    }
  },
}

/** Where a hit is read. What has no page of its own is read with the record it belongs to. */
function pathOf(environment: Environment, { kind, id, within }: Found): string {
  return `/staff/v1/${environment.toLowerCase()}/${places[kind](id, within ?? '')}`
}

const places: Readonly<Record<HitKind, (id: string, within: string) => string>> = {
  order: (id) => `orders/${id}`,
  line: (_id, orderNumber) => `orders/${orderNumber}`,
  shipment: (_id, orderNumber) => `orders/${orderNumber}`,
  return: (id) => `returns/${id}`,
  invoice: (id, siteId) => `sites/${siteId}/invoices/${id}/document`,
  refund: (_id, orderNumber) => `orders/${orderNumber}/money`,
  submission: (id) => `submissions/${id}`,
  request: (id) => `requests/${id}`,
  mail: (id) => `mails/${id}`,
  user: (id) => `users/${id}`,
  partner: (id) => `partners/${id}`,
  person: (id) => `people/${id}`,
  product: (id) => `products/${id}`,
  site: (id) => `sites/${id}`,
  division: (id) => `divisions/${id}`,
  creditAccount: (id) => `credit-accounts/${id}`,
  segment: (id) => `segments/${id}`,
  fulfilmentCenter: () => 'fulfilment-centers',
  shippingService: (_id, siteId) => `sites/${siteId}/shipping-services`,
  stockCount: (id) => `stock-counts/${id}`,
  webhookEndpoint: (id) => `webhook-endpoints/${id}`,
  webhookDelivery: (id) => `webhook-deliveries/${id}`,
  inspection: (_id, line) => `orders/${line}/artwork`,
}
