import type { Tier } from '../contract/caller.ts'
import type { Queries } from '../database/database.ts'
import { nothing, sql, type SqlPart, sqlText } from '../database/sql.ts'
import { isScope, type Scope } from '../vocabulary/scopes.ts'
import type { MachineMethod } from './partners.ts'

/** Partners and their app clients as staff read them. */
export type PartnerRecord = {
  partnerId: string
  name: string
  machineMethod: MachineMethod
  tier: Tier
  /** granted sites, ascending */
  siteIds: number[]
  capabilities: Scope[]
  /** whether its people need a second factor to sign in */
  secondFactorRequired: boolean
  disabledOn: string | null
  /** the partner that took everything over */
  mergedInto: string | null
  createdOn: string
  updatedOn: string
}

/** Where a page begins: the name and id of the partner before. */
export type PartnerKey = { name: string; partnerId: string }

/** At most `limit` partners by name, as its bytes sort; with `q`, those whose name begins with it, in any letter case. */
export async function listPartners(
  reads: Queries,
  { q, after, limit }: { q?: string | undefined; after: PartnerKey | undefined; limit: number },
): Promise<PartnerRecord[]> {
  const { name, partnerId } = after ?? { name: '', partnerId: '00000000-0000-0000-0000-000000000000' }
  const rows = await reads.rows<PartnerRecord>(sql`
    select ${partnerColumns} from partner
    where (name collate "C", partner_id) > (${name}, ${partnerId}::uuid) ${q === undefined ? nothing : begins(q)}
    order by name collate "C", partner_id limit ${limit}`)
  return rows.map(partnerOf)
}

export async function readPartner(reads: Queries, partnerId: string): Promise<PartnerRecord | undefined> {
  const row = await reads.row<PartnerRecord>(sql`select ${partnerColumns} from partner where partner_id = ${partnerId}`)
  return row && partnerOf(row)
}

export type AppClientRecord = {
  clientId: string
  label: string | null
  madeByPartner: boolean
  createdOn: string
  lastUsedOn: string | null
}

/** The live app clients of a partner, oldest first. */
export function listAppClients(reads: Queries, partnerId: string): Promise<AppClientRecord[]> {
  // index app_client_by_partner
  return reads.rows(sql`
    select client_id, label, made_by_partner, created_on, last_used_on from app_client
    where partner_id = ${partnerId} order by created_on, client_id`)
}

/** Served by partner_by_name. */
function begins(q: string): SqlPart {
  return sqlText`and lower(name) collate "C" >= lower(${q.trim()}) and lower(name) collate "C" < lower(${q.trim()}) || ${'\u{10ffff}'}`
}

const partnerColumns = sqlText`partner_id, name, machine_method, tier,
  array(select site_id from partner_site where partner_site.partner_id = partner.partner_id order by site_id) as site_ids,
  capabilities, second_factor_required, disabled_on, merged_into, created_on, updated_on`

/** Scopes that this version does not know are left out. */
function partnerOf(row: PartnerRecord): PartnerRecord {
  return { ...row, capabilities: row.capabilities.filter(isScope) }
}
