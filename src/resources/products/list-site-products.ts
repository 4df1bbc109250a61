import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { products } from './contract.ts'
import { productPage } from './list-products.ts'

export function listSiteProducts(database: Database): Handler<typeof products.listSiteProducts> {
  return async (call) => ({ status: 200, body: await productPage(database, call) })
}
