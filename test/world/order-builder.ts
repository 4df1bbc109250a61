import { randomUUID } from 'node:crypto'
import type { Manifest } from '../../src/demo/manifest.ts'

/** Order bodies for tests. They are valid, so a test changes only what it checks. */

export type Json = Record<string, unknown>

export const shipTo = {
  name: 'Dana Reyes',
  address1: '500 Howard St',
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94105',
  country: 'US',
}

export function newKey(): string {
  return `test-${randomUUID()}`
}

export function orderBuilder({ sites, fixtures }: Pick<Manifest, 'sites' | 'fixtures'>) {
  const { pod, stock, stockVariantId } = fixtures.products
  const podLine = (changes: Json = {}): Json => ({ productId: pod, partnerLineId: 'cards', quantity: 250, ...changes })
  const stockLine = (changes: Json = {}): Json => ({
    productId: stock,
    variantId: stockVariantId,
    partnerLineId: 'shirts',
    quantity: 3,
    ...changes,
  })
  return {
    podLine,
    stockLine,
    /** one print-on-demand line to one address, with a new `partnerOrderId` */
    order: (changes: Json = {}): Json => ({
      siteId: sites.main,
      partnerOrderId: newKey(),
      shipTo,
      lines: [podLine()],
      ...changes,
    }),
  }
}

export type OrderBuilder = ReturnType<typeof orderBuilder>
