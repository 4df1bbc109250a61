import type { Cast } from '../cast/cast.ts'
import { catalogTables } from '../catalog-rows.ts'
import { crowdCatalog } from './catalog.ts'
import { crowdCredit } from './credit.ts'
import { crowdCustomers } from './customers.ts'
import { crowdOrders } from './orders.ts'
import type { Tables } from '../insert.ts'

/**
 * Thousands of records besides the cast, so that lists have pages and measurements are realistic. Nothing relies on a
 * name among them; they obey the same rules as the cast. Pure: the same cast and `now` make the same rows.
 */
export function demoCrowd(now: Date, cast: Cast): Tables {
  const customers = crowdCustomers(now)
  const products = crowdCatalog(now, customers.segmentIds)
  const credit = crowdCredit(now, customers)
  const orders = crowdOrders(now, { products, customers, credit, castUsers: cast.users, partners: cast.partners })
  return [...customers.tables, ...catalogTables(products), ...orders]
}
