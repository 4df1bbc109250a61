import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { askedTogether } from '../asked-together.ts'
import { partnerColumns, partnerRecord, type PartnerRow } from '../partner-record.ts'
import type { PartnerRecord } from '../partner-standing.ts'

/** Who stands behind a client id. Asked on every request, always of the primary database: nothing is remembered. */
export type CredentialLookup = {
  /**
   * undefined when the client is unknown or revoked
   * @throws Outage when the primary database cannot answer
   */
  find: (clientId: string) => Promise<PartnerRecord | undefined>
  /** notes that the client was used; written later, and never in the way of the request */
  used: (clientId: string, now: Date) => void
  /** writes what was noted and stops */
  close: () => Promise<void>
}

const lastUseEveryMilliseconds = 60_000

export function credentialLookup(database: Database, log: Logger): CredentialLookup {
  let lastUses = new Map<string, Date>()
  const timer = setInterval(() => void writeLastUses(), lastUseEveryMilliseconds).unref()

  const find = askedTogether(async (clientIds): Promise<Map<string, PartnerRecord>> => {
    // primary keys of app_client and partner
    const rows = await database.reads.rows<PartnerRow & { clientId: string }>(sql`
      select app_client.client_id, ${partnerColumns}
      from app_client join partner using (partner_id)
      where app_client.client_id = any(${clientIds})`)
    return new Map(rows.map((row) => [row.clientId, partnerRecord(row)]))
  })

  /** Rows another instance is just writing are skipped: it writes about the same minute. */
  async function writeLastUses(): Promise<void> {
    if (lastUses.size === 0) return
    const uses = lastUses
    lastUses = new Map()
    try {
      await database.statements.rows(sql`
        with used as (
          select client_id, used_on
          from unnest(${[...uses.keys()]}::text[], ${[...uses.values()]}::timestamptz[]) as used(client_id, used_on)
        ), held as (
          select client_id from app_client where client_id in (select client_id from used) for update skip locked
        )
        update app_client set last_used_on = greatest(app_client.last_used_on, used.used_on)
        from used join held using (client_id)
        where app_client.client_id = used.client_id`)
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'last uses of app clients were not written; tried again later')
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
      await writeLastUses()
    },
  }
}
