import {
  decimal,
  described,
  flag,
  instant,
  int32,
  longNumber,
  nullable,
  openEnum,
  pageOf,
  record,
  text,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import {
  activeFilter,
  divisionIdFilter,
  paged,
  siteIdFilter,
  textFilter,
  userIdFilter,
} from '../../contract/parameters.ts'
import { creditMovements } from '../../vocabulary/credit-movements.ts'

const drawnOn = nullable(described(flag, 'whether such charges draw on the account'))

export const CreditAccount = record('CreditAccount', {
  creditAccountId: int32,
  siteId: int32,
  divisionId: nullable(described(int32, 'set when a division holds the account; then userId is null')),
  userId: nullable(described(int32, 'set when a user holds the account; then divisionId is null')),
  amount: described(decimal, 'the allotted amount'),
  currentBalance: described(decimal, 'the amount left; may lag by a moment'),
  issuedOn: instant,
  startsOn: nullable(described(instant, 'null = open-ended')),
  stopsOn: nullable(described(instant, 'null = open-ended')),
  active: described(flag, 'inactive and expired accounts stay listed'),
  templateName: nullable(described(text, 'the credit template of the account')),
  scope: nullable(openEnum(['USER', 'DIVISION'])),
  shippingApplicable: drawnOn,
  handlingApplicable: drawnOn,
  taxApplicable: drawnOn,
})

export const CreditAdjustment = record('CreditAdjustment', {
  adjustmentId: longNumber,
  creditAccountId: int32,
  type: openEnum(creditMovements),
  amount: described(decimal, 'signed; a draw is negative'),
  balanceAfter: nullable(decimal),
  orderNumber: nullable(longNumber),
  itemNumber: nullable(longNumber),
  userId: nullable(int32),
  note: nullable(text),
  createdOn: instant,
})

export const CreditAccountPage = pageOf('CreditAccountPage', 'creditAccounts', CreditAccount)

const filters = {
  divisionId: divisionIdFilter,
  userId: userIdFilter,
  active: activeFilter,
  ...paged({ default: 50, max: 200 }),
}

export const creditAccounts = {
  listCreditAccounts: operation({
    id: 'listCreditAccounts',
    at: 'GET /v1/credit-accounts',
    scope: 'credit:read',
    query: { siteId: siteIdFilter, ...filters },
    collection: 'creditAccounts',
    answers: { 200: CreditAccountPage },
    refuses: [],
    says: 'Lists the credit accounts of your sites with their balances.',
  }),
  listSiteCreditAccounts: operation({
    id: 'listSiteCreditAccounts',
    at: 'GET /v1/sites/{siteId}/credit-accounts',
    scope: 'credit:read',
    query: filters,
    collection: 'creditAccounts',
    answers: { 200: CreditAccountPage },
    refuses: [],
    says: 'Lists the credit accounts of one site with their balances.',
    // The list of all sites takes siteId.
    agents: { offered: 'never' },
  }),
  getCreditAccount: operation({
    id: 'getCreditAccount',
    at: 'GET /v1/credit-accounts/{creditAccountId}',
    scope: 'credit:read',
    answers: { 200: CreditAccount },
    refuses: ['credit_account_not_found'],
    says: 'Shows one credit account with its balance.',
  }),
  listCreditAdjustments: operation({
    id: 'listCreditAdjustments',
    at: 'GET /v1/credit-accounts/{creditAccountId}/adjustments',
    scope: 'credit:read',
    query: {
      type: textFilter(
        {
          lengthMax: 100,
          pattern: /^[A-Z][A-Z0-9_]*$/,
          form: 'an upper-case code such as PRODUCT_DEBIT',
          malformed: 'invalid_adjustment_type',
        },
        'only movements of this type; a type that never occurred gives an empty page',
      ),
      ...paged({ default: 50, max: 200 }),
    },
    collection: 'adjustments',
    answers: { 200: pageOf('CreditAdjustmentPage', 'adjustments', CreditAdjustment) },
    refuses: ['credit_account_not_found'],
    says: 'Lists the movements of a credit account, newest first.',
  }),
}
