import { methodOf, pathOf, pathParameterNames, type Operation } from '../../src/contract/operation.ts'
import type { Manifest } from '../../src/demo/manifest.ts'
import { api, type OperationId } from '../../src/resources/api.ts'

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
    // Checks are forgotten after a day, so the demo data has none.
    checkId: missingIds.checkId!,
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
}

/** A call with the contract's example as its body. Sending that body unchanged may change data. */
export function sampleCall(id: OperationId, ids: PathIds): SampleCall {
  const entry: Operation = api[id]
  return {
    method: methodOf(entry),
    path: Object.fromEntries(pathParameterNames(entry).map((name) => [name, ids[name]!])),
    query: '',
    ...(entry.body ? { body: { ...entry.body.example } } : {}),
  }
}

/** The request target of a call: its path with the ids filled in, and its query. */
export function urlOf(id: OperationId, call: SampleCall): string {
  const path = pathOf(api[id]).replaceAll(/\{(\w+)\}/g, (_, name: string) => call.path[name]!)
  return call.query === '' ? path : `${path}?${call.query}`
}

export const operationIds = Object.keys(api) as OperationId[]
