import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { writeLastUses } from '../../partners/client-uses.ts'
import { askedTogether } from '../asked-together.ts'
import { partnerColumns, partnerRecord, type PartnerRecord } from '../partner-record.ts'

/** The partner of a client id. Asked on every request, always of the primary database: nothing is remembered. */
export type CredentialLookup = {
  /**
   * undefined when the client is unknown or revoked
   * @throws Outage when the primary database cannot answer
   */
  find: (clientId: string) => Promise<PartnerRecord | undefined>
  /** notes that the client was used; written later, so that the request does not wait */
  used: (clientId: string, now: Date) => void
  /** writes the noted uses and stops */
  close: () => Promise<void>
}

const lastUseEveryMilliseconds = 60_000

export function credentialLookup(database: Database, log: Logger): CredentialLookup {
  let lastUses = new Map<string, Date>()
  const timer = setInterval(() => void writeNoted(), lastUseEveryMilliseconds).unref()

  const find = askedTogether(async (clientIds): Promise<Map<string, PartnerRecord>> => {
    // primary keys of app_client and partner
    const rows = await database.reads.rows<PartnerRecord & { clientId: string }>(sql`
      select app_client.client_id, ${partnerColumns}
      from app_client join partner using (partner_id)
      where app_client.client_id = any(${clientIds})`)
    return new Map(rows.map((row) => [row.clientId, partnerRecord(row)]))
  })

  async function writeNoted(): Promise<void> {
    if (lastUses.size === 0) return
    const uses = lastUses
    lastUses = new Map()
    try {
      await writeLastUses(database.statements, uses)
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'could not write the last uses of app clients; trying again later')
      for (const [clientId, usedOn] of uses) if (!lastUses.has(clientId)) lastUses.set(clientId, usedOn)
    }
  }

  return {
    find,
    used: (clientId, now) => {
      lastUses.set(clientId, now)
    },
    close: async () => {
      clearInterval(timer)
      await writeNoted()
    },
  }
}
