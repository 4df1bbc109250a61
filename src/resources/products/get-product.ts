import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { ImageLinks } from '../../platform/catalog/image-links.ts'
import type { products } from './contract.ts'
import { linkedProduct } from './linked-product.ts'
import { readProduct } from './read-product.ts'

export function getProduct(database: Database, links: ImageLinks): Handler<typeof products.getProduct> {
  return async ({ siteIds, path, refuse }) => {
    const product = await readProduct(database.reads, siteIds, path.productId)
    if (!product) throw refuse('product_not_found')
    return { status: 200, ...(await linkedProduct(links, product)) }
  }
}
