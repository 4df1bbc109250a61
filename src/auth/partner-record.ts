import type { Tier } from '../contract/caller.ts'
import { sqlText } from '../database/sql.ts'
import type { MachineMethod } from '../partners/partners.ts'
import { isScope } from '../vocabulary/scopes.ts'
import type { PartnerRecord } from './partner-standing.ts'

/** What a look-up of any credential reads of the partner behind it. */
export type PartnerRow = {
  partnerId: string
  name: string
  tier: Tier
  machineMethod: MachineMethod
  disabled: boolean
  capabilities: string[]
  siteIds: number[]
}

/** Columns of a `PartnerRow`, of the table `partner`; its sites by the primary key of partner_site. */
export const partnerColumns = sqlText`
  partner.partner_id, partner.name, partner.tier, partner.machine_method,
  partner.disabled_on is not null as disabled, partner.capabilities,
  array(
    select partner_site.site_id from partner_site
    where partner_site.partner_id = partner.partner_id
    order by partner_site.site_id
  ) as site_ids`

export function partnerRecord(row: PartnerRow): PartnerRecord {
  return {
    partnerId: row.partnerId,
    partnerName: row.name,
    tier: row.tier,
    machineMethod: row.machineMethod,
    disabled: row.disabled,
    capabilities: row.capabilities.filter(isScope),
    siteIds: row.siteIds,
  }
}
