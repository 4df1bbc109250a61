import { drawDown, type Charges } from '../../platform/credit/draw-down.ts'
import { decimalString, money, sum, zero, type Money } from '../../vocabulary/money.ts'
import { daysAfter, daysBefore } from '../calendar.ts'
import { sites } from '../cast/sites.ts'
import type { CrowdCustomers } from './customers.ts'
import { creditTables, type CreditAccount, type CreditAdjustment, type User } from '../customer-rows.ts'
import { drawFor } from '../draw.ts'
import type { Tables } from '../insert.ts'

/** Credit accounts of the crowd, and what its orders drew on them. */

const counts: readonly { siteId: number; ofUsers: number; ofDivisions: number }[] = [
  { siteId: sites.main, ofUsers: 180, ofDivisions: 40 },
  { siteId: sites.second, ofUsers: 90, ofDivisions: 25 },
  { siteId: sites.foreign, ofUsers: 25, ofDivisions: 8 },
  { siteId: sites.divisionAddresses, ofUsers: 8, ofDivisions: 4 },
]

/** A number that is free above the cast's. */
const firstAccount = 9_201

type OpenAccount = Omit<CreditAccount, 'adjustments'> & { adjustments: CreditAdjustment[] }

export type CrowdCredit = {
  /** draws an order's charges on its buyer's accounts; orders must come in the order they were placed */
  drawFor: (order: { orderNumber: number; user: User; placedOn: Date; charges: Charges }) => Money
  tables: () => Tables
}

export function crowdCredit(now: Date, customers: CrowdCustomers): CrowdCredit {
  const accounts = openedAccounts(now, customers)
  const byUser = Map.groupBy(accounts, (account) => account.userId)
  const byDivision = Map.groupBy(accounts, (account) => account.divisionId)

  return {
    drawFor: ({ orderNumber, user, placedOn, charges }) => {
      const usable = [
        ...(byUser.get(user.id) ?? []),
        ...(user.divisionId ? (byDivision.get(user.divisionId) ?? []) : []),
      ]
        .filter((account) => account.active !== false && account.issuedOn <= placedOn)
        .filter((account) => account.stopsOn === undefined || placedOn < account.stopsOn)
      const movements = drawDown(
        usable.map((account) => ({
          creditAccountId: account.id,
          balance: balanceOf(account),
          shippingApplicable: account.appliesTo[0],
          handlingApplicable: account.appliesTo[1],
          taxApplicable: account.appliesTo[2],
        })),
        charges,
      )
      for (const { creditAccountId, type, amount } of movements) {
        const account = usable.find(({ id }) => id === creditAccountId)!
        account.adjustments.push({ type, amount: amount.toFixed(), createdOn: placedOn, orderNumber, userId: user.id })
      }
      return sum(movements.map(({ amount }) => amount.neg()))
    },
    tables: () => creditTables(accounts.map((account) => closed(account, now))),
  }
}

function openedAccounts(now: Date, customers: CrowdCustomers): OpenAccount[] {
  const draw = drawFor('credit')
  let id = firstAccount
  return counts.flatMap(({ siteId, ofUsers, ofDivisions }) => {
    const holders = [
      ...spread(customers.buyers.get(siteId)!, ofUsers).map(({ user }) => ({ userId: user.id })),
      ...spread(customers.divisionIds.get(siteId)!, ofDivisions).map((divisionId) => ({ divisionId })),
    ]
    return holders.map((holder): OpenAccount => {
      const issuedOn = daysBefore(now, draw.whole(20, 530))
      const amount = String(draw.pick([150, 250, 500, 1_000, 2_500]))
      const stopsOn = draw.chance(0.4) ? daysAfter(issuedOn, 365) : undefined
      return {
        ...holder,
        id: id++,
        siteId,
        amount,
        issuedOn,
        ...(stopsOn ? { startsOn: issuedOn, stopsOn } : {}),
        ...(draw.chance(0.06) ? { active: false as const } : {}),
        scope: draw.chance(0.8) ? ('userId' in holder ? 'USER' : 'DIVISION') : null,
        templateName: draw.pick(['Yearly allotment', 'Welcome credit', null]),
        appliesTo: draw.pick([
          [true, true, true],
          [true, false, false],
          [null, null, null],
        ] as const),
        adjustments: [{ type: 'ALLOTMENT', amount, createdOn: issuedOn }],
      }
    })
  })
}

/** `count` of the items, evenly apart. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  return Array.from(
    { length: Math.min(count, items.length) },
    (_, turn) => items[Math.floor((turn * items.length) / count)]!,
  )
}

function balanceOf(account: OpenAccount): Money {
  return sum(account.adjustments.map(({ amount }) => money(amount)))
}

/** What is left when an account's time is over expires. */
function closed(account: OpenAccount, now: Date): CreditAccount {
  const left = balanceOf(account)
  if (account.stopsOn === undefined || account.stopsOn > now || left.eq(zero)) return account
  const expiration = { type: 'EXPIRATION' as const, amount: decimalString(left.neg(), 2), createdOn: account.stopsOn }
  return { ...account, adjustments: [...account.adjustments, expiration] }
}
