import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/world/database.ts'
import { bearerPartner, staffChange } from '../../test/world/partner-builder.ts'
import { sql } from '../database/sql.ts'
import {
  acceptInvitation,
  disablePerson,
  enablePerson,
  findInvitation,
  inviteAgain,
  invitePerson,
  resetSecondFactor,
  setPartnerSecondFactor,
} from './people.ts'
import { listPeople } from './people-records.ts'
import {
  confirmSecondFactor,
  provePassword,
  proveSecondFactor,
  recordSignIn,
  showSecondFactor,
} from './person-proof.ts'
import { disablePartner, enablePartner } from './partners.ts'
import { codeOf } from './second-factor.ts'
import { listSignInClients, registerSignInClient, removeSignInClient } from './sign-in-clients.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const later = (milliseconds: number): Date => new Date(now.getTime() + milliseconds)
const change = staffChange(now)
const own = { now, requestId: null }
const linkKey = Buffer.alloc(32, 'link')
const storedKey = Buffer.alloc(32, 'stored')
const password = 'ink on good paper'

const { database } = await testDatabase()
const { partnerId } = await bearerPartner(database, now)

async function invited(username: string, email?: string) {
  const answer = await database.transaction((tx) => invitePerson(tx, change, linkKey, partnerId, { username, email }))
  assert.ok(answer.outcome === 'invited', answer.outcome)
  return answer
}

async function active(username: string): Promise<string> {
  const { personId, token } = await invited(username)
  const accepted = await database.transaction((tx) => acceptInvitation(tx, own, linkKey, token, password))
  assert.equal(accepted.outcome, 'accepted')
  return personId
}

test('an invitation sets a password once, in its time, and not just any', async () => {
  const { token, personId } = await invited('Ana@Acme.example', 'ana@acme.example')
  const accept = (text: string, at = now, by = token) =>
    database.transaction((tx) => acceptInvitation(tx, { now: at, requestId: null }, linkKey, by, text))
  assert.equal((await accept('too short')).outcome, 'password_not_usable')
  assert.equal((await accept('ana@acme.EXAMPLE')).outcome, 'password_not_usable')
  assert.equal((await accept(password, later(7 * 86_400_000))).outcome, 'invitation_not_good')
  assert.equal((await accept(password, now, `${token}x`)).outcome, 'invitation_not_good')
  assert.equal(await provePassword(database, 'ana@acme.example', password), undefined)
  const both = await Promise.all([accept(password), accept('another good password')])
  assert.deepEqual(both.map(({ outcome }) => outcome).toSorted(), ['accepted', 'invitation_not_good'])
  const taken = both[0].outcome === 'accepted' ? password : 'another good password'
  assert.deepEqual(await provePassword(database, ' ANA@acme.example', taken), { personId, secondFactor: 'none' })

  const again = await database.transaction((tx) => inviteAgain(tx, change, linkKey, personId))
  assert.ok(again.outcome === 'invited')
  assert.ok(await findInvitation(database.reads, linkKey, again.token, now))
  assert.equal((await accept('a third good password', now, again.token)).outcome, 'accepted')
  assert.equal(await provePassword(database, 'ana@acme.example', taken), undefined)
})

test('a username is one of its kind, whatever its letters, and has a form', async () => {
  await invited('Bea')
  const wish = (username: string, email?: string) =>
    database.transaction((tx) => invitePerson(tx, change, linkKey, partnerId, { username, email }))
  assert.equal((await wish('BEA ')).outcome, 'username_taken')
  for (const username of ['', 'b', 'b ea', '-bea', 'b<ea', 'x'.repeat(101)]) {
    assert.equal((await wish(username)).outcome, 'username_not_usable')
  }
  assert.equal((await wish('bea2', 'nobody')).outcome, 'email_not_usable')
  const nowhere = '00000000-0000-4000-8000-000000000000'
  const unknown = { username: 'bea3' }
  const answer = await database.transaction((tx) => invitePerson(tx, change, linkKey, nowhere, unknown))
  assert.equal(answer.outcome, 'partner_not_found')
})

test('STF-06 who is disabled, or whose partner is, proves nothing until enabled again', async () => {
  const personId = await active('cai')
  const proven = () => provePassword(database, 'cai', password)
  await database.transaction((tx) => disablePerson(tx, change, personId))
  assert.equal(await proven(), undefined)
  assert.equal(await database.transaction((tx) => recordSignIn(tx, own, personId, 'app')), false)
  await database.transaction((tx) => enablePerson(tx, change, personId))
  assert.ok(await proven())
  await database.transaction((tx) => disablePartner(tx, change, partnerId))
  assert.equal(await proven(), undefined)
  await database.transaction((tx) => enablePartner(tx, change, partnerId))
  assert.ok(await proven())
})

