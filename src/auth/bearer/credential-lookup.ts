import type { Logger } from 'pino'
import type { Tier } from '../../contract/caller.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { MachineMethod } from '../../partners/partners.ts'
import { isScope } from '../../vocabulary/scopes.ts'
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

type Row = {
  client_id: string
  partner_id: string
  name: string
  tier: Tier
  machine_method: MachineMethod
  disabled: boolean
  capabilities: string[]
  site_ids: number[]
}

export function credentialLookup(database: Database, log: Logger): CredentialLookup {
  let waiting = new Map<string, PromiseWithResolvers<PartnerRecord | undefined>>()
  let lastUses = new Map<string, Date>()
  const timer = setInterval(() => void writeLastUses(), lastUseEveryMilliseconds).unref()

  /**
   * Requests that arrive in one turn of the event loop share a statement. It is sent after the last of them arrived, so
   * none can be answered with a state older than itself: a revocation committed before a request bites on it (AUTH-18).
   */
  async function send(): Promise<void> {
    const asked = waiting
    waiting = new Map()
    try {
      const found = await read([...asked.keys()])
      for (const [clientId, answer] of asked) answer.resolve(found.get(clientId))
    } catch (error) {
      for (const answer of asked.values()) answer.reject(error)
    }
  }

  async function read(clientIds: string[]): Promise<Map<string, PartnerRecord>> {
    // primary keys of app_client, partner and partner_site
    const rows = await database.reads.rows<Row>(sql`
      select app_client.client_id, partner.partner_id, partner.name, partner.tier, partner.machine_method,
        partner.disabled_on is not null as disabled, partner.capabilities,
        array(
          select partner_site.site_id from partner_site
          where partner_site.partner_id = partner.partner_id
          order by partner_site.site_id
        ) as site_ids
      from app_client join partner using (partner_id)
      where app_client.client_id = any(${clientIds})`)
    return new Map(rows.map((row) => [row.client_id, partnerRecord(row)]))
  }

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
    find: (clientId) => {
      let answer = waiting.get(clientId)
      if (!answer) {
        if (waiting.size === 0) setImmediate(() => void send())
        answer = Promise.withResolvers()
        waiting.set(clientId, answer)
      }
      return answer.promise
    },
    used: (clientId, now) => {
      lastUses.set(clientId, now)
    },
    close: async () => {
      clearInterval(timer)
      await writeLastUses()
    },
  }
}

function partnerRecord(row: Row): PartnerRecord {
  return {
    partnerId: row.partner_id,
    partnerName: row.name,
    tier: row.tier,
    machineMethod: row.machine_method,
    disabled: row.disabled,
    capabilities: row.capabilities.filter(isScope),
    siteIds: row.site_ids,
  }
}
