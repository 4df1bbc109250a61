import { randomBytes, randomUUID } from 'node:crypto'
import type { Queries, Transaction } from '../database/database.ts'
import { sql, sqlText } from '../database/sql.ts'
import { queueMails, type QueuedMail } from '../platform/mail/queue-mails.ts'
import { foldForUniqueness, isEmailForm } from '../vocabulary/text.ts'
import { hashPassword, isUsablePassword } from '../vocabulary/password.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { endSignIns } from './end-sign-ins.ts'
import { audit, lockPartner } from './partners.ts'
import { type KeyRing, mac, macs } from '../vocabulary/keys.ts'

/**
 * The people of a partner who may sign in personally. Staff invite, disable and help them, but never know their
 * password. Every verb writes the audit record of its change. `person-proof.ts` authenticates a person, `auth/sign-in/`
 * says what a sign-in gives access to.
 */

/** A change that people make themselves. The verb sets its actor, their partner. */
export type OwnChange = Omit<Change, 'actor'>

const invitationMilliseconds = 7 * 86_400_000
const resetMilliseconds = 3_600_000
const usernameForm = /^[a-z0-9][a-z0-9._@+-]{1,99}$/

/** The token is part of a link that the person gets; only its hash is stored. */
export type Invitation = { personId: string; token: string; expiresOn: Date }

/**
 * Invites a person to set a password and sign in for the partner.
 * @param linkKeys `keyRing(masterKeys, environment, 'link')`
 * @param person `username` may be an e-mail address; it is unique in the environment, in any letter case
 */
export async function invitePerson(
  tx: Transaction,
  change: Change,
  linkKeys: KeyRing,
  partnerId: string,
  person: { username: string; email?: string | null },
): Promise<
  | Done<Invitation>
  | Refused<
      'partner_not_found' | 'partner_merged' | 'person_username_not_usable' | 'email_not_usable' | 'username_taken'
    >
> {
  const username = foldForUniqueness(person.username.trim())
  const email = person.email?.trim() || null
  if (!usernameForm.test(username)) return { refused: 'person_username_not_usable' }
  if (email !== null && !isEmailForm(email)) return { refused: 'email_not_usable' }
  const partner = await lockPartner(tx, partnerId)
  if (!partner) return { refused: 'partner_not_found' }
  if (partner.mergedInto !== null) return { refused: 'partner_merged' }
  const personId = randomUUID()
  const { token, hash, expiresOn } = newInvitation(linkKeys, change.now)
  const inserted = await tx.row(sql`
    insert into partner_person
      (person_id, partner_id, username, email, invitation_hash, invitation_expires_on, created_on, updated_on)
    values (${personId}, ${partnerId}, ${username}, ${email}, ${hash}, ${expiresOn}, ${change.now}, ${change.now})
    on conflict (username) do nothing
    returning person_id`)
  if (!inserted) return { refused: 'username_taken' }
  const invitation = { personId, token, expiresOn }
  await Promise.all([
    queueMails(tx, change.now, mailOf({ username, email, partnerId }, invitation, linkKeys)),
    audit(tx, change, partnerId, 'person.invited', { personId, expiresOn }),
  ])
  return { done: { personId, token, expiresOn } }
}

/**
 * Makes a new link for a person who lost their link or password. The old link is invalid at once, the old password once
 * the new link is used.
 */
export async function inviteAgain(
  tx: Transaction,
  change: Change,
  linkKeys: KeyRing,
  personId: string,
): Promise<Done<Invitation> | Refused<'person_not_found'>> {
  const { token, hash, expiresOn } = newInvitation(linkKeys, change.now)
  const person = await tx.row<{ partnerId: string; username: string; email: string | null }>(sql`
    update partner_person
    set invitation_hash = ${hash}, invitation_expires_on = ${expiresOn}, updated_on = ${change.now}
    where person_id = ${personId}
    returning partner_id, username, email`)
  if (!person) return { refused: 'person_not_found' }
  await Promise.all([
    queueMails(tx, change.now, mailOf(person, { personId, token, expiresOn }, linkKeys)),
    audit(tx, change, person.partnerId, 'person.invited', { personId, again: true, expiresOn }),
  ])
  return { done: { personId, token, expiresOn } }
}

