import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import { currencyScale, decimalString, money, zero } from '../../vocabulary/money.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { startDailyRound, type DailyRound } from '../daily-round.ts'
import { recordMovements } from './record-movements.ts'

/*
 * The credit expirer takes what is left on accounts whose time is over. Orders stop drawing on an account by its dates
 * alone; this brings its balance in line, within a day. What a cancelled order gives back to such an account later goes
 * the same way.
 */

const atOnceMax = 500

/**
 * One round over the day's accounts: each in a transaction of its own, under its lock and judged again there, so that
 * several instances may go round at once and one that died has lost nothing.
 * @param ending aborted = leave the rest to the next round
 * @returns how many accounts had something left
 * @throws Outage; what was done until then stays done
 */
export async function expireCredit(database: Database, now: Date, ending?: AbortSignal): Promise<number> {
  let expired = 0
  let due: { creditAccountId: number }[]
  do {
    // Served by credit_account_by_end.
    due = await database.statements.rows(sql`
      select credit_account_id from credit_account
      where stops_on <= ${now} and current_balance > 0
      order by credit_account_id
      limit ${atOnceMax}`)
    for (const each of due) {
      if (ending?.aborted) return expired
      if (await expireAccount(database, each.creditAccountId, now)) expired++
    }
  } while (due.length === atOnceMax)
  return expired
}

async function expireAccount(database: Database, creditAccountId: number, now: Date): Promise<boolean> {
  return database.transaction(async (tx) => {
    const account = await tx.row<{ siteId: number; currentBalance: string; currency: string }>(sql`
      select credit_account.site_id, current_balance, site.currency
      from credit_account
      join site using (site_id)
      where credit_account_id = ${creditAccountId} and stops_on <= ${now} and current_balance > 0
      for no key update of credit_account`)
    if (!account) return false
    const { siteId } = account
    const scale = currencyScale(account.currency)
    const amount = money(account.currentBalance).neg()
    await recordMovements(
      tx,
      { orderNumber: null, siteId, userId: null, scale },
      [{ creditAccountId, type: 'EXPIRATION', amount, balanceAfter: zero }],
      now,
    )
    const change: Change = { actor: { kind: 'SYSTEM', id: 'credit-expirer' }, now, requestId: null }
    await recordAudit(tx, change, {
      action: 'credit_account.expired',
      subject: { kind: 'credit_account', id: creditAccountId },
      siteId,
      detail: { amount: decimalString(amount, scale) },
    })
    return true
  })
}

/** @param parts `lookEveryMilliseconds`: how often it looks whether a new day has begun */
export function startCreditExpirer(parts: {
  database: Database
  clock: Clock
  log: Logger
  lookEveryMilliseconds?: number
}): DailyRound {
  const { database, log } = parts
  return startDailyRound({
    ...parts,
    failed: 'credit was not expired; trying again soon',
    round: async (now, ending) => {
      const expired = await expireCredit(database, now, ending)
      if (expired > 0) log.info({ accounts: expired }, 'what was left on credit accounts has expired')
    },
  })
}
