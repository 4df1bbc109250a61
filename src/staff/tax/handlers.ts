import { replaceTaxes, taxTable } from '../../platform/pricing/tax-tables.ts'
import { readSite } from '../../platform/sites/sites.ts'
import type { StaffHandlers } from '../operation.ts'
import type { tax } from './contract.ts'

export const taxHandlers: StaffHandlers<typeof tax> = {
  readTaxes: async ({ world, path, refuse }) => {
    if (!(await readSite(world.database.reads, path.siteId))) throw refuse('site_not_found')
    return { status: 200, body: { taxes: await taxTable(world.database.reads, path.siteId) } }
  },
  replaceTaxes: async ({ world, path, body, change, refuse }) => {
    const table = body.taxes.map((row) => ({ shippingTaxed: false, handlingTaxed: false, ...row }))
    const replaced = await replaceTaxes(world.database, path.siteId, table, change)
    if ('refused' in replaced) {
      throw refuse(replaced.refused, 'row' in replaced ? `taxes[${replaced.row}]: ${replaced.detail}` : undefined)
    }
    return { status: 200, body: { taxes: await taxTable(world.database.reads, path.siteId) } }
  },
}
