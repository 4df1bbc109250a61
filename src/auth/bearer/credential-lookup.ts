import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { writeLastUses } from '../../partners/client-uses.ts'
import { askedTogether } from '../asked-together.ts'
import { partnerColumns, partnerRecord, type PartnerRecord } from '../partner-record.ts'

/** The partner behind a token of an app client. Asked on every request, always of the primary database: nothing is remembered. */
export type CredentialLookup = {
  /**
   * undefined when the client is unknown or revoked, or the token is
   * @throws Outage when the primary database cannot answer
   */
  find: (token: { subject: string; tokenId: string }) => Promise<PartnerRecord | undefined>
  /** notes that the client was used; written later, so that the request does not wait */
  used: (clientId: string, now: Date) => void
  /** writes the noted uses and stops */
  close: () => Promise<void>
}

const lastUseEveryMilliseconds = 60_000

export function credentialLookup(database: Database, log: Logger): CredentialLookup {
  let lastUses = new Map<string, Date>()
  const timer = setInterval(() => void writeNoted(), lastUseEveryMilliseconds).unref()

  const find = askedTogether(async (asked): Promise<Map<string, PartnerRecord>> => {
    const pairs = asked.map((key) => [key, ...key.split(' ')] as [key: string, clientId: string, tokenId: string])
    const clientIds = [...new Set(pairs.map(([, clientId]) => clientId))]
    // primary keys of app_client, partner and revoked_token
    const rows = await database.reads.rows<PartnerRecord & { clientId: string; revoked: string[] }>(sql`
      select app_client.client_id, ${partnerColumns},
        array(select token_id from revoked_token where token_id = any(${pairs.map(([, , tokenId]) => tokenId)}))
          as revoked
      from app_client join partner using (partner_id)
      where app_client.client_id = any(${clientIds})`)
    const partners = new Map(rows.map((row) => [row.clientId, partnerRecord(row)]))
    const revoked = new Set(rows[0]?.revoked)
    return new Map(
      pairs.flatMap(([key, clientId, tokenId]) => {
        const partner = revoked.has(tokenId) ? undefined : partners.get(clientId)
        return partner ? [[key, partner]] : []
      }),
    )
  })

  async function writeNoted(): Promise<void> {
    if (lastUses.size === 0) return
    const uses = lastUses
    lastUses = new Map()
    try {
      await writeLastUses(database.statements, uses)
    } catch (error) {
      log.warn({ err: error }, 'could not write the last uses of app clients; trying again later')
      for (const [clientId, usedOn] of uses) if (!lastUses.has(clientId)) lastUses.set(clientId, usedOn)
    }
  }

  return {
    find: ({ subject, tokenId }) => find(`${subject} ${tokenId}`),
    used: (clientId, now) => {
      lastUses.set(clientId, now)
    },
    close: async () => {
      clearInterval(timer)
      await writeNoted()
    },
  }
}
