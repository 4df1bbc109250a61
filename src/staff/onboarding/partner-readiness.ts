import { sql } from '../../database/sql.ts'
import { listCertificates } from '../../partners/certificates.ts'
import { listAppClients, readPartner } from '../../partners/partner-records.ts'
import type { StaffEnvironment } from '../environment.ts'
import { finding, isReady, type Finding, type FindingCode } from './findings.ts'
import { siteReadiness, type Readiness } from './site-readiness.ts'

/** Whether a partner can call and order, and what is missing if not; and the same of each of its sites. */
export type PartnerReadiness = Readiness & { sites: (Readiness & { siteId: number; name: string })[] }

const sitesChecked = 20
const productsCheckedPerSite = 20
const soonMilliseconds = 30 * 86_400_000

/** @returns undefined = no such partner */
export async function partnerReadiness(
  environment: StaffEnvironment,
  partnerId: string,
  now: Date,
): Promise<PartnerReadiness | undefined> {
  const queries = environment.database.longReads
  const partner = await readPartner(queries, partnerId)
  if (!partner) return undefined
  const [credentials, endpoint, named] = await Promise.all([
    partner.machineMethod === 'BEARER' ? clientFindings() : certificateFindings(),
    // webhook_endpoint_by_partner
    queries.row(sql`
      select endpoint_id from webhook_endpoint where partner_id = ${partnerId} and disabled_on is null limit 1`),
    queries.rows<{ siteId: number; name: string }>(sql`
      select site_id, name from site where site_id = any(${partner.siteIds.slice(0, sitesChecked)}::int[]) order by site_id`),
  ])
  const findings: Finding[] = [...credentials]
  const tell = (code: FindingCode, says: string): void => void findings.push(finding(code, says))
  if (partner.mergedInto !== null) {
    tell('partner_merged', `The partner was merged into ${partner.mergedInto}, and stays disabled: look at that one.`)
  } else if (partner.disabledOn !== null) {
    tell('partner_disabled', 'The partner is disabled: its credentials get 401.')
  }
  if (partner.siteIds.length === 0) tell('no_sites', 'The partner is granted no site: its credentials get 401.')
  if (!partner.capabilities.includes('orders:write')) {
    const nothing = 'The partner has no capabilities: its credentials get 401.'
    const less = 'The partner may not send orders: it lacks the capability orders:write.'
    tell('no_order_capability', partner.capabilities.length === 0 ? nothing : less)
  }
  if (!endpoint) tell('no_webhook_endpoint', 'The partner has no enabled webhook endpoint: it must ask for changes.')
  if (partner.tier === 'TRIAL') tell('trial_tier', 'The partner is on the trial tier, with its low limits.')

  const sites: PartnerReadiness['sites'] = []
  for (const { siteId, name } of named) {
    const found = (await siteReadiness(environment, siteId, now, productsCheckedPerSite))!
    sites.push({ siteId, name, ready: found.ready, findings: found.findings })
    if (found.ready) continue
    // Which products lack what tells more than that none is ready.
    const missing = found.findings.filter(({ gravity, code }) => gravity === 'MISSING' || code === 'product_not_ready')
    const says = missing.map((each) => each.says).join(' ')
    tell('site_not_ready', `Nothing can be ordered on ${name} (site ${siteId}). ${says}`)
  }
  if (sites.length > 0 && sites.every(({ ready }) => !ready)) {
    tell('no_site_ready', 'On none of its sites anything can be ordered.')
  }
  return { ready: isReady(findings), findings, sites }

  async function clientFindings(): Promise<Finding[]> {
    const clients = await listAppClients(queries, partnerId)
    if (clients.length === 0) return [finding('no_app_client', 'The partner has no app client.')]
    if (clients.some(({ lastUsedOn }) => lastUsedOn !== null)) return []
    return [finding('client_never_used', 'No app client of the partner has taken a token yet.')]
  }

  async function certificateFindings(): Promise<Finding[]> {
    const [latest] = await listCertificates(queries, partnerId)
    if (!latest) return [finding('no_certificate', 'The partner has no registered certificate.')]
    const ends = Date.parse(latest.expiresOn)
    const day = latest.expiresOn.slice(0, 10)
    if (ends <= now.getTime()) return [finding('certificates_expired', `Its last certificate expired on ${day}.`)]
    if (ends > now.getTime() + soonMilliseconds) return []
    return [finding('certificate_expires_soon', `Its last certificate expires on ${day}.`)]
  }
}
