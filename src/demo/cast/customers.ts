import type { Row } from '../../database/rows.ts'
import type { CreditMovement } from '../../vocabulary/credit-movements.ts'
import { daysAfter, daysBefore } from '../calendar.ts'
import { siteFacts, sites, supplierCodeOf } from './sites.ts'
import {
  addressRow,
  creditTables,
  divisionRow,
  userRow,
  type CreditAccount,
  type Division,
  type User,
} from '../customer-rows.ts'
import type { Tables } from '../insert.ts'

/** Who buys on the demo sites: segments, divisions, users with their addresses, and credit accounts. */

export const segments = { main: [301, 302, 303], second: [311, 312], foreign: [321] } as const

const franchiseDomain = 'franchise.example'
const [byHand, byDomain, byDivision] = segments.main

function segmentRows(now: Date): Row[] {
  const names: readonly (readonly [siteId: number, segmentId: number, name: string])[] = [
    [sites.main, byHand, 'Key accounts'],
    [sites.main, byDomain, 'Franchise owners'],
    [sites.main, byDivision, 'Field sales'],
    [sites.second, segments.second[0], 'Retail stores'],
    [sites.second, segments.second[1], 'Head office'],
    [sites.foreign, segments.foreign[0], 'Members'],
  ]
  return names.map(([siteId, segmentId, name]) => ({
    segmentId: segmentId,
    siteId: siteId,
    name,
    createdOn: daysBefore(now, 900),
    updatedOn: daysBefore(now, 200),
  }))
}

const divisionIds = {
  root: 5001,
  child: 5002,
  inactive: 5003,
  /** a chain of ten, each below the one before */
  chain: [5004, 5005, 5006, 5007, 5008, 5009, 5010, 5011, 5012, 5013],
  secondRoot: 5021,
  foreign: 5031,
  foreignChild: 5032,
  preview: 5041,
  summit: 5051,
  summitWest: 5052,
} as const

const chainNames = ['Group', 'Continent', 'Country', 'Region', 'State', 'County', 'City', 'Office', 'Floor', 'Team']

function castDivisions(now: Date): Division[] {
  const dated = { createdOn: daysBefore(now, 800), updatedOn: daysBefore(now, 100) }
  const on = (siteId: number, id: number, parentId: number | null, name: string, code: string): Division => ({
    ...dated,
    id,
    siteId,
    parentId,
    name,
    code,
    country: siteFacts.get(siteId)!.country,
    supplierCode: supplierCodeOf(siteId),
  })
  const address = {
    company: 'Meridian Field Sales',
    firstName: 'Robin',
    lastName: 'Hale',
    street: '12 Harbor Street',
    street2: 'Suite 4',
    city: 'Albany',
    zip: '12207',
    country: 'US',
    state: 'NY',
  }
  return [
    on(sites.main, divisionIds.root, null, 'Meridian Sales', 'SALES'),
    { ...on(sites.main, divisionIds.child, divisionIds.root, 'Field sales', 'SALES-FIELD'), address },
    { ...on(sites.main, divisionIds.inactive, null, 'Closed branch', 'CLOSED'), active: false },
    ...divisionIds.chain.map((id, index) =>
      on(sites.main, id, divisionIds.chain[index - 1] ?? null, `World ${chainNames[index]}`, `WORLD-${index + 1}`),
    ),
    // Codes repeat across sites (DIV-06).
    on(sites.second, divisionIds.secondRoot, null, 'Cascade Retail', 'SALES'),
    on(sites.foreign, divisionIds.foreign, null, 'Albion Trade', 'TRADE'),
    on(sites.foreign, divisionIds.foreignChild, divisionIds.foreign, 'Albion Trade North', 'TRADE-N'),
    on(sites.noOrdering, divisionIds.preview, null, 'Prairie Office', 'OFFICE'),
    { ...on(sites.divisionAddresses, divisionIds.summit, null, 'Summit Franchise', 'FRANCHISE'), address },
    { ...on(sites.divisionAddresses, divisionIds.summitWest, divisionIds.summit, 'Summit West', 'WEST'), address },
  ]
}

const userIds = {
  orderingMain: 20_001,
  plain: 20_002,
  allSegmentsVisible: 20_003,
  autoAssigned: 20_004,
  inactive: 20_005,
  withAddresses: 20_006,
  buyer: 20_007,
  orderingSecond: 20_101,
  secondBuyer: 20_102,
  orderingForeign: 20_201,
  foreign: 20_202,
  preview: 20_301,
  orderingSummit: 20_401,
} as const

/** Who orders for partners, by site; the site without ordering has nobody. */
export const orderingUsers: ReadonlyMap<number, number> = new Map([
  [sites.main, userIds.orderingMain],
  [sites.second, userIds.orderingSecond],
  [sites.foreign, userIds.orderingForeign],
  [sites.divisionAddresses, userIds.orderingSummit],
])

type CastUserKey = keyof typeof userIds

export type CastUsers = Readonly<Record<CastUserKey, User>>

