import type { Row } from '../../database/rows.ts'
import { daysAfter, daysBefore } from '../calendar.ts'
import { siteFacts, sites, supplierCodeOf } from '../cast/sites.ts'
import { addressRow, divisionRow, userRow, type Division, type User } from '../customer-rows.ts'
import { drawFor, type Draw } from '../draw.ts'
import type { Tables } from '../insert.ts'
import type { Place } from '../order-rows.ts'

/** Thousands of people who buy, where they work and where they want their goods. */

const counts: readonly { siteId: number; users: number; divisions: number; segments: number }[] = [
  { siteId: sites.main, users: 1_500, divisions: 140, segments: 26 },
  { siteId: sites.second, users: 800, divisions: 80, segments: 14 },
  { siteId: sites.foreign, users: 240, divisions: 30, segments: 6 },
  { siteId: sites.noOrdering, users: 30, divisions: 6, segments: 2 },
  { siteId: sites.divisionAddresses, users: 90, divisions: 40, segments: 3 },
]

/** Numbers that are free above the cast's. */
const first = { division: 5_101, user: 21_001, segment: 401, address: 71_001 }

const divisionDepthMax = 6

const firstNames =
  'Ada Ben Carla Dana Elias Farah Grant Hana Ivan Joan Kofi Lena Marco Nadia Omar Petra Ravi Sofia Tomas Uma Viktor Wendy Yusuf Zoe'.split(
    ' ',
  )
const lastNames =
  'Abbott Bishop Castro Dalton Ellis Foster Gupta Hayes Ingram Jensen Kaplan Lowe Mercer Novak Osborn Pratt Quigley Reyes Sutton Tanaka Underhill Vance Whitaker Young'.split(
    ' ',
  )
const companies = [
  'Blue Ridge Realty',
  'Lakeside Dental',
  'Summit Roofing',
  'Golden Gate Fitness',
  'Maple Leaf Bakery',
  'Ironwood Builders',
  'Coastal Credit Union',
  'Redwood Veterinary',
  'Prairie Insurance',
  'Evergreen Landscaping',
  'Bayview Hotels',
  'Cobalt Logistics',
  'Silver Birch Schools',
  'Harvest Table',
  'Northern Lights Energy',
  'Pinnacle Staffing',
]
const segmentNames = [
  'Regional office',
  'Franchise tier',
  'Retail group',
  'Service team',
  'New locations',
  'Seasonal staff',
  'Wholesale',
  'Events',
]
const areas = ['North', 'South', 'East', 'West', 'Central', 'Coastal', 'Metro', 'Valley']
const units = ['Region', 'District', 'Branch', 'Store', 'Office', 'Desk']

type Locality = Pick<Place, 'city' | 'state' | 'postalCode' | 'country'>

const locality = (city: string, state: string, postalCode: string, country = 'US'): Locality => ({
  city,
  state,
  postalCode,
  country,
})

const localities: Readonly<Record<string, readonly Locality[]>> = {
  US: [
    locality('Albany', 'NY', '12207'),
    locality('New York', 'NY', '10013'),
    locality('Los Angeles', 'CA', '90012'),
    locality('Sacramento', 'CA', '95814'),
    locality('Austin', 'TX', '78701'),
    locality('Dallas', 'TX', '75201'),
    locality('Chicago', 'IL', '60601'),
    locality('Columbus', 'OH', '43215'),
    locality('Seattle', 'WA', '98101'),
    locality('Portland', 'OR', '97204'),
    locality('Denver', 'CO', '80202'),
    locality('Miami', 'FL', '33130'),
    locality('Atlanta', 'GA', '30303'),
    locality('Boston', 'MA', '02108'),
    locality('Raleigh', 'NC', '27601'),
    locality('Newark', 'NJ', '07102'),
    locality('Pittsburgh', 'PA', '15222'),
    locality('Phoenix', 'AZ', '85003'),
    locality('Minneapolis', 'MN', '55401'),
    locality('Nashville', 'TN', '37203'),
    locality('Toronto', 'ON', 'M5H 2N2', 'CA'),
    locality('Vancouver', 'BC', 'V6B 1A1', 'CA'),
  ],
  GB: [
    locality('London', 'LND', 'EC1A 1BB', 'GB'),
    locality('Leeds', 'LDS', 'LS1 5HD', 'GB'),
    locality('Manchester', 'ENG', 'M1 1AE', 'GB'),
    locality('Bristol', 'ENG', 'BS1 4DJ', 'GB'),
    locality('Cardiff', 'WLS', 'CF10 1EP', 'GB'),
    locality('Edinburgh', 'SCT', 'EH1 1YZ', 'GB'),
    locality('Belfast', 'NIR', 'BT1 5GS', 'GB'),
  ],
}

