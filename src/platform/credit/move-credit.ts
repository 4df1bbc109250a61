import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { decimalString, type Money } from '../../vocabulary/money.ts'
import type { Change } from '../../vocabulary/change.ts'
import { auditAccount, heldAccount, isReference, moveHeld, readAmount, type StaffMovement } from './held-account.ts'

const noteLengthMax = 500

/** By hand: `ALLOTMENT` raises what was allotted as well as what is left, the other two correct what is left. */
export type ManualMovement = {
  type: StaffMovement['type']
  /** a positive decimal in the scale of the site's currency; a debit takes it away */
  amount: string
  /** partners read it */
  note: string | null
  /** 1 to 100 visible ASCII characters, chosen by who moves: of an account, one movement has it */
  reference: string
}

export type Moved = {
  adjustmentId: number
  /** what this movement left */
  balanceAfter: string
  /** it had been made before, and nothing moved now */
  repeated: boolean
}

/**
 * Moves an account's balance by hand. Nothing is taken that is not there, and nothing put where it would expire at once.
 * Sent again under its reference, a movement is answered as it was made, whatever happened to the account since.
 */
export async function moveCredit(
  database: Database,
  creditAccountId: number,
  movement: ManualMovement,
  change: Change,
): Promise<
  | Moved
  | {
      refused:
        | 'credit_account_not_found'
        | 'credit_account_expired'
        | 'amount_not_usable'
        | 'note_too_long'
        | 'reference_not_usable'
        | 'reference_taken'
        | 'balance_exceeded'
    }
> {
  const { type, note, reference } = movement
  if (note !== null && note.length > noteLengthMax) return { refused: 'note_too_long' }
  if (!isReference(reference)) return { refused: 'reference_not_usable' }
  return database.transaction(async (tx) => {
    const account = await heldAccount(tx, creditAccountId)
    if (!account) return { refused: 'credit_account_not_found' }
    const amount = readAmount(movement.amount, account.scale)
    if (!amount) return { refused: 'amount_not_usable' }
    const signed = type === 'MANUAL_DEBIT' ? amount.neg() : amount
    const made = await movementOf(tx, creditAccountId, reference)
    if (made) return repeats(made, type, signed) ? moved(made, true) : { refused: 'reference_taken' }

    const { stopsOn } = account.terms
    if (stopsOn !== null && stopsOn <= change.now) return { refused: 'credit_account_expired' }
    if (account.balance.plus(signed).lt(0)) return { refused: 'balance_exceeded' }
    await moveHeld(tx, account, { type, amount: signed, note, reference }, change.now)
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
  })
}

type MadeMovement = { adjustmentId: number; type: string; amount: string; balanceAfter: string }

/** Served by credit_adjustment_by_reference. The account is held, so nobody makes it meanwhile. */
function movementOf(tx: Transaction, creditAccountId: number, reference: string): Promise<MadeMovement | undefined> {
  return tx.row(sql`
    select adjustment_id, type, amount, balance_after from credit_adjustment
    where credit_account_id = ${creditAccountId} and reference = ${reference}`)
}

function repeats(made: MadeMovement, type: string, signed: Money): boolean {
  return made.type === type && signed.eq(made.amount)
}

function moved(made: MadeMovement, repeated: boolean): Moved {
  return { adjustmentId: made.adjustmentId, balanceAfter: made.balanceAfter, repeated }
}