test('a second factor is set up once it works, asked for from then on, and reset by staff', async () => {
  const personId = await active('dov')
  const need = async () => (await provePassword(database, 'dov', password))!.secondFactor
  assert.equal(await need(), 'none')
  await database.transaction((tx) => setPartnerSecondFactor(tx, change, partnerId, true))
  assert.equal(await need(), 'enrol')
  const show = () => database.transaction((tx) => showSecondFactor(tx, storedKey, personId))
  const { secret } = (await show())!
  assert.deepEqual((await show())!.secret, secret)
  const step = Math.floor(now.getTime() / 30_000)
  const confirm = (code: string) =>
    database.transaction((tx) => confirmSecondFactor(tx, storedKey, own, personId, code))
  assert.equal(await confirm('000000'), undefined)
  const { recoveryCodes } = (await confirm(codeOf(secret, step)))!
  assert.equal(await need(), 'ask')
  assert.equal(await show(), undefined)

  const prove = (code: string, at = now) =>
    database.transaction((tx) => proveSecondFactor(tx, storedKey, { now: at, requestId: null }, personId, code))
  assert.equal(await prove(codeOf(secret, step)), false)
  const twice = await Promise.all([1, 2].map(() => prove(codeOf(secret, step + 1), later(30_000))))
  assert.deepEqual(twice.toSorted(), [false, true])
  assert.equal(await prove(recoveryCodes[3]!.toUpperCase()), true)
  assert.equal(await prove(recoveryCodes[3]!), false)
  // The secret and the codes stand nowhere in clear.
  const row = await database.reads.row<{ text: string }>(
    sql`select row_to_json(partner_person)::text as text from partner_person where person_id = ${personId}`,
  )
  assert.ok(!row!.text.includes(secret.toString('hex')))

  await database.transaction((tx) => resetSecondFactor(tx, change, personId))
  assert.equal(await need(), 'enrol')
  assert.equal(await prove(recoveryCodes[4]!), false)
  await database.transaction((tx) => setPartnerSecondFactor(tx, change, partnerId, false))
  assert.equal(await need(), 'none')
})

test('staff see people by username with what they need to help, and every change is on record', async () => {
  const people = await listPeople(database.reads, partnerId, { after: '', limit: 10 })
  assert.deepEqual(
    people.map(({ username, status }) => `${username} ${status}`),
    ['ana@acme.example active', 'bea invited', 'cai active', 'dov active'],
  )
  const actions = await database.reads.rows<{ action: string }>(
    sql`select distinct action from audit_record where subject_kind = 'partner' and action like '%person%' order by 1`,
  )
  assert.deepEqual(
    actions.map(({ action }) => action),
    [
      'disabled',
      'enabled',
      'invited',
      'password_set',
      'recovery_code_used',
      'second_factor_reset',
      'second_factor_set_up',
    ].map((what) => `person.${what}`),
  )
})

test('an application is registered with redirects that are safe, once, and removed', async () => {
  const register = (changes: object) =>
    database.transaction((tx) =>
      registerSignInClient(tx, change, {
        clientId: 'desk',
        name: 'Desk',
        redirectUris: ['https://desk.example/callback', 'http://127.0.0.1/callback', 'com.example.desk:/callback'],
        isNative: true,
        ...changes,
      }),
    )
  for (const uri of [
    'http://desk.example/',
    'javascript:alert(1)',
    'https://desk.example/#x',
    'nothing',
    'data:text/html,x',
  ]) {
    assert.equal((await register({ redirectUris: [uri] })).outcome, 'redirect_uris_not_usable', uri)
  }
  assert.equal((await register({ clientId: 'https://desk.example/client.json' })).outcome, 'client_id_not_usable')
  assert.equal((await register({})).outcome, 'registered')
  assert.equal((await register({})).outcome, 'client_id_taken')
  assert.equal((await listSignInClients(database.reads)).length, 1)
  const remove = () => database.transaction((tx) => removeSignInClient(tx, change, 'desk'))
  assert.deepEqual([(await remove()).outcome, (await remove()).outcome], ['removed', 'client_not_found'])
})
