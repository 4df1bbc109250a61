import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { problemMeaning } from '../../contract/problems.ts'
import { setOrderingUser } from '../../platform/sites/ordering-user.ts'
import type { Change } from '../../vocabulary/change.ts'
import { done } from '../../../test/world/done.ts'
import { lockWait } from '../../../test/world/lock-waits.ts'
import { type Answer, partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

let turn = 0

/** The segments of the main site: one filled only by people, one by e-mail domain, one by division. */
const segmentByHand = 301
const segmentByDomain = 302
const segmentByDivision = 303
const ruledDomain = 'franchise.example'

const service = await testService()
const primary = await partner(service, 'primary')
const outsider = await partner(service, 'outsider')

/** A valid new user; each test changes the fields it is about. */
function newUser(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const username = `new.user.${++turn}`
  return {
    siteId: service.manifest.sites.main,
    username,
    email: `${username}@example.com`,
    firstName: 'Nora',
    lastName: 'Lind',
    ...changes,
  }
}

async function created(changes: Record<string, unknown> = {}): Promise<Answer['body']> {
  const answer = await primary.post('/v1/users', newUser(changes))
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

async function shown(userId: number): Promise<Answer['body']> {
  return (await primary.get(`/v1/users/${userId}`)).body
}

function codeOf(answer: Answer): [number, string] {
  return [answer.status, answer.body.code]
}

async function change(statement: ReturnType<typeof sql>): Promise<void> {
  await service.owner.production.statements.rows(statement)
}

type Audited = {
  actorKind: string
  actorId: string
  action: string
  subjectKind: string
  subjectId: string
  siteId: number
  detail: Record<string, unknown>
}

async function auditOf(answer: Answer): Promise<Audited[]> {
  return service.production.database.statements.rows<Audited>(sql`
    select actor_kind, actor_id, action, subject_kind, subject_id, site_id, detail from audit_record
    where request_id = ${answer.headers.get('request-id')} order by audit_id`)
}

test('USR-05 a user is created with the fields sent, the answer equals a read, and Location leads to the user', async () => {
  const { child } = service.manifest.fixtures.divisions
  const body = newUser({ company: 'Lind & Co', phone: '+46 8 555 010', divisionId: child, active: false })
  const answer = await primary.post('/v1/users', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const { userId, createdOn, updatedOn, segments, ...facts } = answer.body
  assert.deepEqual(facts, {
    ...body,
    lastSigninOn: null,
    ordersRequireApproval: false,
    allSegmentsVisible: false,
    taxExempt: false,
  })
  assert.equal(createdOn, updatedOn)
  assert.deepEqual(segments, [{ segmentId: segmentByDivision, name: 'Field sales', autoAssigned: true }])
  assert.equal(answer.headers.get('location'), `/v1/users/${userId}`)
  assert.deepEqual((await primary.get(answer.headers.get('location')!)).body, answer.body)
})

test('USR-05 omitted optional fields are null, and a new user is active', async () => {
  const { company, phone, divisionId, active, segments } = await created()
  assert.deepEqual(
    { company, phone, divisionId, active, segments },
    {
      company: null,
      phone: null,
      divisionId: null,
      active: true,
      segments: [],
    },
  )
  const asNull = await created({ company: null, phone: null, divisionId: null })
  assert.deepEqual([asNull.company, asNull.phone, asNull.divisionId], [null, null, null])
})

test('USR-05 GEN-11 ERR-19 ERR-36 a body of the wrong shape creates no user', async () => {
  const without = (field: string): Record<string, unknown> => {
    const { [field]: _, ...rest } = newUser()
    return rest
  }
  const expected: [unknown, string][] = [
    [newUser({ password: 'secret' }), 'invalid_request'],
    [newUser({ segments: [] }), 'invalid_request'],
    [newUser({ allSegmentsVisible: true }), 'invalid_request'],
    [newUser({ username: '' }), 'invalid_request'],
    [newUser({ username: '   ' }), 'invalid_request'],
    [newUser({ username: 'u'.repeat(101) }), 'invalid_request'],
    [newUser({ active: 'true' }), 'invalid_request'],
    [newUser({ divisionId: '5001' }), 'invalid_request'],
    ...['username', 'email', 'firstName', 'lastName', 'siteId'].map((field): [unknown, string] => [
      without(field),
      'invalid_request',
    ]),
    ...['username', 'email', 'firstName', 'lastName', 'siteId', 'active'].map((field): [unknown, string] => [
      newUser({ [field]: null }),
      'null_not_supported',
    ]),
    ['[]', 'invalid_request'],
    ['{', 'invalid_request'],
    ['{"siteId":1,"siteId":1}', 'invalid_request'],
    [undefined, 'invalid_request'],
  ]
  const untouched = await countUsers()
  for (const [body, code] of expected) {
    assert.deepEqual(codeOf(await primary.post('/v1/users', body)), [400, code], JSON.stringify(body))
  }
  assert.equal(await countUsers(), untouched)
})

async function countUsers(): Promise<number> {
  const row = await service.production.database.statements.row<{ count: number }>(
    sql`select count(*) as count from site_user`,
  )
  return row!.count
}

test('USR-05 TEN-02 ERR-10 a site outside the grant, a missing one and a malformed one are refused alike', async () => {
  for (const siteId of [service.manifest.sites.foreign, 999_999_999, 0, -1, 1.5, '101', 2_147_483_648]) {
    const answer = await primary.post('/v1/users', newUser({ siteId }))
    assert.deepEqual(codeOf(answer), [400, 'invalid_site_id'], String(siteId))
  }
})

test('ERR-62 a username or e-mail address of the site is taken in any letter case and composition', async () => {
  const first = await created({ username: 'José.Straße', email: 'jose.taken@example.com' })
  for (const taken of [
    { username: first.username },
    { username: 'JOSÉ.STRAßE' },
    { username: 'jose\u0301.straße' },
    { email: first.email },
    { email: 'Jose.Taken@EXAMPLE.com' },
    { username: first.username, email: first.email },
  ]) {
    assert.deepEqual(codeOf(await primary.post('/v1/users', newUser(taken))), [409, 'user_already_exists'])
  }
  assert.equal(first.username, 'José.Straße')
})

test('ERR-62 usernames of a site are the same without spaces around them, hidden characters, full width or full letter case', async () => {
  const first = await created({ username: `Weiß.${++turn}` })
  const number = first.username.slice('Weiß.'.length)
  for (const same of [` weiß.${number}`, `weiß.${number}\u00a0`, `WEISS.${number}`, `ｗeiß.${number}`]) {
    assert.deepEqual(codeOf(await primary.post('/v1/users', newUser({ username: same }))), [409, 'user_already_exists'])
  }
  await assert.rejects(
    change(sql`
      insert into site_user (site_id, username, username_folded, created_on, updated_on)
      values (${service.manifest.sites.main}, 'x', ${`weiss.${number}`}, now(), now())`),
    /site_user_username_unique_on_site/,
  )
})

test('ERR-35 a username with hidden characters or letters of two look-alike alphabets is rejected', async () => {
  const untouched = await countUsers()
  const hidden = ['da\u200bna', 'dana\u2060', '\ufeffdana', '\u200b', 'da\u0007na', 'da\u202ena']
  const mixed = ['dan\u0430', 'D\u03b1na', '\u0430\u03b2']
  for (const username of [...hidden, ...mixed]) {
    const answer = await primary.post('/v1/users', newUser({ username }))
    assert.deepEqual(codeOf(answer), [400, 'monolith_rejected'], JSON.stringify(username))
  }
  assert.equal(await countUsers(), untouched)
  for (const username of [`Δανάη ${++turn}`, `Дана ${turn}`, `山田taro ${turn}`]) await created({ username })
})

test('ERR-62 TEN-05 usernames and e-mail addresses of another site are free', async () => {
  const { second, foreign } = service.manifest.sites
  const names = { username: 'free.elsewhere', email: 'free.elsewhere@example.com' }
  await created(names)
  await created({ ...names, siteId: second })
  assert.equal((await outsider.post('/v1/users', newUser({ ...names, siteId: foreign }))).status, 201)
})

test('ERR-62 concurrent requests for the same username or e-mail address create one user', async () => {
  for (const same of ['username', 'email'] as const) {
    const { [same]: shared } = newUser()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => primary.post('/v1/users', newUser({ [same]: shared }))),
    )
    assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [201, ...Array<number>(11).fill(409)])
    for (const answer of answers.filter(({ status }) => status === 409)) {
      assert.equal(answer.body.code, 'user_already_exists')
    }
  }
})

