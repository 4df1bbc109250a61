import type { Static } from 'typebox'
import { sqlText } from '../../database/sql.ts'
import type { CreditAccount } from './contract.ts'

/** The columns of a credit account. */
export const creditAccountColumns = sqlText`
  credit_account.credit_account_id, credit_account.site_id, credit_account.division_id, credit_account.user_id,
  credit_account.amount, credit_account.current_balance, credit_account.issued_on, credit_account.starts_on,
  credit_account.stops_on, credit_account.active, credit_account.template_name, credit_account.scope,
  credit_account.shipping_applicable, credit_account.handling_applicable, credit_account.tax_applicable`

export type CreditAccountRow = {
  creditAccountId: number
  siteId: number
  divisionId: number | null
  userId: number | null
  amount: string
  currentBalance: string
  issuedOn: string
  startsOn: string | null
  stopsOn: string | null
  active: boolean
  templateName: string | null
  scope: 'USER' | 'DIVISION' | null
  shippingApplicable: boolean | null
  handlingApplicable: boolean | null
  taxApplicable: boolean | null
}

export function creditAccountView(row: CreditAccountRow): Static<typeof CreditAccount> {
  return {
    creditAccountId: row.creditAccountId,
    siteId: row.siteId,
    divisionId: row.divisionId,
    userId: row.userId,
    amount: row.amount,
    currentBalance: row.currentBalance,
    issuedOn: row.issuedOn,
    startsOn: row.startsOn,
    stopsOn: row.stopsOn,
    active: row.active,
    templateName: row.templateName,
    scope: row.scope,
    shippingApplicable: row.shippingApplicable,
    handlingApplicable: row.handlingApplicable,
    taxApplicable: row.taxApplicable,
  }
}
