import type { Tier } from '../contract/caller.ts'
import { sqlText } from '../database/sql.ts'
import type { MachineMethod } from '../partners/partners.ts'
import { isScope, type Scope } from '../vocabulary/scopes.ts'

/** The partner of a credential, as it is at this request. */
export type PartnerRecord = {
  partnerId: string
  partnerName: string
  tier: Tier
  machineMethod: MachineMethod
  disabled: boolean
  capabilities: readonly Scope[]
  /** ascending */
  siteIds: readonly number[]
}

/** Columns of a `PartnerRecord`, of the table `partner`; its sites by the primary key of partner_site. */
export const partnerColumns = sqlText`
  partner.partner_id, partner.name as partner_name, partner.tier, partner.machine_method,
  partner.disabled_on is not null as disabled, partner.capabilities,
  array(
    select partner_site.site_id from partner_site
    where partner_site.partner_id = partner.partner_id
    order by partner_site.site_id
  ) as site_ids`

/** The record alone, out of a row that holds more. A scope this version does not know is left out. */
export function partnerRecord(row: PartnerRecord): PartnerRecord {
  const { partnerId, partnerName, tier, machineMethod, disabled, capabilities, siteIds } = row
  return { partnerId, partnerName, tier, machineMethod, disabled, capabilities: capabilities.filter(isScope), siteIds }
}