/** Each accepted by the form of the field and refused by the platform. */
const unacceptable: Record<string, unknown>[] = [
  { email: 'no address' },
  { email: '' },
  { email: 'a@b' },
  { email: 'a b@example.com' },
  { email: 'a@example.com, b@example.com' },
  { email: `${'a'.repeat(65)}@example.com` },
  { firstName: 'F'.repeat(101) },
  { lastName: 'L'.repeat(101) },
  { company: 'C'.repeat(101) },
  { phone: '5'.repeat(41) },
  { firstName: '   ' },
  { firstName: '' },
  { lastName: '' },
  { lastName: '\u0007' },
  { lastName: 'Li\nnd' },
  { company: '\u200b\u00a0' },
  { phone: '\u2060' },
]

test('ERR-35 a create that the platform itself rejects is refused with one generic sentence', async () => {
  for (const fields of unacceptable) {
    const answer = await primary.post('/v1/users', newUser(fields))
    assert.deepEqual(codeOf(answer), [400, 'monolith_rejected'], JSON.stringify(fields))
    assert.equal(answer.body.detail, problemMeaning('monolith_rejected'))
  }
})

test('ERR-35 texts as long as the platform accepts are counted in characters', async () => {
  const user = await created({ firstName: '😀'.repeat(100), lastName: 'é'.repeat(100), phone: '5'.repeat(40) })
  assert.equal(user.firstName, '😀'.repeat(100))
  const changed = await primary.patch(`/v1/users/${user.userId}`, { company: '😀'.repeat(100) })
  assert.equal(changed.status, 200)
  assert.deepEqual(codeOf(await primary.patch(`/v1/users/${user.userId}`, { company: '😀'.repeat(101) })), [
    400,
    'monolith_rejected',
  ])
})

