import type { Static } from 'typebox'
import { changeCreditTerms, openCreditAccount, setCreditAccountActive } from '../../platform/credit/credit-accounts.ts'
import type { CreditTerms } from '../../platform/credit/lock-account.ts'
import { moveCredit } from '../../platform/credit/move-credit.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { credit } from './contract.ts'
import { findAdjustments, findCreditAccounts, readAdjustment, readCreditAccount } from './read-credit.ts'

export const creditHandlers: StaffHandlers<typeof credit> = {
  listCreditAccounts: async ({ environment, query, after, page }) => {
    const slice = { afterId: Number(after?.[0] ?? 0), limit: query.limit + 1 }
    const found = await findCreditAccounts(environment.database.longReads, query, slice)
    const { rows, nextCursor } = page(found, ({ creditAccountId }) => [creditAccountId])
    return { status: 200, body: { creditAccounts: rows, nextCursor } }
  },
  openCreditAccount: async (call) => {
    const { siteId, userId, divisionId, amount, templateName = null, reference, ...sent } = call.body
    const holder = userId === undefined ? { divisionId: divisionId! } : { userId }
    const account = { siteId, holder, amount, templateName, reference, ...unsaid, ...termsOf(sent) }
    const opened = await makeChange(call, (tx, change) => openCreditAccount(tx, change, account))
    return { status: opened.repeated ? 200 : 201, body: await changed(call.environment, opened.creditAccountId) }
  },
  readCreditAccount: async ({ environment, path, refuse }) => {
    const account = await readCreditAccount(environment.database.reads, path.creditAccountId)
    if (!account) throw refuse('credit_account_not_found')
    return { status: 200, body: account }
  },
  changeCreditTerms: async (call) => {
    const { environment, path, body } = call
    await makeChange(call, (tx, change) => changeCreditTerms(tx, change, path.creditAccountId, termsOf(body)))
    return { status: 200, body: await changed(environment, path.creditAccountId) }
  },
  setCreditAccountActive: async (call) => {
    const { environment, path, body } = call
    await makeChange(call, (tx, change) => setCreditAccountActive(tx, change, path.creditAccountId, body.active))
    return { status: 200, body: await changed(environment, path.creditAccountId) }
  },
  listCreditAdjustments: async ({ environment, path, query, after, page, refuse }) => {
    const { reads } = environment.database
    if (!(await readCreditAccount(reads, path.creditAccountId))) throw refuse('credit_account_not_found')
    const before = after && { createdOn: String(after[0]), adjustmentId: Number(after[1]) }
    const found = await findAdjustments(
      environment.database.longReads,
      path.creditAccountId,
      query.type,
      before,
      query.limit + 1,
    )
    const { rows, nextCursor } = page(found, ({ createdOn, adjustmentId }) => [createdOn, adjustmentId])
    return { status: 200, body: { adjustments: rows, nextCursor } }
  },
  moveCredit: async (call) => {
    const { environment, path, body } = call
    const moved = await makeChange(call, (tx, change) =>
      moveCredit(tx, change, path.creditAccountId, { note: null, ...body }),
    )
    // Movements are never changed or deleted.
    const adjustment = (await readAdjustment(environment.database.reads, moved.adjustmentId))!
    return { status: moved.repeated ? 200 : 201, body: adjustment }
  },
}

const unsaid: CreditTerms = {
  startsOn: null,
  stopsOn: null,
  shippingApplicable: null,
  handlingApplicable: null,
  taxApplicable: null,
}

type Sent = Static<(typeof credit)['operations']['changeCreditTerms']['body']['schema']>

function termsOf({ startsOn, stopsOn, ...applicable }: Sent): Partial<CreditTerms> {
  return {
    ...applicable,
    ...(startsOn !== undefined && { startsOn: startsOn === null ? null : new Date(startsOn) }),
    ...(stopsOn !== undefined && { stopsOn: stopsOn === null ? null : new Date(stopsOn) }),
  }
}

/** The account after a change. Accounts are never deleted. */
async function changed({ database }: StaffEnvironment, creditAccountId: number) {
  return (await readCreditAccount(database.reads, creditAccountId))!
}
