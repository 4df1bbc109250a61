import { methodOf, pathOf, pathParameterNames, type Operation } from '../../src/contract/operation.ts'
import type { Manifest } from '../../src/demo/manifest.ts'
import { developer } from '../../src/developer/contract.ts'
import { api, type OperationId } from '../../src/resources/api.ts'

/** What every host of the partner API serves, for integrations and for their developers. */
export const offered = { ...api, ...developer }
export type EntryId = keyof typeof offered
export const entryIds = Object.keys(offered) as EntryId[]

/** Every part of a call that a test may change. */
export type SampleCall = { method: string; path: Record<string, string>; query: string; body?: Record<string, unknown> }

/** The ids for a call's path: the caller's own, another partner's on a foreign site, or ids of nothing. */
export type PathIds = Record<string, string>

export function ownIds({ sites, fixtures }: Manifest): PathIds {
  const { orders, products, users, divisions, creditAccounts, submissions } = fixtures
  return {
    siteId: String(sites.main),
    orderNumber: String(orders.pendingReview.orderNumber),
    itemNumber: String(orders.pendingReview.itemNumber),
    productId: products.withImages,
    imageId: String(products.imageIds[0]),
    variantId: String(products.stockVariantId),
    submissionId: submissions.completed,
    userId: String(users.plain),
    divisionId: String(divisions.root),
    creditAccountId: String(creditAccounts.ofUser),
    // Checks and calls are forgotten after some days, so the demo data has none.
    checkId: missingIds.checkId!,
    requestId: missingIds.requestId!,
    deliveryId: missingIds.deliveryId!,
  }
}

export function foreignIds({ sites, fixtures: { foreign } }: Manifest): PathIds {
  return {
    siteId: String(sites.foreign),
    orderNumber: String(foreign.orderNumber),
    itemNumber: String(foreign.itemNumber),
    productId: foreign.productId,
    imageId: String(foreign.imageId),
    variantId: String(foreign.variantId),
    submissionId: foreign.submissionId,
    userId: String(foreign.userId),
    divisionId: String(foreign.divisionId),
    creditAccountId: String(foreign.creditAccountId),
    checkId: '00000000-0000-4000-8000-000000000001',
    requestId: '00000000-0000-7000-8000-000000000001',
    deliveryId: '987654321012344',
  }
}

export const missingIds: PathIds = {
  siteId: '987654321',
  orderNumber: '987654321012345',
  itemNumber: '987654321012345',
  productId: 'SLO_987654321012345',
  imageId: '987654321',
  variantId: '987654321',
  submissionId: '00000000-0000-4000-8000-000000000000',
  userId: '987654321',
  divisionId: '987654321',
  creditAccountId: '987654321',
  checkId: '00000000-0000-4000-8000-000000000000',
  requestId: '00000000-0000-7000-8000-000000000000',
  deliveryId: '987654321012345',
}

/** A call with the contract's example as its body. Sending that body unchanged may change data. */
export function sampleCall(id: EntryId, ids: PathIds): SampleCall {
  const entry: Operation = offered[id]
  return {
    method: methodOf(entry),
    path: Object.fromEntries(pathParameterNames(entry).map((name) => [name, ids[name]!])),
    query: '',
    ...(entry.body ? { body: { ...entry.body.example } } : {}),
  }
}

/** The request target of a call: its path with the ids filled in, and its query. */
export function urlOf(id: EntryId, call: SampleCall): string {
  const path = pathOf(offered[id]).replaceAll(/\{(\w+)\}/g, (_, name: string) => call.path[name]!)
  return call.query === '' ? path : `${path}?${call.query}`
}

export const operationIds = Object.keys(api) as OperationId[]