const streets = [
  'Main Street',
  'Oak Avenue',
  'Market Street',
  'Station Road',
  'Elm Street',
  'Commerce Drive',
  'Lakeview Road',
  'Second Avenue',
]

/** A member of the crowd and where goods are sent for them. */
export type Buyer = { user: User; shipTo: Place }

export type CrowdCustomers = {
  tables: Tables
  /** active users by site */
  buyers: ReadonlyMap<number, readonly Buyer[]>
  divisionIds: ReadonlyMap<number, readonly number[]>
  segmentIds: ReadonlyMap<number, readonly number[]>
}

export function crowdCustomers(now: Date): CrowdCustomers {
  const draw = drawFor('customers')
  const next = { ...first }
  const divisions: Division[] = []
  const users: Buyer[] = []
  const segmentRows: Row[] = []
  const ruleRows: Row[] = []
  const addressRows: Row[] = []

  for (const { siteId, users: userCount, divisions: divisionCount, segments: segmentCount } of counts) {
    const ofSite = divisionsOf(siteId, divisionCount, now, next, draw)
    divisions.push(...ofSite)
    const segmentIds = Array.from({ length: segmentCount }, () => next.segment++)
    // Some segments take in all who write from a company's domain.
    const ruled = segmentIds
      .slice(0, Math.floor(segmentCount / 6))
      .map((id, index) => ({ id, domain: domainOf(companies[index]!) }))
    segmentRows.push(...segmentIds.map((id, turn) => segmentRow(siteId, id, turn, now, draw)))
    ruleRows.push(
      ...ruled.map(({ id, domain }) => ({ siteId: siteId, segmentId: id, emailDomain: domain, divisionId: null })),
    )
    for (let turn = 0; turn < userCount; turn++) {
      const buyer = buyerOf(siteId, turn, now, next.user++, draw, { divisions: ofSite, segmentIds, ruled })
      users.push(buyer)
      for (
        let left = draw.weighted([
          [0, 30],
          [1, 40],
          [2, 20],
          [4, 10],
        ] as const);
        left > 0;
        left--
      )
        addressRows.push(addressOf(buyer, next.address++, draw))
    }
  }
  return {
    tables: [
      ['division', divisions.map(divisionRow)],
      ['site_user', users.map(({ user }) => userRow(user))],
      ['segment', segmentRows],
      ['segment_rule', ruleRows],
      [
        'user_segment',
        users.flatMap(({ user }) =>
          (user.segments ?? []).map(({ id, autoAssigned }) => ({
            siteId: user.siteId,
            userId: user.id,
            segmentId: id,
            autoAssigned: autoAssigned,
          })),
        ),
      ],
      ['user_address', addressRows],
    ],
    buyers: Map.groupBy(
      users.filter(({ user }) => user.active !== false),
      ({ user }) => user.siteId,
    ),
    divisionIds: idsBySite(divisions),
    segmentIds: new Map(
      [...Map.groupBy(segmentRows, (row) => row.siteId as number)].map(([siteId, rows]) => [
        siteId,
        rows.map((row) => row.segmentId as number),
      ]),
    ),
  }
}

function idsBySite(divisions: readonly Division[]): Map<number, number[]> {
  return new Map(
    [...Map.groupBy(divisions, ({ siteId }) => siteId)].map(([siteId, ofSite]) => [siteId, ofSite.map(({ id }) => id)]),
  )
}

/** A forest: each division hangs below an earlier one or is a root. */
function divisionsOf(siteId: number, count: number, now: Date, next: typeof first, draw: Draw): Division[] {
  const levels: { division: Division; level: number }[] = []
  const storesAddresses = siteId === sites.divisionAddresses
  for (let turn = 0; turn < count; turn++) {
    const candidate = levels.length > 0 && draw.chance(0.88) ? draw.pick(levels) : undefined
    const parent = candidate && candidate.level < divisionDepthMax ? candidate : undefined
    const level = (parent?.level ?? 0) + 1
    const name = `${draw.pick(areas)} ${units[level - 1]} ${turn + 1}`
    const createdOn = daysBefore(now, draw.whole(200, 1_000))
    const place = draw.pick(localities[siteFacts.get(siteId)!.country]!)
    const division: Division = {
      id: next.division++,
      siteId,
      parentId: parent?.division.id ?? null,
      name,
      code: `${name.slice(0, 2).toUpperCase()}-${String(turn + 1).padStart(4, '0')}`,
      country: siteFacts.get(siteId)!.country,
      supplierCode: supplierCodeOf(siteId),
      createdOn,
      updatedOn: daysBefore(now, draw.whole(0, 190)),
      ...(draw.chance(0.06) ? { active: false as const } : {}),
      ...(storesAddresses || draw.chance(0.5)
        ? {
            address: {
              company: name,
              firstName: draw.pick(firstNames),
              lastName: draw.pick(lastNames),
              street: `${draw.whole(1, 900)} ${draw.pick(streets)}`,
              street2: `Unit ${draw.whole(1, 40)}`,
              city: place.city,
              zip: place.postalCode,
              country: place.country,
              state: place.state,
            },
          }
        : {}),
    }
    levels.push({ division, level })
  }
  return levels.map(({ division }) => division)
}