/** The mail with the link. A person without an e-mail address gets the link from staff alone. */
function mailOf(
  person: { username: string; email: string | null; partnerId: string },
  { personId, token, expiresOn }: Invitation,
  linkKeys: KeyRing,
): QueuedMail[] {
  const to = mailAddressOf(person)
  if (to === null) return []
  const about = { personId, expiresOn: expiresOn.toISOString() }
  return [{ kind: 'invitation', to, partnerId: person.partnerId, about, secret: { token, linkKeys } }]
}

/** Where a person gets mail: the e-mail address, or a username that is one. */
function mailAddressOf({ username, email }: { username: string; email: string | null }): string | null {
  return email ?? (isEmailForm(username) ? username : null)
}

type LinkKind = 'invitation' | 'reset'

/** The person whom a link lets in, while the link is valid. */
export function findByLink(
  queries: Queries,
  kind: LinkKind,
  linkKeys: KeyRing,
  token: string,
  now: Date,
): Promise<{ personId: string; username: string; partnerName: string } | undefined> {
  const hashes = macs(linkKeys, `${kind}/${token}`)
  // constraint partner_person_invitation, and the primary key of password_reset_link
  const linked =
    kind === 'invitation'
      ? sqlText`invitation_hash = any(${hashes}) and invitation_expires_on > ${now}`
      : sqlText`person_id = (
          select person_id from password_reset_link where reset_hash = any(${hashes}) and expires_on > ${now})`
  return queries.row(sql`
    select person_id, username, partner.name as partner_name
    from partner_person join partner using (partner_id)
    where ${linked} and partner_person.disabled_on is null and partner.disabled_on is null`)
}

/**
 * Sets the password of the person who has the link. Every link of the person becomes invalid, and sign-ins with the former
 * password end. A second factor stays. The person is told by mail of a password that was reset.
 */
export async function setPasswordByLink(
  tx: Transaction,
  change: OwnChange,
  kind: LinkKind,
  linkKeys: KeyRing,
  token: string,
  password: string,
): Promise<Done<{ username: string }> | Refused<'link_not_valid' | 'password_not_usable'>> {
  const found = await findByLink(tx, kind, linkKeys, token, change.now)
  if (!found) return { refused: 'link_not_valid' }
  if (!(await isUsablePassword(password, found.username))) return { refused: 'password_not_usable' }
  const passwordHash = await hashPassword(password)
  // Of two who use the same link at once, one waits here and then finds it used.
  await tx.row(sql`select from partner_person where person_id = ${found.personId} for no key update`)
  if (!(await findByLink(tx, kind, linkKeys, token, change.now))) return { refused: 'link_not_valid' }
  const person = await tx.row<{ personId: string; partnerId: string; username: string; email: string | null }>(sql`
    update partner_person
    set password_hash = ${passwordHash}, invitation_hash = null, invitation_expires_on = null, updated_on = ${change.now}
    where person_id = ${found.personId}
    returning person_id, partner_id, username, email`)
  if (!person) return { refused: 'link_not_valid' }
  const { personId, partnerId } = person
  await tx.rows(sql`delete from password_reset_link where person_id = ${personId}`)
  await endSignIns(tx, personId)
  const to = mailAddressOf(person)
  if (kind === 'reset' && to !== null) {
    await queueMails(tx, change.now, [{ kind: 'password_changed', to, partnerId, about: { personId } }])
  }
  const own: Change = { ...change, actor: { kind: 'PARTNER', id: partnerId } }
  await audit(tx, own, partnerId, 'person.password_set', { personId, by: kind })
  return { done: { username: found.username } }
}

