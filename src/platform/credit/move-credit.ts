import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { decimalString, type Money } from '../../vocabulary/money.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { auditAccount, isReference, lockAccount, moveBalance, readAmount, type StaffMovement } from './lock-account.ts'

const noteLengthMax = 500

/** Movements by hand: `ALLOTMENT` raises the allotted amount and the balance, the other two correct the balance. */
export type ManualMovement = {
  type: StaffMovement['type']
  /** a positive decimal in the scale of the site's currency; a debit subtracts it */
  amount: string
  /** visible to partners */
  note: string | null
  /** 1 to 100 visible ASCII characters, chosen by the caller; unique within the account */
  reference: string
}

export type Moved = {
  adjustmentId: number
  /** the balance after this movement */
  balanceAfter: string
  /** an earlier call made it, and this one changed nothing */
  repeated: boolean
}

/**
 * Moves an account's balance by hand. A debit never exceeds the balance, and nothing is added to an expired account. A
 * repeated call with the same reference answers the movement that the first call made, whatever happened since.
 */
export async function moveCredit(
  tx: Transaction,
  change: Change,
  creditAccountId: number,
  movement: ManualMovement,
): Promise<
  | Done<Moved>
  | Refused<
      | 'credit_account_not_found'
      | 'credit_account_expired'
      | 'amount_not_usable'
      | 'note_too_long'
      | 'reference_not_usable'
      | 'reference_taken'
      | 'balance_exceeded'
    >
> {
  const { type, note, reference } = movement
  if (note !== null && note.length > noteLengthMax) return { refused: 'note_too_long' }
  if (!isReference(reference)) return { refused: 'reference_not_usable' }
  const account = await lockAccount(tx, creditAccountId)
  if (!account) return { refused: 'credit_account_not_found' }
  const amount = readAmount(movement.amount, account.scale)
  if (!amount) return { refused: 'amount_not_usable' }
  const signed = type === 'MANUAL_DEBIT' ? amount.neg() : amount
  const made = await movementOf(tx, creditAccountId, reference)
  if (made) return repeats(made, type, signed) ? moved(made, true) : { refused: 'reference_taken' }

  const { stopsOn } = account.terms
  if (stopsOn !== null && stopsOn <= change.now) return { refused: 'credit_account_expired' }
  if (account.balance.plus(signed).lt(0)) return { refused: 'balance_exceeded' }
  await moveBalance(tx, account, { type, amount: signed, note, reference }, change.now)
  const [own] = await Promise.all([
    movementOf(tx, creditAccountId, reference),
    auditAccount(tx, change, 'credit_account.moved', account, {
      type,
      amount: decimalString(signed, account.scale),
      currentBalance: decimalString(account.balance.plus(signed), account.scale),
      reference,
    }),
  ])
  return moved(own!, false)
}

type MadeMovement = { adjustmentId: number; type: string; amount: string; balanceAfter: string }

/** Served by credit_adjustment_by_reference. The account is locked, so no other call can make it meanwhile. */
function movementOf(tx: Transaction, creditAccountId: number, reference: string): Promise<MadeMovement | undefined> {
  return tx.row(sql`
    select adjustment_id, type, amount, balance_after from credit_adjustment
    where credit_account_id = ${creditAccountId} and reference = ${reference}`)
}

function repeats(made: MadeMovement, type: string, signed: Money): boolean {
  return made.type === type && signed.eq(made.amount)
}

function moved({ adjustmentId, balanceAfter }: MadeMovement, repeated: boolean): Done<Moved> {
  return { done: { adjustmentId, balanceAfter, repeated } }
}