function segmentRow(siteId: number, segmentId: number, turn: number, now: Date, draw: Draw): Row {
  const createdOn = daysBefore(now, draw.whole(100, 900))
  return {
    segmentId: segmentId,
    siteId: siteId,
    name: `${segmentNames[turn % segmentNames.length]} ${turn + 1}`,
    createdOn: createdOn,
    updatedOn: daysAfter(createdOn, draw.whole(0, 90)),
  }
}

function domainOf(company: string): string {
  return `${company.toLowerCase().replaceAll(' ', '-')}.example`
}

function buyerOf(
  siteId: number,
  turn: number,
  now: Date,
  id: number,
  draw: Draw,
  site: {
    divisions: readonly Division[]
    segmentIds: readonly number[]
    ruled: readonly { id: number; domain: string }[]
  },
): Buyer {
  const firstName = draw.pick(firstNames)
  const lastName = draw.pick(lastNames)
  const company = draw.pick(companies)
  const domain = domainOf(company)
  const login = `${firstName}.${lastName}${turn + 1}`.toLowerCase()
  const createdOn = daysBefore(now, draw.whole(60, 900))
  const auto = site.ruled.filter((rule) => rule.domain === domain).map((rule) => ({ id: rule.id, autoAssigned: true }))
  const byHand = draw.chance(0.4) ? [{ id: draw.pick(site.segmentIds), autoAssigned: false }] : []
  const where = draw.pick(localities[siteFacts.get(siteId)!.country]!)
  // Accounts from before names were asked for.
  const isNameless = draw.chance(0.01)
  return {
    user: {
      id,
      siteId,
      username: isNameless ? null : login,
      email: isNameless ? null : `${login}@${domain}`,
      firstName: isNameless ? null : firstName,
      lastName: isNameless ? null : lastName,
      createdOn,
      updatedOn: daysBefore(now, draw.whole(0, 59)),
      lastSigninOn: draw.chance(0.12) ? null : daysBefore(now, draw.whole(0, 59)),
      company,
      ...(draw.chance(0.6) ? { phone: `+1 555 01${String(turn % 100).padStart(2, '0')}` } : {}),
      ...(draw.chance(0.05) ? { active: false as const } : {}),
      ...(draw.chance(0.65) ? { divisionId: draw.pick(site.divisions).id } : {}),
      ...(draw.chance(0.08) ? { ordersRequireApproval: true as const } : {}),
      ...(draw.chance(0.04) ? { allSegmentsVisible: true as const } : {}),
      ...(draw.chance(0.03) ? { taxExempt: true as const } : {}),
      ...(draw.chance(0.03) ? { discount: { name: 'Loyal customer', percent: '3' } } : {}),
      segments: isNameless
        ? []
        : [...auto, ...byHand.filter((segment) => auto.every(({ id: taken }) => taken !== segment.id))],
    },
    shipTo: {
      name: `${firstName} ${lastName}`,
      company,
      address1: `${draw.whole(1, 900)} ${draw.pick(streets)}`,
      address2: draw.chance(0.2) ? `Floor ${draw.whole(2, 30)}` : null,
      ...where,
      phone: null,
    },
  }
}

function addressOf({ user, shipTo }: Buyer, id: number, draw: Draw): Row {
  const where = draw.chance(0.4) ? shipTo : draw.pick(localities[siteFacts.get(user.siteId)!.country]!)
  return addressRow({
    id,
    siteId: user.siteId,
    userId: user.id,
    type: draw.weighted([
      ['SHIP_TO', 85],
      ['BLIND_FROM', 10],
      [null, 5],
    ] as const),
    company: shipTo.company,
    firstName: user.firstName,
    lastName: user.lastName,
    phone: user.phone ?? null,
    address1: `${draw.whole(1, 900)} ${draw.pick(streets)}`,
    city: where.city,
    zip: where.postalCode,
    country: where.country,
    state: where.state,
  })
}
