import type { Database, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { seal, unseal } from '../vocabulary/seal.ts'
import { foldForUniqueness } from '../vocabulary/text.ts'
import { passwordMatches } from '../vocabulary/password.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { audit } from './partners.ts'
import type { OwnChange } from './people.ts'
import { isRecoveryCode, newRecoveryCodes, sealRecoveryCode, secondFactorStep } from './second-factor.ts'
import type { KeyRing } from '../vocabulary/keys.ts'

/**
 * Authenticates a person: by a password, then by a second factor if they have one or their partner requires one.
 * `auth/sign-in/` limits how often somebody may try.
 */

/** `keyRing(masterKeys, environment, 'stored-secret')` */
export type StoredSecretKeys = KeyRing

/** `none`: the password is enough; `enrol`: a second factor has to be set up first. */
export type SecondFactorNeed = 'none' | 'ask' | 'enrol'

/** A person as far as proven, from the password to the end of the sign-in. */
export type ProvenPerson = {
  personId: string
  username: string
  /** how often their sign-ins were ended when the password was right; once it is more often, this proof is void */
  signInsEnded: number
}

/**
 * The person with this username and password. An unknown or disabled person and a wrong password look alike, in time
 * too.
 */
export async function provePassword(
  database: Database,
  username: string,
  password: string,
): Promise<{ person: ProvenPerson; secondFactor: SecondFactorNeed } | undefined> {
  // constraint partner_person_username
  const person = await database.statements.row<ProvenPerson & { passwordHash: string; need: SecondFactorNeed }>(sql`
    select partner_person.person_id, partner_person.username, partner_person.sign_ins_ended,
      partner_person.password_hash, case
        when partner_person.second_factor is not null then 'ask'
        when partner.second_factor_required then 'enrol'
        else 'none'
      end as need
    from partner_person join partner using (partner_id)
    where partner_person.username = ${usernameOf(username)} and partner_person.password_hash is not null
      and partner_person.disabled_on is null and partner.disabled_on is null`)
  const matches = await passwordMatches(password, person?.passwordHash)
  if (!matches || !person) return undefined
  const { personId, signInsEnded } = person
  return { person: { personId, username: person.username, signInsEnded }, secondFactor: person.need }
}

/** The form in which usernames are compared. */
export function usernameOf(typed: string): string {
  return foldForUniqueness(typed.trim().slice(0, 200).replaceAll('\0', ''))
}

type LockedPerson = {
  partnerId: string
  secondFactor: Buffer | null
  secondFactorStep: number | null
  recoveryCodes: Buffer[]
}

/** `sign_in_ended`: the proof is void, and the person begins again. */
export type ProofRefused = Refused<'code_wrong' | 'sign_in_ended'>

/** Accepts a code of the app or a recovery code, each once. */
export async function proveSecondFactor(
  tx: Transaction,
  change: OwnChange,
  keys: StoredSecretKeys,
  proven: ProvenPerson,
  code: string,
): Promise<Done | ProofRefused> {
  const { personId } = proven
  const person = await lockPerson(tx, proven)
  if (!person?.secondFactor) return { refused: 'sign_in_ended' }
  const secret = unseal(keys, personId, person.secondFactor)
  const step = secondFactorStep(secret, code, change.now, person.secondFactorStep)
  if (step !== undefined) {
    await tx.rows(sql`update partner_person set second_factor_step = ${step} where person_id = ${personId}`)
    return { done: {} }
  }
  const used = person.recoveryCodes.find((stored) => isRecoveryCode(keys, personId, code, stored))
  if (!used) return { refused: 'code_wrong' }
  await tx.rows(sql`
    update partner_person set recovery_codes = array_remove(recovery_codes, ${used}::bytea) where person_id = ${personId}`)
  const left = person.recoveryCodes.length - 1
  await audit(tx, byPartner(change, person), person.partnerId, 'person.recovery_code_used', { personId, left })
  return { done: {} }
}

/**
 * Activates a new secret once a code proves that the person's app has it. Only hashes of the recovery codes are stored.
 * @param secret `newSecondFactor()`, shown to the person in this sign-in only
 */
export async function confirmSecondFactor(
  tx: Transaction,
  change: OwnChange,
  keys: StoredSecretKeys,
  proven: ProvenPerson,
  secret: Buffer,
  code: string,
): Promise<Done<{ recoveryCodes: string[] }> | ProofRefused> {
  const { personId } = proven
  const person = await lockPerson(tx, proven)
  if (!person || person.secondFactor) return { refused: 'sign_in_ended' }
  const step = secondFactorStep(secret, code, change.now, null)
  if (step === undefined) return { refused: 'code_wrong' }
  const recoveryCodes = newRecoveryCodes()
  await tx.rows(sql`
    update partner_person
    set second_factor = ${seal(keys, personId, secret)}, second_factor_step = ${step},
      recovery_codes = ${recoveryCodes.map((each) => sealRecoveryCode(keys, personId, each))}, updated_on = ${change.now}
    where person_id = ${personId}`)
  await audit(tx, byPartner(change, person), person.partnerId, 'person.second_factor_set_up', { personId })
  return { done: { recoveryCodes } }
}

/** Records that the person signed in, if they still may. */
export async function recordSignIn(
  tx: Transaction,
  change: OwnChange,
  proven: ProvenPerson,
  clientId: string,
): Promise<Done | Refused<'sign_in_ended'>> {
  const { personId } = proven
  const person = await lockPerson(tx, proven)
  if (!person) return { refused: 'sign_in_ended' }
  await tx.rows(sql`update partner_person set last_signed_in_on = ${change.now} where person_id = ${personId}`)
  await audit(tx, byPartner(change, person), person.partnerId, 'person.signed_in', { personId, clientId })
  return { done: {} }
}

/** The person, if the proof still holds, their row locked until the transaction ends. */
function lockPerson(tx: Transaction, { personId, signInsEnded }: ProvenPerson) {
  return tx.row<LockedPerson>(sql`
    select partner_id, second_factor, second_factor_step, recovery_codes
    from partner_person
    where person_id = ${personId} and sign_ins_ended = ${signInsEnded} and disabled_on is null
    for no key update`)
}

function byPartner(change: OwnChange, person: { partnerId: string }): Change {
  return { ...change, actor: { kind: 'PARTNER', id: person.partnerId } }
}
