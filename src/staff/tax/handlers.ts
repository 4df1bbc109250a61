import { replaceTaxes, taxTable } from '../../platform/pricing/tax-tables.ts'
import { readSite } from '../../platform/sites/sites.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { tax } from './contract.ts'

export const taxHandlers: StaffHandlers<typeof tax> = {
  readTaxes: async ({ environment, path, refuse }) => {
    if (!(await readSite(environment.database.reads, path.siteId))) throw refuse('site_not_found')
    return { status: 200, body: { taxes: await taxTable(environment.database.longReads, path.siteId) } }
  },
  replaceTaxes: async (call) => {
    const { environment, path, body } = call
    const table = body.taxes.map((row) => ({ shippingTaxed: false, handlingTaxed: false, ...row }))
    await makeChange(
      call,
      (tx, change) => replaceTaxes(tx, change, path.siteId, table),
      (refused) => ('row' in refused ? `In taxes[${refused.row}]: ${refused.detail}` : undefined),
    )
    return { status: 200, body: { taxes: await taxTable(environment.database.longReads, path.siteId) } }
  },
}
