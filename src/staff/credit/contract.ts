import { Type } from 'typebox'
import {
  bodyObject,
  described,
  flag,
  idInBody,
  instant,
  nullable,
  oneOf,
  pageOf,
  patchBody,
  record,
  text,
  textUpTo,
} from '../../contract/fields.ts'
import {
  activeFilter,
  divisionIdFilter,
  paged,
  siteIdFilter,
  textFilter,
  userIdFilter,
} from '../../contract/parameters.ts'
import { CreditAccount, CreditAdjustment } from '../../resources/credit-accounts/contract.ts'
import { staffOperation, staffSubject } from '../operation.ts'

export const StaffCreditAdjustment = record('StaffCreditAdjustment', {
  ...CreditAdjustment.properties,
  reference: nullable(described(text, 'the reference that staff sent; never shown to partners')),
})

const amount = described(textUpTo(20), "a positive decimal in the scale of the site's currency")
const moment = nullable(described(instant, 'null = open-ended'))
const drawnOn = Type.Optional(nullable(described(flag, 'whether such charges draw on it; null = not set, so they do')))

const terms = {
  startsOn: Type.Optional(moment),
  stopsOn: Type.Optional(moment),
  shippingApplicable: drawnOn,
  handlingApplicable: drawnOn,
  taxApplicable: drawnOn,
}

export const credit = staffSubject({
  name: 'Credit',
  says: "Credit accounts of users and divisions, and their ledgers. An account's balance is the sum of its movements.",
  problems: {
    credit_account_not_found: [404, 'No such credit account.'],
    credit_account_expired: [409, 'The credit account has expired.'],
    balance_exceeded: [409, 'The amount is more than the balance of the account.'],
    reference_taken: [409, 'The reference was used before for something else. Use a new one.'],
    holder_not_on_site: [422, 'The site has no such user or division.'],
    amount_not_usable: [422, "An amount is a positive decimal in the scale of the site's currency."],
    dates_not_in_order: [422, 'The stopsOn of an account must be after its startsOn.'],
    template_name_not_usable: [422, 'A template name is one line of 1 to 100 characters with one that is visible.'],
    reference_not_usable: [422, 'A reference has 1 to 100 visible ASCII characters and no space.'],
    note_too_long: [422, 'A note has at most 500 characters.'],
  },
  operations: {
    listCreditAccounts: staffOperation({
      id: 'listCreditAccounts',
      at: 'GET /staff/v1/{environment}/credit-accounts',
      permission: 'credit:read',
      query: {
        siteId: siteIdFilter,
        userId: userIdFilter,
        divisionId: divisionIdFilter,
        active: activeFilter,
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'creditAccounts',
      answers: { 200: pageOf('CreditAccountPage', 'creditAccounts', CreditAccount) },
      refuses: [],
      says: 'Lists credit accounts by id.',
    }),
    openCreditAccount: staffOperation({
      id: 'openCreditAccount',
      at: 'POST /staff/v1/{environment}/credit-accounts',
      permission: 'credit:write',
      body: {
        schema: bodyObject({
          siteId: idInBody,
          userId: Type.Optional(idInBody),
          divisionId: Type.Optional(idInBody),
          amount,
          templateName: Type.Optional(nullable(textUpTo(100))),
          reference: described(textUpTo(200), 'chosen by you; the same reference opens no second account on the site'),
          ...terms,
        }),
        check: ({ userId, divisionId }) =>
          (userId === undefined) === (divisionId === undefined) ? 'Send either userId or divisionId.' : undefined,
      },
      answers: { 200: CreditAccount, 201: CreditAccount },
      refuses: [
        'dates_not_in_order',
        'template_name_not_usable',
        'reference_not_usable',
        'holder_not_on_site',
        'amount_not_usable',
        'reference_taken',
      ],
      says:
        'Opens an account for a user or a division, with its first allotment, and answers 201. Repeated with the same ' +
        'reference, holder, amount and templateName, it answers 200 with the account as it is now.',
    }),
    readCreditAccount: staffOperation({
      id: 'readCreditAccount',
      at: 'GET /staff/v1/{environment}/credit-accounts/{creditAccountId}',
      permission: 'credit:read',
      answers: { 200: CreditAccount },
      refuses: ['credit_account_not_found'],
      says: 'Shows a credit account with its balance.',
    }),
    changeCreditTerms: staffOperation({
      id: 'changeCreditTerms',
      at: 'PATCH /staff/v1/{environment}/credit-accounts/{creditAccountId}',
      revises: 'readCreditAccount',
      permission: 'credit:write',
      body: { schema: patchBody(terms) },
      answers: { 200: CreditAccount },
      refuses: ['credit_account_not_found', 'dates_not_in_order'],
      says: 'Changes when an account may be drawn on and for what; fields left out stay as they are.',
    }),
    setCreditAccountActive: staffOperation({
      id: 'setCreditAccountActive',
      at: 'PUT /staff/v1/{environment}/credit-accounts/{creditAccountId}/active',
      revises: 'readCreditAccount',
      permission: 'credit:write',
      body: { schema: bodyObject({ active: flag }) },
      answers: { 200: CreditAccount },
      refuses: ['credit_account_not_found'],
      says: 'Closes an account or opens it again. Its balance stays. Orders draw nothing from a closed account.',
    }),
    listCreditAdjustments: staffOperation({
      id: 'listCreditAdjustments',
      at: 'GET /staff/v1/{environment}/credit-accounts/{creditAccountId}/adjustments',
      permission: 'credit:read',
      query: {
        type: textFilter(
          {
            lengthMax: 100,
            pattern: /^[A-Z][A-Z0-9_]*$/,
            form: 'an upper-case code such as PRODUCT_DEBIT',
            malformed: 'invalid_request',
          },
          'only movements of this type',
        ),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'adjustments',
      answers: { 200: pageOf('StaffCreditAdjustmentPage', 'adjustments', StaffCreditAdjustment) },
      refuses: ['credit_account_not_found'],
      says: 'Lists the movements of an account, newest first.',
    }),
    moveCredit: staffOperation({
      id: 'moveCredit',
      at: 'POST /staff/v1/{environment}/credit-accounts/{creditAccountId}/adjustments',
      permission: 'credit:write',
      body: {
        schema: bodyObject({
          type: oneOf(['ALLOTMENT', 'MANUAL_CREDIT', 'MANUAL_DEBIT']),
          amount,
          note: Type.Optional(nullable(described(textUpTo(1_000), 'shown to partners'))),
          reference: described(textUpTo(200), 'chosen by you; the same reference moves nothing a second time'),
        }),
      },
      answers: { 200: StaffCreditAdjustment, 201: StaffCreditAdjustment },
      refuses: [
        'note_too_long',
        'reference_not_usable',
        'credit_account_not_found',
        'amount_not_usable',
        'reference_taken',
        'credit_account_expired',
        'balance_exceeded',
      ],
      says:
        'Moves the balance by hand and answers 201. Repeated with the same reference, type and amount, it answers 200 ' +
        'with the movement as it was made.',
    }),
  },
})