test('ERR-68 a division that is missing, or on another site, is refused on create and on PATCH, and nothing changes', async () => {
  const { plain } = service.manifest.fixtures.users
  const ofSecond = await service.production.database.statements.row<{ divisionId: number }>(sql`
    select division_id from division where site_id = ${service.manifest.sites.second}`)
  const untouched = await shown(plain)
  for (const divisionId of [
    ofSecond!.divisionId,
    service.manifest.fixtures.foreign.divisionId,
    999_999_999,
    2_147_483_647,
    2_147_483_648,
    0,
    -5,
  ]) {
    const answers = await Promise.all([
      primary.post('/v1/users', newUser({ divisionId })),
      primary.patch(`/v1/users/${plain}`, { divisionId, firstName: 'Changed' }),
    ])
    for (const answer of answers) assert.deepEqual(codeOf(answer), [422, 'division_not_on_site'], String(divisionId))
  }
  assert.deepEqual(await shown(plain), untouched)
})

test('USR-06 USR-18 USR-19 each field can be changed alone, and the others keep their values', async () => {
  const user = await created({ company: 'Before', phone: '1', divisionId: service.manifest.fixtures.divisions.root })
  const path = `/v1/users/${user.userId}`
  let expected = user
  for (const wish of [
    { active: false },
    { email: 'changed.alone@example.com' },
    { firstName: 'Changed' },
    { lastName: 'Alone' },
    { company: 'After' },
    { phone: '2' },
    { divisionId: service.manifest.fixtures.divisions.inactive },
    { active: true, firstName: 'Back', company: 'Again' },
  ]) {
    const answer = await primary.patch(path, wish)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    expected = { ...expected, ...wish, updatedOn: answer.body.updatedOn }
    assert.deepEqual(answer.body, expected)
    assert.ok(answer.body.updatedOn > user.createdOn)
  }
  assert.deepEqual(await shown(user.userId), expected)
})

