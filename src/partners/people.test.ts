import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done } from '../../test/world/done.ts'
import { testDatabase } from '../../test/world/database.ts'
import { bearerPartner, staffChange } from '../../test/world/partner-builder.ts'
import { sql } from '../database/sql.ts'
import {
  findByLink,
  inviteAgain,
  invitePerson,
  setPasswordByLink,
  resetSecondFactor,
  setPersonEnabled,
} from './people.ts'
import { listPeople } from './people-records.ts'
import { confirmSecondFactor, provePassword, proveSecondFactor, recordSignIn } from './person-proof.ts'
import { setPartnerEnabled, setPartnerSecondFactor } from './partners.ts'
import { codeOf, newSecondFactor } from './second-factor.ts'
import { listSignInClients, registerSignInClient, removeSignInClient } from './sign-in-clients.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const later = (milliseconds: number): Date => new Date(now.getTime() + milliseconds)
const change = staffChange(now)
const own = { now, requestId: null }
const linkKeys = [Buffer.alloc(32, 'link')] as const
const storedKeys = [Buffer.alloc(32, 'stored')] as const
const password = 'ink on good paper'

const { database } = await testDatabase()
const { partnerId } = await bearerPartner(database, now)

function invited(username: string, email?: string) {
  return done(database.change((tx) => invitePerson(tx, change, linkKeys, partnerId, { username, email })))
}

async function active(username: string): Promise<string> {
  const { personId, token } = await invited(username)
  await done(database.change((tx) => setPasswordByLink(tx, own, 'invitation', linkKeys, token, password)))
  return personId
}

test('an invitation sets an acceptable password once, before it expires', async () => {
  const { token, personId } = await invited('Ana@Acme.example', 'ana@acme.example')
  const accept = (text: string, at = now, by = token) =>
    database.change((tx) => setPasswordByLink(tx, { now: at, requestId: null }, 'invitation', linkKeys, by, text))
  assert.deepEqual(await accept('too short'), { refused: 'password_not_usable' })
  assert.deepEqual(await accept('ana@acme.EXAMPLE'), { refused: 'password_not_usable' })
  assert.deepEqual(await accept(password, later(7 * 86_400_000)), { refused: 'link_not_valid' })
  assert.deepEqual(await accept(password, now, `${token}x`), { refused: 'link_not_valid' })
  assert.equal(await provePassword(database, 'ana@acme.example', password), undefined)
  const both = await Promise.all([accept(password), accept('another good password')])
  assert.equal(both.filter((each) => 'done' in each).length, 1)
  assert.ok(both.some((each) => 'refused' in each && each.refused === 'link_not_valid'))
  const taken = 'done' in both[0] ? password : 'another good password'
  assert.deepEqual(await provePassword(database, ' ANA@acme.example', taken), {
    person: { personId, username: 'ana@acme.example', signInsEnded: 1 },
    secondFactor: 'none',
  })

  const again = await done(database.change((tx) => inviteAgain(tx, change, linkKeys, personId)))
  assert.ok(await findByLink(database.reads, 'invitation', linkKeys, again.token, now))
  await done(accept('a third good password', now, again.token))
  assert.equal(await provePassword(database, 'ana@acme.example', taken), undefined)
})

test('a username is unique in any letter case, and must have the form of one', async () => {
  await invited('Bea')
  const wish = (username: string, email?: string) =>
    database.change((tx) => invitePerson(tx, change, linkKeys, partnerId, { username, email }))
  assert.deepEqual(await wish('BEA '), { refused: 'username_taken' })
  for (const username of ['', 'b', 'b ea', '-bea', 'b<ea', 'x'.repeat(101)]) {
    assert.deepEqual(await wish(username), { refused: 'person_username_not_usable' })
  }
  assert.deepEqual(await wish('bea2', 'nobody'), { refused: 'email_not_usable' })
  const nowhere = '00000000-0000-4000-8000-000000000000'
  const unknown = { username: 'bea3' }
  const answer = await database.change((tx) => invitePerson(tx, change, linkKeys, nowhere, unknown))
  assert.deepEqual(answer, { refused: 'partner_not_found' })
})

