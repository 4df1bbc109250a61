import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { currencyScale, decimalString, money, type Money, zero } from '../../vocabulary/money.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { recordMovements } from './record-movements.ts'

/** Locks a credit account's row, and changes the account under that lock. */

export type LockedAccount = { creditAccountId: number; siteId: number; scale: number; balance: Money }

/** One of the two. */
export type CreditHolder = { userId: number | null; divisionId: number | null }

/** When orders may draw on an account, and for what; dates null = open-ended. */
export type CreditTerms = {
  startsOn: Date | null
  stopsOn: Date | null
  /** which charges besides the goods draw on the account; null = not set, so they do */
  shippingApplicable: boolean | null
  handlingApplicable: boolean | null
  taxApplicable: boolean | null
}

export async function lockAccount(
  tx: Transaction,
  creditAccountId: number,
): Promise<(LockedAccount & { active: boolean; holder: CreditHolder; terms: CreditTerms }) | undefined> {
  const row = await tx.row<{
    siteId: number
    userId: number | null
    divisionId: number | null
    currentBalance: string
    active: boolean
    startsOn: string | null
    stopsOn: string | null
    shippingApplicable: boolean | null
    handlingApplicable: boolean | null
    taxApplicable: boolean | null
    currency: string
  }>(sql`
    select credit_account.site_id, user_id, division_id, current_balance, credit_account.active, starts_on, stops_on, shipping_applicable,
      handling_applicable, tax_applicable, site.currency
    from credit_account
    join site using (site_id)
    where credit_account_id = ${creditAccountId}
    for no key update of credit_account`)
  return (
    row && {
      creditAccountId,
      siteId: row.siteId,
      scale: currencyScale(row.currency),
      balance: money(row.currentBalance),
      active: row.active,
      holder: { userId: row.userId, divisionId: row.divisionId },
      terms: {
        startsOn: row.startsOn === null ? null : new Date(row.startsOn),
        stopsOn: row.stopsOn === null ? null : new Date(row.stopsOn),
        shippingApplicable: row.shippingApplicable,
        handlingApplicable: row.handlingApplicable,
        taxApplicable: row.taxApplicable,
      },
    }
  )
}

/** `reference` null = the first allotment, made by opening the account */
export type StaffMovement = {
  type: 'ALLOTMENT' | 'MANUAL_CREDIT' | 'MANUAL_DEBIT'
  /** signed */
  amount: Money
  note: string | null
  reference: string | null
}

/** Moves the balance. An allotment also raises the account's amount. */
export async function moveBalance(
  tx: Transaction,
  account: LockedAccount,
  { type, amount, note, reference }: StaffMovement,
  now: Date,
): Promise<void> {
  const { creditAccountId, siteId, scale } = account
  if (type === 'ALLOTMENT') {
    await tx.rows(sql`
      update credit_account set amount = amount + ${decimalString(amount, scale)}::numeric
      where credit_account_id = ${creditAccountId}`)
  }
  const balanceAfter = account.balance.plus(amount)
  await recordMovements(
    tx,
    { orderNumber: null, siteId, userId: null, scale, note, reference },
    [{ creditAccountId, type, amount, balanceAfter }],
    now,
  )
}

/** @returns undefined unless it is a positive decimal with at most `scale` decimals */
export function readAmount(text: string, scale: number): Money | undefined {
  if (!/^\d{1,12}(?:\.\d{1,4})?$/.test(text)) return undefined
  const amount = money(text)
  return amount.gt(zero) && amount.round(scale).eq(amount) ? amount : undefined
}

export function isReference(text: string): boolean {
  return /^[!-~]{1,100}$/.test(text)
}

export function auditAccount(
  tx: Transaction,
  change: Change,
  action: string,
  { creditAccountId, siteId }: Pick<LockedAccount, 'creditAccountId' | 'siteId'>,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  return recordAudit(tx, change, { action, subject: { kind: 'credit_account', id: creditAccountId }, siteId, detail })
}