test('USR-08 USR-21 an empty company or phone is none, and none in place of none changes nothing', async () => {
  const user = await created({ company: '', phone: '' })
  assert.deepEqual([user.company, user.phone], [null, null])
  const same = await primary.patch(`/v1/users/${user.userId}`, { company: '', phone: '' })
  assert.deepEqual([same.status, same.body], [200, user])
  const filled = await primary.patch(`/v1/users/${user.userId}`, { company: 'Some', phone: '1' })
  assert.deepEqual([filled.body.company, filled.body.phone], ['Some', '1'])
  const cleared = await primary.patch(`/v1/users/${user.userId}`, { company: '', phone: '' })
  assert.deepEqual([cleared.body.company, cleared.body.phone], [null, null])
})

test('USR-21 null clears company, phone and divisionId', async () => {
  const user = await created({ company: 'Some', phone: '1', divisionId: service.manifest.fixtures.divisions.root })
  const answer = await primary.patch(`/v1/users/${user.userId}`, { company: null, phone: null, divisionId: null })
  assert.deepEqual([answer.body.company, answer.body.phone, answer.body.divisionId], [null, null, null])
})

test('USR-22 ERR-36 null does not clear email, firstName, lastName or active, even if the request has other errors', async () => {
  const { plain } = service.manifest.fixtures.users
  for (const field of ['email', 'firstName', 'lastName', 'active']) {
    for (const body of [{ [field]: null }, { company: 'X', [field]: null }, { username: 5, [field]: null }]) {
      const answer = await primary.patch(`/v1/users/${plain}`, body)
      assert.deepEqual(codeOf(answer), [400, 'null_not_supported'], JSON.stringify(body))
    }
  }
})

test('USR-12 USR-18 USR-20 USR-23 GEN-11 an empty body, an unwritable field or a wrong type changes nothing', async () => {
  const { plain } = service.manifest.fixtures.users
  const untouched = await shown(plain)
  const bodies: unknown[] = [
    {},
    { username: 'other.name' },
    { password: 'secret' },
    { siteId: service.manifest.sites.second },
    { allSegmentsVisible: true },
    { segments: [] },
    { segmentIds: [segmentByHand] },
    { taxExempt: true },
    { ordersRequireApproval: false },
    { firstName: 'Changed', userId: 1 },
    { active: 'false' },
    { active: 1 },
    { email: 5 },
    { firstName: ['X'] },
    { company: false },
    { divisionId: '5001' },
    { divisionId: 1.5 },
    { Email: 'other@example.com' },
    '[]',
    '"text"',
    'null',
    '{"firstName":"A","firstName":"B"}',
    undefined,
  ]
  for (const body of bodies) {
    const answer = await primary.patch(`/v1/users/${plain}`, body)
    assert.deepEqual(codeOf(answer), [400, 'invalid_request'], JSON.stringify(body))
  }
  assert.deepEqual(await shown(plain), untouched)
})

test('USR-24 ERR-35 a PATCH the platform refuses gets one answer that repeats nothing', async () => {
  const { plain } = service.manifest.fixtures.users
  const untouched = await shown(plain)
  for (const wish of unacceptable) {
    const answer = await primary.patch(`/v1/users/${plain}`, wish)
    const { requestId, ...document } = answer.body
    assert.deepEqual(document, {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      code: 'monolith_rejected',
      detail: problemMeaning('monolith_rejected'),
    })
    assert.equal(typeof requestId, 'string')
  }
  assert.deepEqual(await shown(plain), untouched)
})

test('ERR-62 a PATCH to an e-mail address that another user of the site has answers as a create does, and changes nothing', async () => {
  const { plain } = service.manifest.fixtures.users
  const taken = await created()
  const untouched = await shown(plain)
  for (const wish of [{ email: taken.email }, { email: taken.email.toUpperCase(), firstName: 'X' }]) {
    const patched = await primary.patch(`/v1/users/${plain}`, wish)
    assert.deepEqual(codeOf(patched), [409, 'user_already_exists'])
    const posted = await primary.post('/v1/users', newUser({ email: wish.email }))
    assert.equal(patched.body.detail, posted.body.detail)
  }
  assert.deepEqual(await shown(plain), untouched)
  const elsewhere = await created({ siteId: service.manifest.sites.second })
  assert.equal((await primary.patch(`/v1/users/${elsewhere.userId}`, { email: taken.email })).status, 200)
})

