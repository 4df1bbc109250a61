import type { Row } from '../database/rows.ts'
import { type DivisionAddress, divisionAddressRow } from '../platform/customers/division-address.ts'
import type { CreditMovement } from '../vocabulary/credit-movements.ts'
import { decimalString, money, type Money, zero } from '../vocabulary/money.ts'
import { countryByCode, subdivision } from '../vocabulary/regions.ts'
import { foldForUniqueness } from '../vocabulary/text.ts'
import type { Tables } from './insert.ts'

/** Customers of the demo data and the rows they are stored as. */

export type Division = {
  id: number
  siteId: number
  parentId: number | null
  name: string
  code: string
  country: string
  supplierCode: string
  createdOn: Date
  updatedOn: Date
  active?: false
  address?: DivisionAddress
}

export function divisionRow(division: Division): Row {
  return {
    divisionId: division.id,
    siteId: division.siteId,
    name: division.name,
    code: division.code,
    codeFolded: foldForUniqueness(division.code),
    parentId: division.parentId,
    active: division.active ?? true,
    taxExempt: false,
    auditSalesTaxForTerms: false,
    countryCode: division.country,
    supplierCode: division.supplierCode,
    ...divisionAddressRow(division.address ?? null),
    createdOn: division.createdOn,
    updatedOn: division.updatedOn,
  }
}

export type User = {
  id: number
  siteId: number
  username: string | null
  email: string | null
  firstName: string | null
  lastName: string | null
  createdOn: Date
  updatedOn: Date
  lastSigninOn: Date | null
  company?: string
  phone?: string
  active?: false
  divisionId?: number
  ordersRequireApproval?: true
  allSegmentsVisible?: true
  taxExempt?: true
  discount?: { name: string; percent: string }
  segments?: readonly { id: number; autoAssigned: boolean }[]
}

export function userRow(user: User): Row {
  return {
    userId: user.id,
    siteId: user.siteId,
    username: user.username,
    email: user.email,
    usernameFolded: user.username === null ? null : foldForUniqueness(user.username),
    emailFolded: user.email === null ? null : foldForUniqueness(user.email),
    firstName: user.firstName,
    lastName: user.lastName,
    company: user.company ?? null,
    phone: user.phone ?? null,
    active: user.active ?? true,
    divisionId: user.divisionId ?? null,
    ordersRequireApproval: user.ordersRequireApproval ?? false,
    allSegmentsVisible: user.allSegmentsVisible ?? false,
    taxExempt: user.taxExempt ?? false,
    discountName: user.discount?.name ?? null,
    discountPercent: user.discount?.percent ?? null,
    lastSigninOn: user.lastSigninOn,
    createdOn: user.createdOn,
    updatedOn: user.updatedOn,
  }
}

export type Address = {
  id: number
  siteId: number
  userId: number
  type: string | null
  company: string | null
  firstName: string | null
  lastName: string | null
  phone: string | null
  address1: string
  city: string
  zip: string
  /** ISO codes; their names follow */
  country: string
  state: string
}

export function addressRow(address: Address): Row {
  return {
    addressId: address.id,
    siteId: address.siteId,
    userId: address.userId,
    addressType: address.type,
    company: address.company,
    firstName: address.firstName,
    lastName: address.lastName,
    phone: address.phone,
    address1: address.address1,
    address2: null,
    city: address.city,
    zip: address.zip,
    country: countryByCode(address.country)?.name ?? null,
    countryCode: address.country,
    state: subdivision(address.country, address.state)?.name ?? null,
    stateCode: address.state,
  }
}

export type CreditAdjustment = {
  type: CreditMovement
  /** signed decimal */
  amount: string
  createdOn: Date
  orderNumber?: number
  itemNumber?: number
  userId?: number
  note?: string
}

export type CreditAccount = {
  id: number
  siteId: number
  /** one of the two */
  userId?: number
  divisionId?: number
  amount: string
  issuedOn: Date
  startsOn?: Date
  stopsOn?: Date
  active?: false
  scope: 'USER' | 'DIVISION' | null
  templateName: string | null
  appliesTo: readonly [shipping: boolean | null, handling: boolean | null, tax: boolean | null]
  /** oldest first; their sum is the balance */
  adjustments: readonly CreditAdjustment[]
}

/** All currencies of the demo data have cents. */
const scale = 2

export function creditTables(accounts: readonly CreditAccount[]): Tables {
  const accountRows: Row[] = []
  const adjustmentRows: Row[] = []
  for (const account of accounts) {
    let balance: Money = zero
    for (const adjustment of account.adjustments) {
      balance = balance.plus(money(adjustment.amount))
      adjustmentRows.push({
        siteId: account.siteId,
        creditAccountId: account.id,
        type: adjustment.type,
        amount: decimalString(money(adjustment.amount), scale),
        balanceAfter: decimalString(balance, scale),
        orderNumber: adjustment.orderNumber ?? null,
        itemNumber: adjustment.itemNumber ?? null,
        userId: adjustment.userId ?? null,
        note: adjustment.note ?? null,
        createdOn: adjustment.createdOn,
      })
    }
    accountRows.push({
      creditAccountId: account.id,
      siteId: account.siteId,
      divisionId: account.divisionId ?? null,
      userId: account.userId ?? null,
      amount: decimalString(money(account.amount), scale),
      currentBalance: decimalString(balance, scale),
      issuedOn: account.issuedOn,
      startsOn: account.startsOn ?? null,
      stopsOn: account.stopsOn ?? null,
      active: account.active ?? true,
      templateName: account.templateName,
      scope: account.scope,
      shippingApplicable: account.appliesTo[0],
      handlingApplicable: account.appliesTo[1],
      taxApplicable: account.appliesTo[2],
    })
  }
  return [
    ['credit_account', accountRows],
    ['credit_adjustment', adjustmentRows],
  ]
}