/**
 * Sends a link to a person who forgot the password. Links sent before stay good until they end or one is used, so that nobody
 * who asks for another's name ends a link that the person has. Of a name that nobody signs in with, and of a
 * person without a password or an address, nothing changes.
 * @param username folded
 */
export async function askPasswordReset(
  tx: Transaction,
  change: OwnChange,
  linkKeys: KeyRing,
  username: string,
): Promise<Done> {
  const person = await tx.row<{ personId: string; partnerId: string; username: string; email: string | null }>(sql`
    select person_id, partner_id, username, email from partner_person join partner using (partner_id)
    where username = ${username} and password_hash is not null and partner_person.disabled_on is null
      and partner.disabled_on is null
    for no key update of partner_person`)
  const to = person && mailAddressOf(person)
  if (!person || !to) return { done: {} }
  const { personId, partnerId } = person
  const token = newToken('pcr')
  const expiresOn = new Date(change.now.getTime() + resetMilliseconds)
  const about = { personId, expiresOn: expiresOn.toISOString() }
  const own: Change = { ...change, actor: { kind: 'PARTNER', id: partnerId } }
  await Promise.all([
    tx.rows(sql`delete from password_reset_link where person_id = ${personId} and expires_on <= ${change.now}`),
    tx.rows(sql`
      insert into password_reset_link (reset_hash, person_id, expires_on)
      values (${mac(linkKeys, `reset/${token}`)}, ${personId}, ${expiresOn})`),
    queueMails(tx, change.now, [{ kind: 'password_reset', to, partnerId, about, secret: { token, linkKeys } }]),
    audit(tx, own, partnerId, 'person.password_reset_asked', { personId, expiresOn }),
  ])
  return { done: {} }
}

/**
 * Disabling ends every sign-in of the person: their tokens get 401 from the next request on. Enabled again, they sign
 * in with the password they had.
 */
export async function setPersonEnabled(
  tx: Transaction,
  change: Change,
  personId: string,
  enabled: boolean,
): Promise<Done | Refused<'person_not_found'>> {
  const person = await lockPerson(tx, personId)
  if (!person) return { refused: 'person_not_found' }
  if (enabled !== (person.disabledOn === null)) {
    await tx.rows(sql`
      update partner_person set disabled_on = ${enabled ? null : change.now}, updated_on = ${change.now}
      where person_id = ${personId}`)
    if (!enabled) await endSignIns(tx, personId)
    await audit(tx, change, person.partnerId, enabled ? 'person.enabled' : 'person.disabled', { personId })
  }
  return { done: {} }
}

/**
 * Removes the second factor of a person who lost their authenticator app and the recovery codes. Where one is required,
 * the next sign-in sets up another. Of a person without one nothing changes.
 */
export async function resetSecondFactor(
  tx: Transaction,
  change: Change,
  personId: string,
): Promise<Done | Refused<'person_not_found'>> {
  const person = await lockPerson(tx, personId)
  if (!person) return { refused: 'person_not_found' }
  if (!person.hasSecondFactor) return { done: {} }
  await tx.rows(sql`
    update partner_person
    set second_factor = null, second_factor_step = null, recovery_codes = '{}', updated_on = ${change.now}
    where person_id = ${personId}`)
  await endSignIns(tx, personId)
  await audit(tx, change, person.partnerId, 'person.second_factor_reset', { personId })
  return { done: {} }
}

function lockPerson(tx: Transaction, personId: string) {
  return tx.row<{ partnerId: string; disabledOn: string | null; hasSecondFactor: boolean }>(sql`
    select partner_id, disabled_on, second_factor is not null as has_second_factor
    from partner_person where person_id = ${personId}
    for no key update`)
}

function newInvitation(linkKeys: KeyRing, now: Date): { token: string; hash: Buffer; expiresOn: Date } {
  const token = newToken('pci')
  const expiresOn = new Date(now.getTime() + invitationMilliseconds)
  return { token, hash: mac(linkKeys, `invitation/${token}`), expiresOn }
}

function newToken(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}
