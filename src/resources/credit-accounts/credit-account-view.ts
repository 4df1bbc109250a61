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
  credit_account_id: number
  site_id: number
  division_id: number | null
  user_id: number | null
  amount: string
  current_balance: string
  issued_on: string
  starts_on: string | null
  stops_on: string | null
  active: boolean
  template_name: string | null
  scope: 'USER' | 'DIVISION' | null
  shipping_applicable: boolean | null
  handling_applicable: boolean | null
  tax_applicable: boolean | null
}

export function creditAccountView(row: CreditAccountRow): Static<typeof CreditAccount> {
  return {
    creditAccountId: row.credit_account_id,
    siteId: row.site_id,
    divisionId: row.division_id,
    userId: row.user_id,
    amount: row.amount,
    currentBalance: row.current_balance,
    issuedOn: row.issued_on,
    startsOn: row.starts_on,
    stopsOn: row.stops_on,
    active: row.active,
    templateName: row.template_name,
    scope: row.scope,
    shippingApplicable: row.shipping_applicable,
    handlingApplicable: row.handling_applicable,
    taxApplicable: row.tax_applicable,
  }
}
