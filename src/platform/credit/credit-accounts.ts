import { breaksConstraint, type Database, type Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { currencyScale, decimalString, money, type Money, zero } from '../../vocabulary/money.ts'
import { recordAudit, type Change } from '../audit/audit.ts'
import { recordMovements } from './record-movements.ts'

/**
 * Credit accounts as staff keep them: opened for a user or a division, allotted more, corrected by hand, closed and opened
 * again. An account's balance is the sum of its movements, and every movement is written under the lock of the account's
 * row. What orders draw and get back stands in `draw-down.ts` and `give-back.ts`, the end of an account's time in
 * `credit-expirer.ts`; partners only read.
 */

const noteLengthMax = 500

export type NewCreditAccount = {
  siteId: number
  holder: { userId: number } | { divisionId: number }
  /** the first allotment, a positive decimal in the scale of the site's currency */
  amount: string
  /** null = open-ended */
  startsOn: Date | null
  stopsOn: Date | null
  templateName: string | null
  /** which charges besides the goods draw on the account; null = nothing said, so they do */
  shippingApplicable: boolean | null
  handlingApplicable: boolean | null
  taxApplicable: boolean | null
}

/** Opens an account with its first allotment. It stops after it starts, and its holder is of its site. */
export async function openCreditAccount(
  database: Database,
  account: NewCreditAccount,
  change: Change,
): Promise<
  { creditAccountId: number } | { refused: 'holder_not_on_site' | 'amount_not_usable' | 'dates_not_in_order' }
> {
  const { siteId, startsOn, stopsOn } = account
  const userId = 'userId' in account.holder ? account.holder.userId : null
  const divisionId = 'divisionId' in account.holder ? account.holder.divisionId : null
  if (startsOn && stopsOn && startsOn >= stopsOn) return { refused: 'dates_not_in_order' }
  try {
    return await database.transaction(async (tx) => {
      const site = await tx.row<{ currency: string }>(sql`select currency from site where site_id = ${siteId}`)
      if (!site) return { refused: 'holder_not_on_site' }
      const scale = currencyScale(site.currency)
      const amount = readAmount(account.amount, scale)
      if (!amount) return { refused: 'amount_not_usable' }
      const opened = await tx.row<{ credit_account_id: number }>(sql`
        insert into credit_account (site_id, user_id, division_id, amount, current_balance, issued_on, starts_on, stops_on,
          active, template_name, scope, shipping_applicable, handling_applicable, tax_applicable)
        values (${siteId}, ${userId}, ${divisionId}, ${decimalString(zero, scale)}, ${decimalString(zero, scale)},
          ${change.now}, ${startsOn}, ${stopsOn}, true, ${account.templateName},
          ${userId === null ? 'DIVISION' : 'USER'}, ${account.shippingApplicable}, ${account.handlingApplicable},
          ${account.taxApplicable})
        returning credit_account_id`)
      const { credit_account_id: creditAccountId } = opened!
      const facts = { siteId, userId, divisionId, amount: decimalString(amount, scale), startsOn, stopsOn }
      await allot(tx, { creditAccountId, siteId, scale, balance: zero }, amount, null, change.now)
      await audit(tx, change, 'credit_account.opened', { creditAccountId, siteId }, facts)
      return { creditAccountId }
    })
  } catch (error) {
    if (breaksConstraint(error, 'credit_account_user_on_site')) return { refused: 'holder_not_on_site' }
    if (breaksConstraint(error, 'credit_account_division_on_site')) return { refused: 'holder_not_on_site' }
    throw error
  }
}

/** An inactive account keeps its balance, and orders draw nothing on it. Setting what is set already changes nothing. */
export async function setCreditAccountActive(
  database: Database,
  creditAccountId: number,
  active: boolean,
  change: Change,
): Promise<{ outcome: 'set' } | { refused: 'credit_account_not_found' }> {
  return database.transaction(async (tx) => {
    const account = await lockedAccount(tx, creditAccountId)
    if (!account) return { refused: 'credit_account_not_found' }
    if (account.active !== active) {
      await tx.rows(sql`
        update credit_account set active = ${active} where credit_account_id = ${creditAccountId}`)
      await audit(tx, change, active ? 'credit_account.activated' : 'credit_account.deactivated', account, {})
    }
    return { outcome: 'set' }
  })
}

/** By hand: `ALLOTMENT` raises what was allotted as well as what is left, the other two correct what is left. */
export type ManualMovement = {
  type: 'ALLOTMENT' | 'MANUAL_CREDIT' | 'MANUAL_DEBIT'
  /** a positive decimal in the scale of the site's currency; a debit takes it away */
  amount: string
  /** partners read it */
  note: string | null
}

/** Moves an account's balance by hand. Nothing is taken that is not there, and nothing put where it would expire at once. */
export async function moveCredit(
  database: Database,
  creditAccountId: number,
  movement: ManualMovement,
  change: Change,
): Promise<
  | { currentBalance: string }
  | {
      refused:
        | 'credit_account_not_found'
        | 'credit_account_expired'
        | 'amount_not_usable'
        | 'note_too_long'
        | 'balance_exceeded'
    }
> {
  const { type, note } = movement
  if (note !== null && note.length > noteLengthMax) return { refused: 'note_too_long' }
  return database.transaction(async (tx) => {
    const account = await lockedAccount(tx, creditAccountId)
    if (!account) return { refused: 'credit_account_not_found' }
    if (account.stopsOn !== null && account.stopsOn <= change.now) return { refused: 'credit_account_expired' }
    const amount = readAmount(movement.amount, account.scale)
    if (!amount) return { refused: 'amount_not_usable' }
    if (type === 'MANUAL_DEBIT' && amount.gt(account.balance)) return { refused: 'balance_exceeded' }

    const signed = type === 'MANUAL_DEBIT' ? amount.neg() : amount
    const balanceAfter = account.balance.plus(signed)
    if (type === 'ALLOTMENT') await allot(tx, account, amount, note, change.now)
    else await record(tx, account, { type, amount: signed, balanceAfter, note }, change.now)
    const currentBalance = decimalString(balanceAfter, account.scale)
    await audit(tx, change, 'credit_account.moved', account, {
      type,
      amount: decimalString(signed, account.scale),
      currentBalance,
    })
    return { currentBalance }
  })
}

type LockedAccount = { creditAccountId: number; siteId: number; scale: number; balance: Money }

async function lockedAccount(
  tx: Transaction,
  creditAccountId: number,
): Promise<(LockedAccount & { active: boolean; stopsOn: Date | null }) | undefined> {
  const row = await tx.row<{
    site_id: number
    current_balance: string
    active: boolean
    stops_on: string | null
    currency: string
  }>(sql`
    select credit_account.site_id, current_balance, credit_account.active, stops_on, site.currency
    from credit_account
    join site using (site_id)
    where credit_account_id = ${creditAccountId}
    for no key update of credit_account`)
  return (
    row && {
      creditAccountId,
      siteId: row.site_id,
      scale: currencyScale(row.currency),
      balance: money(row.current_balance),
      active: row.active,
      stopsOn: row.stops_on === null ? null : new Date(row.stops_on),
    }
  )
}

/** More is allotted: the account says so, and its balance grows by it. */
async function allot(
  tx: Transaction,
  account: LockedAccount,
  amount: Money,
  note: string | null,
  now: Date,
): Promise<void> {
  await tx.rows(sql`
    update credit_account set amount = amount + ${decimalString(amount, account.scale)}::numeric
    where credit_account_id = ${account.creditAccountId}`)
  await record(tx, account, { type: 'ALLOTMENT', amount, balanceAfter: account.balance.plus(amount), note }, now)
}

function record(
  tx: Transaction,
  { creditAccountId, siteId, scale }: LockedAccount,
  movement: { type: ManualMovement['type']; amount: Money; balanceAfter: Money; note: string | null },
  now: Date,
): Promise<void> {
  const { note, ...moved } = movement
  return recordMovements(
    tx,
    { orderNumber: null, siteId, userId: null, scale, note },
    [{ creditAccountId, ...moved }],
    now,
  )
}

/** undefined = not a positive decimal with at most so many decimals */
function readAmount(text: string, scale: number): Money | undefined {
  if (!/^\d{1,12}(?:\.\d{1,4})?$/.test(text)) return undefined
  const amount = money(text)
  return amount.gt(zero) && amount.round(scale).eq(amount) ? amount : undefined
}

function audit(
  tx: Transaction,
  { actor, now, requestId }: Change,
  action: string,
  { creditAccountId, siteId }: Pick<LockedAccount, 'creditAccountId' | 'siteId'>,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  return recordAudit(tx, now, {
    actor,
    requestId,
    action,
    subject: { kind: 'credit_account', id: creditAccountId },
    siteId,
    detail,
  })
}