test("STF-10 ERR-35 a partner can neither deactivate a site's ordering user nor move it, and can change all else of it", async () => {
  const { main } = service.manifest.sites
  const site = await service.production.database.statements.row<{ userId: number }>(sql`
    select ordering_user_id as user_id from site where site_id = ${main}`)
  const { userId } = site!
  const path = `/v1/users/${userId}`
  const untouched = await shown(userId)
  const { root, child } = service.manifest.fixtures.divisions
  const elsewhere = untouched.divisionId === root ? child : root
  const toNone = untouched.divisionId === null ? [] : [{ divisionId: null }]
  for (const wish of [{ active: false }, { divisionId: elsewhere }, ...toNone, { active: false, firstName: 'X' }]) {
    const answer = await primary.patch(path, wish)
    assert.deepEqual(codeOf(answer), [400, 'monolith_rejected'], JSON.stringify(wish))
    assert.match(answer.body.detail, /only staff can deactivate it or move it/)
  }
  assert.deepEqual(await shown(userId), untouched)
  const same = { active: true, divisionId: untouched.divisionId, phone: '+1 555 0100' }
  const changed = await primary.patch(path, same)
  assert.deepEqual([changed.status, changed.body.phone], [200, '+1 555 0100'])
  // Another site's ordering user is no reason to refuse, nor is a user who was one once.
  const ofSecond = await created({ siteId: service.manifest.sites.second })
  assert.equal((await primary.patch(`/v1/users/${ofSecond.userId}`, { active: false })).body.active, false)
})

test('STF-10 a user who becomes the ordering user while a partner deactivates it stays active', async () => {
  const { main } = service.manifest.sites
  const { database } = service.production
  const former = await database.statements.row<{ userId: number }>(sql`
    select ordering_user_id as user_id from site where site_id = ${main}`)
  const user = await created()
  const byStaff: Change = { actor: { kind: 'STAFF', id: 'tester' }, now: new Date(), requestId: null }
  const deactivated = await database.transaction(async (tx) => {
    await done(setOrderingUser(tx, byStaff, main, user.userId))
    const answer = primary.patch(`/v1/users/${user.userId}`, { active: false })
    await lockWait(database, 'for no key update')
    return { answer }
  })
  assert.deepEqual(codeOf(await deactivated.answer), [400, 'monolith_rejected'])
  assert.equal((await shown(user.userId)).active, true)
  await database.change((tx) => setOrderingUser(tx, byStaff, main, former!.userId))
  assert.equal((await primary.patch(`/v1/users/${user.userId}`, { active: false })).body.active, false)
})

test('USR-18 an address may change its letter case, and an address no longer used is free again', async () => {
  const user = await created({ email: 'Given.Up@example.com' })
  const path = `/v1/users/${user.userId}`
  assert.equal((await primary.patch(path, { email: 'given.up@EXAMPLE.com' })).body.email, 'given.up@EXAMPLE.com')
  assert.equal((await primary.patch(path, { email: 'another@example.com' })).status, 200)
  await created({ email: 'given.up@example.com' })
})

test('USR-06 one of two users who concurrently take the same free address gets it', async () => {
  for (let round = 0; round < 5; round++) {
    const users = await Promise.all([created(), created()])
    const email = `wanted.by.both.${round}@example.com`
    const answers = await Promise.all(users.map((user) => primary.patch(`/v1/users/${user.userId}`, { email })))
    assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 409])
    assert.equal(answers.find(({ status }) => status === 409)!.body.code, 'user_already_exists')
  }
})

