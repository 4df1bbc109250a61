import type { Static } from 'typebox'
import { decimalText, isoText, type View } from '../../database/view.ts'
import type { CreditAccount } from './contract.ts'

export const creditAccountView: View<Static<typeof CreditAccount>> = {
  creditAccountId: 'credit_account.credit_account_id',
  siteId: 'credit_account.site_id',
  divisionId: 'credit_account.division_id',
  userId: 'credit_account.user_id',
  amount: decimalText('credit_account.amount'),
  currentBalance: decimalText('credit_account.current_balance'),
  issuedOn: isoText('credit_account.issued_on'),
  startsOn: isoText('credit_account.starts_on'),
  stopsOn: isoText('credit_account.stops_on'),
  active: 'credit_account.active',
  templateName: 'credit_account.template_name',
  scope: 'credit_account.scope',
  shippingApplicable: 'credit_account.shipping_applicable',
  handlingApplicable: 'credit_account.handling_applicable',
  taxApplicable: 'credit_account.tax_applicable',
}
