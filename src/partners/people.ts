import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { Queries, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { foldForUniqueness } from '../vocabulary/text.ts'
import { hashPassword, isUsablePassword } from '../vocabulary/password.ts'
import type { Change } from '../vocabulary/change.ts'
import { audit, heldPartner, type PartnerMissing } from './partners.ts'

/**
 * The people of a partner who may sign in personally: invited, disabled and helped by staff; the password is theirs
 * alone. Every change is written together with its audit record in the caller's transaction; what cannot be done is
 * answered as a value. It does not own how a person proves who they are (`person-proof.ts`), nor what a sign-in opens
 * (`auth/sign-in/`).
 */

const invitationMilliseconds = 7 * 86_400_000
const usernameForm = /^[a-z0-9][a-z0-9._@+-]{1,99}$/
const emailForm = /^[^\s@]{1,64}@[^\s@]{1,190}$/

export type PersonMissing = { outcome: 'person_not_found' }

/** The token goes into a link the person gets; only its hash is kept. */
export type Invited = { outcome: 'invited'; personId: string; token: string; expiresOn: Date }

/**
 * Invites a person to set a password and sign in for the partner.
 * @param linkKey `deriveKey(masterKey, environment, 'link')`
 * @param person `username` may be an e-mail address; it is unique in the environment, whatever its letters' case
 */
export async function invitePerson(
  tx: Transaction,
  change: Change,
  linkKey: Buffer,
  partnerId: string,
  person: { username: string; email?: string | null },
): Promise<
  | Invited
  | PartnerMissing
  | { outcome: 'username_not_usable' }
  | { outcome: 'email_not_usable' }
  | { outcome: 'username_taken' }
> {
  const username = foldForUniqueness(person.username.trim())
  const email = person.email?.trim() || null
  if (!usernameForm.test(username)) return { outcome: 'username_not_usable' }
  if (email !== null && !emailForm.test(email)) return { outcome: 'email_not_usable' }
  if (!(await heldPartner(tx, partnerId))) return { outcome: 'partner_not_found' }
  const personId = randomUUID()
  const { token, hash, expiresOn } = newInvitation(linkKey, change.now)
  const inserted = await tx.row(sql`
    insert into partner_person
      (person_id, partner_id, username, email, invitation_hash, invitation_expires_on, created_on, updated_on)
    values (${personId}, ${partnerId}, ${username}, ${email}, ${hash}, ${expiresOn}, ${change.now}, ${change.now})
    on conflict (username) do nothing
    returning person_id`)
  if (!inserted) return { outcome: 'username_taken' }
  await audit(tx, change, partnerId, 'person.invited', { personId, username, expiresOn })
  return { outcome: 'invited', personId, token, expiresOn }
}

/**
 * A fresh link for who lost theirs or their password. The old link ends at once, the password when the link is used.
 */
export async function inviteAgain(
  tx: Transaction,
  change: Change,
  linkKey: Buffer,
  personId: string,
): Promise<Invited | PersonMissing> {
  const { token, hash, expiresOn } = newInvitation(linkKey, change.now)
  const person = await tx.row<{ partnerId: string }>(sql`
    update partner_person
    set invitation_hash = ${hash}, invitation_expires_on = ${expiresOn}, updated_on = ${change.now}
    where person_id = ${personId}
    returning partner_id`)
  if (!person) return { outcome: 'person_not_found' }
  await audit(tx, change, person.partnerId, 'person.invited', { personId, again: true, expiresOn })
  return { outcome: 'invited', personId, token, expiresOn }
}

/** Whom a link invites, as long as it is good. */
export function findInvitation(
  queries: Queries,
  linkKey: Buffer,
  token: string,
  now: Date,
): Promise<{ username: string; partnerName: string } | undefined> {
  // constraint partner_person_invitation
  return queries.row(sql`
    select partner_person.username, partner.name as partner_name
    from partner_person join partner using (partner_id)
    where invitation_hash = ${hashInvitation(linkKey, token)} and invitation_expires_on > ${now}
      and partner_person.disabled_on is null and partner.disabled_on is null`)
}

/**
 * Sets the password of who holds the link, once: the link is used up, and sign-ins under the password before end.
 */
export async function acceptInvitation(
  tx: Transaction,
  change: Pick<Change, 'now' | 'requestId'>,
  linkKey: Buffer,
  token: string,
  password: string,
): Promise<
  { outcome: 'accepted'; username: string } | { outcome: 'invitation_not_good' } | { outcome: 'password_not_usable' }
> {
  const invited = await findInvitation(tx, linkKey, token, change.now)
  if (!invited) return { outcome: 'invitation_not_good' }
  if (!isUsablePassword(password, invited.username)) return { outcome: 'password_not_usable' }
  const passwordHash = await hashPassword(password)
  const person = await tx.row<{ personId: string; partnerId: string }>(sql`
    update partner_person
    set password_hash = ${passwordHash}, invitation_hash = null, invitation_expires_on = null, updated_on = ${change.now}
    where invitation_hash = ${hashInvitation(linkKey, token)} and invitation_expires_on > ${change.now}
      and disabled_on is null
    returning person_id, partner_id`)
  if (!person) return { outcome: 'invitation_not_good' }
  await endSignIns(tx, person.personId)
  const own: Change = { ...change, actor: { kind: 'PARTNER', id: person.partnerId } }
  await audit(tx, own, person.partnerId, 'person.password_set', { personId: person.personId })
  return { outcome: 'accepted', username: invited.username }
}

/** From the next request on the person's tokens get 401; what they signed in to is forgotten. */
export async function disablePerson(
  tx: Transaction,
  change: Change,
  personId: string,
): Promise<{ outcome: 'disabled' } | PersonMissing> {
  const person = await heldPerson(tx, personId)
  if (!person) return { outcome: 'person_not_found' }
  if (person.disabledOn === null) {
    await tx.rows(sql`
      update partner_person set disabled_on = ${change.now}, updated_on = ${change.now} where person_id = ${personId}`)
    await endSignIns(tx, personId)
    await audit(tx, change, person.partnerId, 'person.disabled', { personId })
  }
  return { outcome: 'disabled' }
}

/** Lets a disabled person sign in again, with the password they had. */
export async function enablePerson(
  tx: Transaction,
  change: Change,
  personId: string,
): Promise<{ outcome: 'enabled' } | PersonMissing> {
  const person = await heldPerson(tx, personId)
  if (!person) return { outcome: 'person_not_found' }
  if (person.disabledOn !== null) {
    await tx.rows(sql`
      update partner_person set disabled_on = null, updated_on = ${change.now} where person_id = ${personId}`)
    await audit(tx, change, person.partnerId, 'person.enabled', { personId })
  }
  return { outcome: 'enabled' }
}

/** For who lost their authenticator app and the recovery codes: where one is required, the next sign-in sets up another. */
export async function resetSecondFactor(
  tx: Transaction,
  change: Change,
  personId: string,
): Promise<{ outcome: 'reset' } | PersonMissing> {
  const person = await heldPerson(tx, personId)
  if (!person) return { outcome: 'person_not_found' }
  await tx.rows(sql`
    update partner_person
    set second_factor = null, second_factor_shown = null, second_factor_step = null, recovery_codes = '{}',
      updated_on = ${change.now}
    where person_id = ${personId}`)
  await endSignIns(tx, personId)
  await audit(tx, change, person.partnerId, 'person.second_factor_reset', { personId })
  return { outcome: 'reset' }
}

/** Whether the partner's people need a second factor. Who has none yet sets one up with the next sign-in. */
export async function setPartnerSecondFactor(
  tx: Transaction,
  change: Change,
  partnerId: string,
  required: boolean,
): Promise<{ outcome: 'set' } | PartnerMissing> {
  if (!(await heldPartner(tx, partnerId))) return { outcome: 'partner_not_found' }
  const changed = await tx.row(sql`
    update partner set second_factor_required = ${required}, updated_on = ${change.now}
    where partner_id = ${partnerId} and second_factor_required <> ${required}
    returning partner_id`)
  if (changed) await audit(tx, change, partnerId, 'partner.second_factor_set', { required })
  return { outcome: 'set' }
}

/** Ends every session, grant and token of the person. */
export async function endSignIns(queries: Queries, personId: string): Promise<void> {
  // index sign_in_record_by_person
  await queries.rows(sql`delete from sign_in_record where person_id = ${personId}`)
}

function heldPerson(tx: Transaction, personId: string) {
  return tx.row<{ partnerId: string; disabledOn: string | null }>(sql`
    select partner_id, disabled_on from partner_person where person_id = ${personId} for no key update`)
}

function newInvitation(linkKey: Buffer, now: Date): { token: string; hash: Buffer; expiresOn: Date } {
  const token = `pci_${randomBytes(32).toString('base64url')}`
  return { token, hash: hashInvitation(linkKey, token), expiresOn: new Date(now.getTime() + invitationMilliseconds) }
}

function hashInvitation(linkKey: Buffer, token: string): Buffer {
  return createHmac('sha256', linkKey).update(`invitation/${token}`).digest()
}