test('STF-06 a person who is disabled, or whose partner is, cannot sign in until enabled again', async () => {
  const personId = await active('cai')
  const proven = () => provePassword(database, 'cai', password)
  const { person } = (await proven())!
  const finish = () => database.change((tx) => recordSignIn(tx, own, person, 'app'))
  await database.change((tx) => setPersonEnabled(tx, change, personId, false))
  assert.equal(await proven(), undefined)
  assert.deepEqual(await finish(), { refused: 'sign_in_ended' })
  await database.change((tx) => setPersonEnabled(tx, change, personId, true))
  // What was proven before stays void.
  assert.deepEqual(await finish(), { refused: 'sign_in_ended' })
  assert.ok(await proven())
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, false))
  assert.equal(await proven(), undefined)
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, true))
  assert.ok(await proven())
})

test('a second factor is active once a code has proved it, required from then on, and reset by staff', async () => {
  const personId = await active('dov')
  const need = async () => (await provePassword(database, 'dov', password))!.secondFactor
  assert.equal(await need(), 'none')
  await database.change((tx) => setPartnerSecondFactor(tx, change, partnerId, true))
  assert.equal(await need(), 'enrol')
  const { person } = (await provePassword(database, 'dov', password))!
  const secret = newSecondFactor()
  const step = Math.floor(now.getTime() / 30_000)
  const confirm = (code: string) =>
    database.change((tx) => confirmSecondFactor(tx, own, storedKeys, person, secret, code))
  assert.deepEqual(await confirm('000000'), { refused: 'code_wrong' })
  const { recoveryCodes } = await done(confirm(codeOf(secret, step)))
  assert.equal(await need(), 'ask')
  assert.deepEqual(await confirm(codeOf(secret, step)), { refused: 'sign_in_ended' })

  const proves = async (code: string, at = now) =>
    'done' in
    (await database.change((tx) => proveSecondFactor(tx, { now: at, requestId: null }, storedKeys, person, code)))
  assert.equal(await proves(codeOf(secret, step)), false)
  const twice = await Promise.all([1, 2].map(() => proves(codeOf(secret, step + 1), later(30_000))))
  assert.deepEqual(twice.toSorted(), [false, true])
  assert.equal(await proves(recoveryCodes[3]!.toUpperCase()), true)
  assert.equal(await proves(recoveryCodes[3]!), false)
  // Neither the secret nor the codes are stored in clear.
  const row = await database.reads.row<{ text: string }>(
    sql`select row_to_json(partner_person)::text as text from partner_person where person_id = ${personId}`,
  )
  assert.ok(!row!.text.includes(secret.toString('hex')))

  await database.change((tx) => resetSecondFactor(tx, change, personId))
  assert.equal(await need(), 'enrol')
  assert.equal(await proves(recoveryCodes[4]!), false)
  await database.change((tx) => setPartnerSecondFactor(tx, change, partnerId, false))
  assert.equal(await need(), 'none')
})

test('staff see people by username with what they need to help, and every change is audited', async () => {
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

test('an application is registered once, with safe redirects, and removed', async () => {
  const register = (changes: object) =>
    database.change((tx) =>
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
    assert.deepEqual(await register({ redirectUris: [uri] }), { refused: 'redirect_uris_not_usable' }, uri)
  }
  assert.deepEqual(await register({ clientId: 'https://desk.example/client.json' }), {
    refused: 'client_id_not_usable',
  })
  await done(register({}))
  assert.deepEqual(await register({}), { refused: 'client_id_taken' })
  assert.equal((await listSignInClients(database.reads)).length, 1)
  const remove = () => database.change((tx) => removeSignInClient(tx, change, 'desk'))
  await done(remove())
  assert.deepEqual(await remove(), { refused: 'sign_in_client_not_found' })
})
