import { isDeepStrictEqual } from 'node:util'
import { breaksConstraint, type Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { currencyScale, decimalString, money, zero } from '../../vocabulary/money.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { isName } from '../../vocabulary/text.ts'
import { recordId } from '../../vocabulary/whole-number.ts'
import { auditAccount, isReference, lockAccount, moveBalance, readAmount, type CreditTerms } from './lock-account.ts'

/**
 * Credit accounts as staff keep them: opened for a user or a division, their terms changed, closed and opened again. An
 * account's balance is the sum of its movements, and every movement is written under the lock of the account's row.
 * `move-credit.ts` moves credit by hand, `draw-down.ts` and `give-back.ts` for orders, and `credit-expirer.ts` at an
 * account's end. Partners only read.
 */

export type NewCreditAccount = CreditTerms & {
  siteId: number
  holder: { userId: number } | { divisionId: number }
  /** the first allotment, a positive decimal in the scale of the site's currency */
  amount: string
  templateName: string | null
  /** 1 to 100 visible ASCII characters, chosen by the caller; unique within the site */
  reference: string
}

export type Opened = {
  creditAccountId: number
  /** an earlier call opened it, and this one changed nothing */
  repeated: boolean
}

/**
 * Opens an account with its first allotment. Its end is after its start, and its holder belongs to its site. A repeated
 * call with the same reference answers the account that the first call opened, whatever happened to it since.
 */
export async function openCreditAccount(
  tx: Transaction,
  change: Change,
  account: NewCreditAccount,
): Promise<
  | Done<Opened>
  | Refused<
      | 'holder_not_on_site'
      | 'amount_not_usable'
      | 'dates_not_in_order'
      | 'template_name_not_usable'
      | 'reference_not_usable'
      | 'reference_taken'
    >
> {
  const { siteId, startsOn, stopsOn, templateName, reference } = account
  const userId = 'userId' in account.holder ? recordId(account.holder.userId) : null
  const divisionId = 'divisionId' in account.holder ? recordId(account.holder.divisionId) : null
  if (startsOn && stopsOn && startsOn >= stopsOn) return { refused: 'dates_not_in_order' }
  if (templateName !== null && !isName(templateName, 100)) return { refused: 'template_name_not_usable' }
  if (!isReference(reference)) return { refused: 'reference_not_usable' }
  const site = await tx.row<{ currency: string }>(sql`select currency from site where site_id = ${recordId(siteId)}`)
  if (!site) return { refused: 'holder_not_on_site' }
  const scale = currencyScale(site.currency)
  const amount = readAmount(account.amount, scale)
  if (!amount) return { refused: 'amount_not_usable' }
  let opened: { creditAccountId: number } | undefined
  try {
    opened = await tx.row(sql`
      insert into credit_account (site_id, user_id, division_id, amount, current_balance, issued_on, starts_on, stops_on,
        active, template_name, scope, shipping_applicable, handling_applicable, tax_applicable, reference)
      values (${siteId}, ${userId}, ${divisionId}, ${decimalString(zero, scale)}, ${decimalString(zero, scale)},
        ${change.now}, ${startsOn}, ${stopsOn}, true, ${templateName},
        ${userId === null ? 'DIVISION' : 'USER'}, ${account.shippingApplicable}, ${account.handlingApplicable},
        ${account.taxApplicable}, ${reference})
      on conflict (site_id, reference) where reference is not null do nothing
      returning credit_account_id`)
  } catch (error) {
    if (breaksConstraint(error, 'credit_account_user_on_site')) return { refused: 'holder_not_on_site' }
    if (breaksConstraint(error, 'credit_account_division_on_site')) return { refused: 'holder_not_on_site' }
    throw error
  }
  if (!opened) {
    const made = await openedAs(tx, siteId, reference)
    const repeats =
      made.userId === userId &&
      made.divisionId === divisionId &&
      made.templateName === templateName &&
      amount.eq(money(made.allotted))
    if (!repeats) return { refused: 'reference_taken' }
    return { done: { creditAccountId: made.creditAccountId, repeated: true } }
  }
  const { creditAccountId } = opened
  const facts = { siteId, userId, divisionId, amount: decimalString(amount, scale), startsOn, stopsOn, reference }
  const allotment = { type: 'ALLOTMENT', amount, note: null, reference: null } as const
  await moveBalance(tx, { creditAccountId, siteId, scale, balance: zero }, allotment, change.now)
  await auditAccount(tx, change, 'credit_account.opened', { creditAccountId, siteId }, facts)
  return { done: { creditAccountId, repeated: false } }
}

type OpenedAccount = {
  creditAccountId: number
  userId: number | null
  divisionId: number | null
  templateName: string | null
  /** its first movement */
  allotted: string
}

/** The account with this reference, as it was opened. Accounts and movements are never deleted. */
async function openedAs(tx: Transaction, siteId: number, reference: string): Promise<OpenedAccount> {
  // Served by credit_account_by_reference and credit_adjustment_by_account.
  const made = await tx.row<OpenedAccount>(sql`
    select credit_account_id, user_id, division_id, template_name, (
      select credit_adjustment.amount from credit_adjustment
      where credit_adjustment.credit_account_id = credit_account.credit_account_id
      order by credit_adjustment.created_on, adjustment_id limit 1
    ) as allotted
    from credit_account where site_id = ${siteId} and reference = ${reference}`)
  return made!
}

/** Activates or deactivates an account. An inactive one keeps its balance, but orders do not draw on it. */
export async function setCreditAccountActive(
  tx: Transaction,
  change: Change,
  creditAccountId: number,
  active: boolean,
): Promise<Done | Refused<'credit_account_not_found'>> {
  const account = await lockAccount(tx, creditAccountId)
  if (!account) return { refused: 'credit_account_not_found' }
  if (account.active !== active) {
    await tx.rows(sql`update credit_account set active = ${active} where credit_account_id = ${creditAccountId}`)
    await auditAccount(tx, change, active ? 'credit_account.activated' : 'credit_account.deactivated', account, {})
  }
  return { done: {} }
}

/**
 * Changes the given terms and leaves the others as they are; they apply to orders from then on. An expired account may
 * be extended, but does not get its expired credit back.
 */
export async function changeCreditTerms(
  tx: Transaction,
  change: Change,
  creditAccountId: number,
  wish: Partial<CreditTerms>,
): Promise<Done | Refused<'credit_account_not_found' | 'dates_not_in_order'>> {
  const account = await lockAccount(tx, creditAccountId)
  if (!account) return { refused: 'credit_account_not_found' }
  const next = { ...account.terms, ...wish }
  if (next.startsOn && next.stopsOn && next.startsOn >= next.stopsOn) return { refused: 'dates_not_in_order' }
  if (isDeepStrictEqual(next, account.terms)) return { done: {} }
  await tx.rows(sql`
    update credit_account
    set starts_on = ${next.startsOn}, stops_on = ${next.stopsOn}, shipping_applicable = ${next.shippingApplicable},
      handling_applicable = ${next.handlingApplicable}, tax_applicable = ${next.taxApplicable}
    where credit_account_id = ${creditAccountId}`)
  await auditAccount(tx, change, 'credit_account.terms_changed', account, { before: account.terms, after: next })
  return { done: {} }
}