function castUsers(now: Date): CastUsers {
  const dated = { createdOn: daysBefore(now, 700), updatedOn: daysBefore(now, 60), lastSigninOn: daysBefore(now, 2) }
  const on = (siteId: number, key: CastUserKey, name: string, email?: string): User => {
    const [firstName, lastName] = name.split(' ')
    const { host } = siteFacts.get(siteId)!
    return {
      ...dated,
      id: userIds[key],
      siteId,
      username: name.toLowerCase().replace(' ', '.'),
      email: email ?? `${name.toLowerCase().replace(' ', '.')}@${host}`,
      firstName: firstName!,
      lastName: lastName!,
    }
  }
  return {
    orderingMain: on(sites.main, 'orderingMain', 'Partner Desk'),
    plain: { ...on(sites.main, 'plain', 'Avery Stone'), company: 'Stone & Sons', phone: '+1 518 555 0100' },
    allSegmentsVisible: {
      ...on(sites.main, 'allSegmentsVisible', 'Jordan Vale'),
      allSegmentsVisible: true,
      segments: [{ id: byHand, autoAssigned: false }],
    },
    autoAssigned: {
      ...on(sites.main, 'autoAssigned', 'Casey Brook', `casey.brook@${franchiseDomain}`),
      segments: [
        { id: byHand, autoAssigned: false },
        { id: byDomain, autoAssigned: true },
      ],
    },
    inactive: { ...on(sites.main, 'inactive', 'Riley Marsh'), active: false, lastSigninOn: daysBefore(now, 300) },
    withAddresses: { ...on(sites.main, 'withAddresses', 'Morgan Field'), ordersRequireApproval: true },
    buyer: {
      ...on(sites.main, 'buyer', 'Quinn Harbor'),
      divisionId: divisionIds.child,
      segments: [{ id: byDivision, autoAssigned: true }],
    },
    // The ordering user's own discount shows in quotes and in orders of this site alike.
    orderingSecond: {
      ...on(sites.second, 'orderingSecond', 'Partner Desk'),
      divisionId: divisionIds.secondRoot,
      discount: { name: 'Partner rate', percent: '5' },
    },
    secondBuyer: { ...on(sites.second, 'secondBuyer', 'Skyler Reed'), taxExempt: true },
    orderingForeign: on(sites.foreign, 'orderingForeign', 'Partner Desk'),
    foreign: {
      ...on(sites.foreign, 'foreign', 'Alex Thorne'),
      segments: [{ id: segments.foreign[0], autoAssigned: false }],
    },
    preview: { ...on(sites.noOrdering, 'preview', 'Sam Prairie'), lastSigninOn: null },
    orderingSummit: {
      ...on(sites.divisionAddresses, 'orderingSummit', 'Partner Desk'),
      divisionId: divisionIds.summit,
    },
  }
}

/** More than one page, whatever the page size. */
const addressCount = 205

function addressRows(): Row[] {
  const several = Array.from({ length: addressCount }, (_, index) =>
    addressRow({
      id: 70_001 + index,
      siteId: sites.main,
      userId: userIds.withAddresses,
      type: index % 5 === 4 ? 'BLIND_FROM' : 'SHIP_TO',
      company: `Morgan Field store ${index + 1}`,
      firstName: 'Morgan',
      lastName: 'Field',
      phone: '+1 212 555 0142',
      address1: `${100 + index} Canal Street`,
      city: 'New York',
      zip: '10013',
      country: 'US',
      state: 'NY',
    }),
  )
  const ofForeign = addressRow({
    id: 70_901,
    siteId: sites.foreign,
    userId: userIds.foreign,
    type: 'SHIP_TO',
    company: null,
    firstName: 'Alex',
    lastName: 'Thorne',
    phone: null,
    address1: '4 Park Row',
    city: 'Leeds',
    zip: 'LS1 5HD',
    country: 'GB',
    state: 'LDS',
  })
  return [...several, ofForeign]
}

const creditAccountIds = {
  ofUser: 9001,
  ofDivision: 9002,
  inactive: 9003,
  expired: 9004,
  ofOrderingUser: 9005,
  ofOrderingDivision: 9006,
  foreign: 9101,
} as const

/** More than one page, whatever the page size. */
const drawDownCount = 210

