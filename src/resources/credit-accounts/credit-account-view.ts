import type { Static } from 'typebox'
import { listedRecord, type View } from '../../database/view.ts'
import { CreditAccount } from './contract.ts'

export const creditAccountView: View<Static<typeof CreditAccount>> = {
  creditAccountId: 'credit_account.credit_account_id',
  siteId: 'credit_account.site_id',
  divisionId: 'credit_account.division_id',
  userId: 'credit_account.user_id',
  amount: 'credit_account.amount',
  currentBalance: 'credit_account.current_balance',
  issuedOn: 'credit_account.issued_on',
  startsOn: 'credit_account.starts_on',
  stopsOn: 'credit_account.stops_on',
  active: 'credit_account.active',
  templateName: 'credit_account.template_name',
  scope: 'credit_account.scope',
  shippingApplicable: 'credit_account.shipping_applicable',
  handlingApplicable: 'credit_account.handling_applicable',
  taxApplicable: 'credit_account.tax_applicable',
}

export const creditAccountRecord = listedRecord(creditAccountView, CreditAccount)
