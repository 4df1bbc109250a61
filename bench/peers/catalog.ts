import { crowdCatalog } from '../../src/demo/crowd/catalog.ts'

/** The products of our demo data, as a shop of any make can hold them. */
export type CatalogProduct = {
  name: string
  handle: string
  description: string
  attributes: readonly string[]
  variants: readonly { sku: string; choices: readonly string[] }[]
  /** US dollars for one piece from a quantity on, ascending */
  prices: readonly (readonly [fromQuantity: number, unitPrice: number])[]
}

/** Shares stand in it as products of their own, with the prices of their masters. */
export function demoCatalog(): CatalogProduct[] {
  const segments = new Map(Array.from({ length: 1_000 }, (_, siteId) => [siteId, [1, 2, 3]]))
  return crowdCatalog(new Date(), segments).map((product) => {
    const { prices, attributeNames = [], variants = [] } = product.master ?? product
    return {
      name: product.name,
      handle: `${product.code}-${product.number}`.toLowerCase(),
      description: product.description ?? '',
      attributes: attributeNames,
      variants:
        attributeNames.length === 0
          ? []
          : variants.map(({ id, choices }) => ({ sku: `${product.number}-${id}`, choices })),
      prices: prices.map(([from, price]) => [from, Number(price)] as const),
    }
  })
}
