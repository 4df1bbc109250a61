import type { CreditMovement } from '../vocabulary/credit-movements.ts'
import { decimalString, money, type Money, zero } from '../vocabulary/money.ts'
import { countryByCode, subdivision } from '../vocabulary/places.ts'
import { foldForUniqueness } from '../vocabulary/text.ts'
import type { Row, Tables } from './insert.ts'

/** Customers of the demo world and the rows they are stored as. */

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
  /** the nine stored address fields, by column without its prefix */
  address?: Readonly<Record<(typeof addressFields)[number], string>>
}

const addressFields = [
  'company',
  'first_name',
  'last_name',
  'street',
  'street2',
  'city',
  'zip',
  'country',
  'state',
] as const

export function divisionRow(division: Division): Row {
  return {
    division_id: division.id,
    site_id: division.siteId,
    name: division.name,
    code: division.code,
    parent_id: division.parentId,
    active: division.active ?? true,
    tax_exempt: false,
    audit_sales_tax_for_terms: false,
    country_code: division.country,
    supplier_code: division.supplierCode,
    ...Object.fromEntries(addressFields.map((field) => [`address_${field}`, division.address?.[field] ?? null])),
    created_on: division.createdOn,
    updated_on: division.updatedOn,
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
    user_id: user.id,
    site_id: user.siteId,
    username: user.username,
    email: user.email,
    username_folded: user.username === null ? null : foldForUniqueness(user.username),
    email_folded: user.email === null ? null : foldForUniqueness(user.email),
    first_name: user.firstName,
    last_name: user.lastName,
    company: user.company ?? null,
    phone: user.phone ?? null,
    active: user.active ?? true,
    division_id: user.divisionId ?? null,
    orders_require_approval: user.ordersRequireApproval ?? false,
    all_segments_visible: user.allSegmentsVisible ?? false,
    tax_exempt: user.taxExempt ?? false,
    discount_name: user.discount?.name ?? null,
    discount_percent: user.discount?.percent ?? null,
    last_signin_on: user.lastSigninOn,
    created_on: user.createdOn,
    updated_on: user.updatedOn,
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
    address_id: address.id,
    site_id: address.siteId,
    user_id: address.userId,
    address_type: address.type,
    company: address.company,
    first_name: address.firstName,
    last_name: address.lastName,
    phone: address.phone,
    address1: address.address1,
    address2: null,
    city: address.city,
    zip: address.zip,
    country: countryByCode(address.country)?.name ?? null,
    country_code: address.country,
    state: subdivision(address.country, address.state)?.name ?? null,
    state_code: address.state,
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

/** All currencies of the demo world have cents. */
const scale = 2

export function creditTables(accounts: readonly CreditAccount[]): Tables {
  const accountRows: Row[] = []
  const adjustmentRows: Row[] = []
  for (const account of accounts) {
    let balance: Money = zero
    for (const adjustment of account.adjustments) {
      balance = balance.plus(money(adjustment.amount))
      adjustmentRows.push({
        site_id: account.siteId,
        credit_account_id: account.id,
        type: adjustment.type,
        amount: decimalString(money(adjustment.amount), scale),
        balance_after: decimalString(balance, scale),
        order_number: adjustment.orderNumber ?? null,
        item_number: adjustment.itemNumber ?? null,
        user_id: adjustment.userId ?? null,
        note: adjustment.note ?? null,
        created_on: adjustment.createdOn,
      })
    }
    accountRows.push({
      credit_account_id: account.id,
      site_id: account.siteId,
      division_id: account.divisionId ?? null,
      user_id: account.userId ?? null,
      amount: decimalString(money(account.amount), scale),
      current_balance: decimalString(balance, scale),
      issued_on: account.issuedOn,
      starts_on: account.startsOn ?? null,
      stops_on: account.stopsOn ?? null,
      active: account.active ?? true,
      template_name: account.templateName,
      scope: account.scope,
      shipping_applicable: account.appliesTo[0],
      handling_applicable: account.appliesTo[1],
      tax_applicable: account.appliesTo[2],
    })
  }
  return [
    ['credit_account', accountRows],
    ['credit_adjustment', adjustmentRows],
  ]
}