function castCreditAccounts(now: Date): CreditAccount[] {
  const issuedOn = daysBefore(now, 240)
  const allot = (amount: string) => ({ type: 'ALLOTMENT' as CreditMovement, amount, createdOn: issuedOn })
  const drawDowns = Array.from({ length: drawDownCount }, (_, index) => ({
    type: (['PRODUCT_DEBIT', 'SHIPPING_DEBIT', 'HANDLING_DEBIT', 'TAX_DEBIT'] as const)[index % 4]!,
    amount: (['-8.4', '-2.15', '-1', '-0.93'] as const)[index % 4]!,
    createdOn: daysBefore(now, 230 - index),
    userId: userIds.plain,
  }))
  return [
    {
      id: creditAccountIds.ofUser,
      siteId: sites.main,
      userId: userIds.plain,
      amount: '5000',
      issuedOn,
      scope: 'USER',
      templateName: 'Yearly allotment',
      appliesTo: [true, true, true],
      adjustments: [
        allot('5000'),
        ...drawDowns,
        { type: 'MANUAL_CREDIT', amount: '25', createdOn: daysBefore(now, 1), note: 'Goodwill for a late delivery' },
      ],
    },
    {
      id: creditAccountIds.ofDivision,
      siteId: sites.main,
      divisionId: divisionIds.child,
      amount: '12000',
      issuedOn,
      startsOn: issuedOn,
      stopsOn: daysAfter(now, 125),
      scope: 'DIVISION',
      templateName: null,
      appliesTo: [true, false, false],
      adjustments: [
        allot('12000'),
        { type: 'PRODUCT_DEBIT', amount: '-845.6', createdOn: daysBefore(now, 90), userId: userIds.buyer },
        { type: 'PRODUCT_CREDIT', amount: '100', createdOn: daysBefore(now, 80), userId: userIds.buyer },
      ],
    },
    {
      id: creditAccountIds.inactive,
      siteId: sites.main,
      userId: userIds.buyer,
      amount: '300',
      issuedOn,
      scope: null,
      templateName: null,
      active: false,
      appliesTo: [null, null, null],
      adjustments: [allot('300')],
    },
    {
      id: creditAccountIds.expired,
      siteId: sites.main,
      divisionId: divisionIds.root,
      amount: '500',
      issuedOn: daysBefore(now, 500),
      startsOn: daysBefore(now, 500),
      stopsOn: daysBefore(now, 135),
      scope: 'DIVISION',
      templateName: 'Yearly allotment',
      appliesTo: [true, true, false],
      adjustments: [
        { type: 'ALLOTMENT', amount: '500', createdOn: daysBefore(now, 500) },
        { type: 'PRODUCT_DEBIT', amount: '-120', createdOn: daysBefore(now, 400) },
        { type: 'EXPIRATION', amount: '-380', createdOn: daysBefore(now, 135) },
      ],
    },
    // What partners order on the second site draws on these two until they are used up.
    {
      id: creditAccountIds.ofOrderingUser,
      siteId: sites.second,
      userId: userIds.orderingSecond,
      amount: '250',
      issuedOn,
      scope: 'USER',
      templateName: null,
      appliesTo: [false, false, false],
      adjustments: [allot('250')],
    },
    {
      id: creditAccountIds.ofOrderingDivision,
      siteId: sites.second,
      divisionId: divisionIds.secondRoot,
      amount: '1000',
      issuedOn,
      scope: 'DIVISION',
      templateName: null,
      appliesTo: [true, true, true],
      adjustments: [allot('1000')],
    },
    {
      id: creditAccountIds.foreign,
      siteId: sites.foreign,
      userId: userIds.foreign,
      amount: '400',
      issuedOn,
      scope: 'USER',
      templateName: null,
      appliesTo: [true, true, true],
      adjustments: [allot('400'), { type: 'PRODUCT_DEBIT', amount: '-37.5', createdOn: daysBefore(now, 20) }],
    },
  ]
}

export function castCustomers(now: Date): { users: CastUsers; tables: Tables } {
  const users = castUsers(now)
  return {
    users,
    tables: [
      ['division', castDivisions(now).map(divisionRow)],
      ['site_user', Object.values(users).map(userRow)],
      ['segment', segmentRows(now)],
      [
        'segment_rule',
        [
          { siteId: sites.main, segmentId: byDomain, emailDomain: franchiseDomain, divisionId: null },
          { siteId: sites.main, segmentId: byDivision, emailDomain: null, divisionId: divisionIds.child },
        ],
      ],
      [
        'user_segment',
        Object.values(users).flatMap((user) =>
          (user.segments ?? []).map(({ id, autoAssigned }) => ({
            siteId: user.siteId,
            userId: user.id,
            segmentId: id,
            autoAssigned: autoAssigned,
          })),
        ),
      ],
      ['user_address', addressRows()],
      ...creditTables(castCreditAccounts(now)),
    ],
  }
}

/** The ids of users, divisions, credit accounts and segments in the manifest. */
export const customerFixtures = {
  users: {
    plain: userIds.plain,
    allSegmentsVisible: userIds.allSegmentsVisible,
    autoAssigned: userIds.autoAssigned,
    inactive: userIds.inactive,
    withAddresses: userIds.withAddresses,
  },
  divisions: {
    root: divisionIds.root,
    child: divisionIds.child,
    inactive: divisionIds.inactive,
    deep: divisionIds.chain[9],
  },
  creditAccounts: {
    ofUser: creditAccountIds.ofUser,
    ofDivision: creditAccountIds.ofDivision,
    inactive: creditAccountIds.inactive,
    expired: creditAccountIds.expired,
  },
  segments: { main: segments.main, second: segments.second },
  foreign: {
    userId: userIds.foreign,
    divisionId: divisionIds.foreign,
    creditAccountId: creditAccountIds.foreign,
    segmentId: segments.foreign[0],
  },
}
