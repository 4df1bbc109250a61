import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { products } from './contract.ts'
import { productsAsked } from './list-products.ts'

export function listSiteProducts(
  database: Database,
  searchAvailable: boolean,
): Handler<typeof products.listSiteProducts> {
  return async (call) => ({ status: 200, body: await productsAsked(database, searchAvailable, call) })
}
