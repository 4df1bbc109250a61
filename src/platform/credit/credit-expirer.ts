import type { Logger } from 'pino'
import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import { decimalString, zero } from '../../vocabulary/money.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { startDailyRound, type DailyRound } from '../daily-round.ts'
import { auditAccount, lockAccount } from './lock-account.ts'
import { recordMovements } from './record-movements.ts'

/*
 * The credit expirer removes the remaining balance of accounts after their end. The dates alone keep orders from
 * drawing on an account; the balance follows within a day. Credit that a cancelled order gives back later expires in
 * the next round.
 */

const atOnceMax = 500

/**
 * One round over the accounts that ended. Each account has its own transaction, which locks and checks it again, so
 * that several instances may do a round at once and one that dies loses nothing.
 * @param ending aborted = leave the rest to the next round
 * @returns how many accounts had a balance left
 * @throws Outage; what was done until then stays done
 */
export async function expireCredit(database: Database, now: Date, ending?: AbortSignal): Promise<number> {
  const change: Change = { actor: { kind: 'SYSTEM', id: 'credit-expirer' }, now, requestId: null }
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
      const outcome = await database.change((tx) => expireCreditAccount(tx, change, each.creditAccountId))
      if ('done' in outcome) expired++
    }
  } while (due.length === atOnceMax)
  return expired
}

async function expireCreditAccount(
  tx: Transaction,
  change: Change,
  creditAccountId: number,
): Promise<Done | Refused<'nothing_to_expire'>> {
  const account = await lockAccount(tx, creditAccountId)
  const stopsOn = account?.terms.stopsOn
  if (!account || !stopsOn || stopsOn > change.now || account.balance.lte(0)) return { refused: 'nothing_to_expire' }
  const { siteId, scale } = account
  const amount = account.balance.neg()
  await recordMovements(
    tx,
    { orderNumber: null, siteId, userId: null, scale },
    [{ creditAccountId, type: 'EXPIRATION', amount, balanceAfter: zero }],
    change.now,
  )
  await auditAccount(tx, change, 'credit_account.expired', account, { amount: decimalString(amount, scale) })
  return { done: {} }
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
