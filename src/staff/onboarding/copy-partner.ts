import type { Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { readPartner, type PartnerRecord } from '../../partners/partner-records.ts'
import { createPartner, setCapabilities, setGrantedSites, setTier } from '../../partners/partners.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { partsOf, type CopyReport } from './copy-report.ts'

/** Takes a partner from one environment to the other. The two share no transaction: the original is read before. */

export type OriginalPartner = { partner: PartnerRecord; siteNames: string[] }

export async function readOriginalPartner(reads: Queries, partnerId: string): Promise<OriginalPartner | undefined> {
  const partner = await readPartner(reads, partnerId)
  if (!partner) return undefined
  const sites = await reads.rows<{ name: string }>(sql`
    select name from site where site_id = any(${partner.siteIds}::int[]) order by site_id`)
  return { partner, siteNames: sites.map(({ name }) => name) }
}

type NotCopied = Refused<'name_taken_twice' | 'part_not_copied'> & { detail?: string }

/** Creates the partner, or gives one of its name the grants that it lacks. */
export async function copyPartner(
  tx: Transaction,
  change: Change,
  { partner, siteNames }: OriginalPartner,
): Promise<Done<CopyReport & { partnerId: string }> | NotCopied> {
  // One copy of a name at a time, so that two at once make one partner.
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('copy of partner ' || ${partner.name}, 0))`)
  const present = await tx.rows<{ partnerId: string }>(sql`
    select partner_id from partner where name = ${partner.name} limit 2`)
  if (present.length > 1) return { refused: 'name_taken_twice' }
  const report: CopyReport = { isNew: present.length === 0, copied: [], notCopied: [] }
  let partnerId = present[0]?.partnerId
  if (partnerId === undefined) {
    const made = await createPartner(tx, change, partner)
    if ('refused' in made) return { refused: 'part_not_copied', detail: 'The name of the partner is not usable here.' }
    partnerId = made.done.partnerId
    await setCapabilities(tx, change, partnerId, partner.capabilities)
    await setTier(tx, change, partnerId, partner.tier)
  }
  const sites = partsOf(report, 'granted sites')
  const granted = new Set((await readPartner(tx, partnerId))!.siteIds)
  for (const name of siteNames) {
    const named = await tx.rows<{ siteId: number }>(sql`select site_id from site where name = ${name} limit 2`)
    if (named.length !== 1) {
      const why = named.length === 0 ? 'there is no site of this name: copy it first' : 'several sites have this name'
      report.notCopied.push(`The grant of ${name}, since ${why}.`)
      continue
    }
    const { siteId } = named[0]!
    if (granted.has(siteId)) sites.there()
    else sites.added()
    granted.add(siteId)
  }
  const set = await setGrantedSites(tx, change, partnerId, [...granted])
  if ('refused' in set) throw new Error(`a copied partner refused its sites: ${set.refused}`)
  report.notCopied.push(
    partner.machineMethod === 'BEARER'
      ? 'App clients: issue one here.'
      : 'Certificates: register those that the partner sends for here.',
    'People who sign in, and webhook endpoints.',
  )
  return { done: { partnerId, ...report } }
}
