import { priceRows, replacePrices } from '../../platform/catalog/price-tables.ts'
import { productDiscounts, replaceDiscounts } from '../../platform/catalog/product-discounts.ts'
import { readProductRecord } from '../../platform/catalog/product-record.ts'
import type { StaffHandlers } from '../operation.ts'
import type { prices } from './contract.ts'

export const priceHandlers: StaffHandlers<typeof prices> = {
  readPrices: async ({ environment, path, refuse }) => {
    const { reads } = environment.database
    if (!(await readProductRecord(reads, path.productId))) throw refuse('product_not_found')
    return { status: 200, body: { priceBreaks: await priceRows(reads, path.productId) } }
  },
  replacePrices: async ({ environment, path, body, change, refuse }) => {
    const table = body.priceBreaks.map((row) => ({ ...row, variantId: row.variantId ?? null }))
    const replaced = await environment.database.change((tx) => replacePrices(tx, change, path.productId, table))
    if ('refused' in replaced) {
      throw refuse(
        replaced.refused,
        'row' in replaced ? `In priceBreaks[${replaced.row}].${replaced.field}: ${replaced.detail}` : undefined,
      )
    }
    return { status: 200, body: { priceBreaks: await priceRows(environment.database.reads, path.productId) } }
  },
  replaceDiscounts: async ({ environment, path, body, change, refuse }) => {
    const discounts = body.discounts.map((each) => ({ name: null, startsOn: null, stopsOn: null, ...each }))
    const replaced = await environment.database.change((tx) => replaceDiscounts(tx, change, path.productId, discounts))
    if ('refused' in replaced) throw refuse(replaced.refused, 'detail' in replaced ? replaced.detail : undefined)
    return { status: 200, body: { discounts: await productDiscounts(environment.database.reads, path.productId) } }
  },
}