test("USR-06 two users who concurrently take each other's address are both refused without waiting for each other", async () => {
  const [one, other] = await Promise.all([created(), created()])
  const userIds = [one.userId, other.userId]
  // The lock keeps others from writing a new address to this row: a change that got as far as writing would wait here.
  const answers = await service.production.database.transaction(async (tx) => {
    await tx.rows(sql`select from site_user where user_id = any(${userIds}::int[]) for key share`)
    return Promise.all([
      primary.patch(`/v1/users/${one.userId}`, { email: other.email }),
      primary.patch(`/v1/users/${other.userId}`, { email: one.email }),
    ])
  })
  for (const answer of answers) assert.deepEqual(codeOf(answer), [409, 'user_already_exists'])
})

test('USR-19 USR-25 concurrent PATCHes of one user keep each other’s changes, and each answers with its own', async () => {
  const user = await created()
  const wishes = [
    { firstName: 'Kept' },
    { lastName: 'Together' },
    { company: 'All & Co' },
    { phone: '42' },
    { active: false },
    { email: 'all.at.once@example.com' },
    { divisionId: service.manifest.fixtures.divisions.root },
  ]
  const answers = await Promise.all(wishes.map((wish) => primary.patch(`/v1/users/${user.userId}`, wish)))
  answers.forEach((answer, index) => {
    assert.equal(answer.status, 200)
    for (const [field, value] of Object.entries(wishes[index]!)) assert.equal(answer.body[field], value)
  })
  const left = await shown(user.userId)
  assert.deepEqual(left, { ...user, ...Object.assign({}, ...wishes), updatedOn: left.updatedOn })
})

type Membership = { segmentId: number; autoAssigned: boolean }

async function memberships(userId: number): Promise<[number, boolean][]> {
  return (await shown(userId)).segments.map((each: Membership) => [each.segmentId, each.autoAssigned])
}

test('USR-15 rules assign a new user to segments by e-mail domain, in any letter case, or by division', async () => {
  const byDomain = await created({ email: 'someone.new@Franchise.EXAMPLE' })
  assert.deepEqual(await memberships(byDomain.userId), [[segmentByDomain, true]])
  const byBoth = await created({
    email: `someone.else@${ruledDomain}`,
    divisionId: service.manifest.fixtures.divisions.child,
  })
  assert.deepEqual(await memberships(byBoth.userId), [
    [segmentByDomain, true],
    [segmentByDivision, true],
  ])
  const below = await created({ email: `someone@mail.${ruledDomain}` })
  assert.deepEqual(await memberships(below.userId), [])
  const elsewhere = await created({ email: `someone@${ruledDomain}`, siteId: service.manifest.sites.second })
  assert.deepEqual(await memberships(elsewhere.userId), [])
})

test('USR-15 USR-19 a new address or division changes the segments rules assigned, not those people assigned', async () => {
  const { child, root } = service.manifest.fixtures.divisions
  const user = await created()
  const path = `/v1/users/${user.userId}`
  await primary.put(`${path}/segments`, { segmentIds: [segmentByHand] })
  const steps: [Record<string, unknown>, [number, boolean][]][] = [
    [
      { email: `rule.one@${ruledDomain}` },
      [
        [segmentByHand, false],
        [segmentByDomain, true],
      ],
    ],
    [
      { divisionId: child },
      [
        [segmentByHand, false],
        [segmentByDomain, true],
        [segmentByDivision, true],
      ],
    ],
    [
      { email: `rule.two@${ruledDomain}`, firstName: 'Same' },
      [
        [segmentByHand, false],
        [segmentByDomain, true],
        [segmentByDivision, true],
      ],
    ],
    [
      { email: 'rule.three@example.com' },
      [
        [segmentByHand, false],
        [segmentByDivision, true],
      ],
    ],
    [
      { active: false, phone: '7' },
      [
        [segmentByHand, false],
        [segmentByDivision, true],
      ],
    ],
    [{ divisionId: root }, [[segmentByHand, false]]],
    [
      { divisionId: child },
      [
        [segmentByHand, false],
        [segmentByDivision, true],
      ],
    ],
    [{ divisionId: null }, [[segmentByHand, false]]],
  ]
  for (const [wish, expected] of steps) {
    const answer = await primary.patch(path, wish)
    assert.deepEqual(
      answer.body.segments.map((each: Membership) => [each.segmentId, each.autoAssigned]),
      expected,
      JSON.stringify(wish),
    )
  }
})

test('USR-15 a membership made by hand stays manual when a rule matches it too, and outlives the rule', async () => {
  const user = await created()
  const path = `/v1/users/${user.userId}`
  await primary.put(`${path}/segments`, { segmentIds: [segmentByDomain] })
  await primary.patch(path, { email: `by.hand@${ruledDomain}` })
  assert.deepEqual(await memberships(user.userId), [[segmentByDomain, false]])
  await primary.patch(path, { email: 'by.hand@example.com' })
  assert.deepEqual(await memberships(user.userId), [[segmentByDomain, false]])
})

test('USR-05 USR-06 every write that changes something is audited with its actor, changes and segments, never with personal texts', async () => {
  const { child } = service.manifest.fixtures.divisions
  const { main } = service.manifest.sites
  const answer = await primary.post('/v1/users', newUser({ email: `audited@${ruledDomain}` }))
  const { userId } = answer.body
  const whoAndWhat = {
    actorKind: 'PARTNER',
    actorId: service.manifest.partners.primary.partnerId,
    subjectKind: 'user',
    subjectId: String(userId),
    siteId: main,
  }
  assert.deepEqual(await auditOf(answer), [
    {
      ...whoAndWhat,
      action: 'user.created',
      detail: { active: true, divisionId: null, segmentsAdded: [segmentByDomain], segmentsRemoved: [] },
    },
  ])
  const path = `/v1/users/${userId}`
  const moved = await primary.patch(path, {
    email: 'audited.secretly@example.com',
    firstName: 'Nora',
    divisionId: child,
  })
  assert.deepEqual(await auditOf(moved), [
    {
      ...whoAndWhat,
      action: 'user.updated',
      detail: {
        changed: ['email', 'divisionId'],
        active: true,
        divisionId: child,
        segmentsAdded: [segmentByDivision],
        segmentsRemoved: [segmentByDomain],
      },
    },
  ])
  const unchanged = await primary.patch(path, { divisionId: child })
  assert.deepEqual([await auditOf(unchanged), unchanged.body.updatedOn], [[], moved.body.updatedOn])
  const refused = await primary.patch(path, { email: 'no address' })
  assert.deepEqual(await auditOf(refused), [])
})

test('GAP-40 a write is not made and answers 503 if its audit record cannot be written', async () => {
  await change(sql`
    alter table audit_record add constraint out_of_order check (action not like 'user.%') not valid`)
  const { plain } = service.manifest.fixtures.users
  const untouched = [await countUsers(), await shown(plain)]
  try {
    for (const answer of [
      await primary.post('/v1/users', newUser()),
      await primary.patch(`/v1/users/${plain}`, { firstName: 'Unrecorded' }),
      await primary.put(`/v1/users/${plain}/segments`, { segmentIds: [segmentByHand] }),
    ]) {
      assert.deepEqual(codeOf(answer), [503, 'audit_unavailable'])
    }
  } finally {
    await change(sql`alter table audit_record drop constraint out_of_order`)
  }
  assert.deepEqual([await countUsers(), await shown(plain)], untouched)
})

test('GAP-42 a user deleted before the answer is read gives monolith_target_missing', async () => {
  await change(sql`
    create function vanish() returns trigger language plpgsql security definer as $$
    begin
      delete from user_segment where user_id = new.user_id;
      delete from site_user where user_id = new.user_id;
      return null;
    end $$`)
  await change(sql`
    create constraint trigger vanish after update on site_user deferrable initially deferred
    for each row when (new.company = 'Vanishing') execute function vanish()`)
  for (const write of [
    (path: string) => primary.patch(path, { active: false }),
    (path: string) => primary.put(`${path}/segments`, { segmentIds: [segmentByHand] }),
  ]) {
    const user = await created({ company: 'Vanishing' })
    assert.deepEqual(codeOf(await write(`/v1/users/${user.userId}`)), [409, 'monolith_target_missing'])
    assert.deepEqual(codeOf(await primary.get(`/v1/users/${user.userId}`)), [404, 'user_not_found'])
  }
})
