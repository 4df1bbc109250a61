import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../database/sql.ts'
import { type Answer, partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

let turn = 0

/** The segments of the main site: one filled only by people, one by e-mail domain, one by division. */
const byHand = 301
const byDomain = 302
const byDivision = 303
const ruledDomain = 'franchise.example'

const service = await testService()
const primary = await partner(service, 'primary')
const crowdRows = await service.production.database.statements.rows<{ segmentId: number }>(sql`
  insert into segment (site_id, name, created_on, updated_on)
  select ${service.manifest.sites.main}, 'Crowd ' || turn, now(), now() from generate_series(1, 201) turn
  returning segment_id`)
/** As many as one request may name, and one more. */
const crowd = crowdRows.map((row) => row.segmentId)

type Membership = { segmentId: number; name: string; autoAssigned: boolean }

/** A user of the main site that is in no segment, unless the rules put it into one. */
async function newUser(fields: Record<string, unknown> = {}): Promise<{ userId: number; path: string }> {
  const username = `segmented.${++turn}`
  const answer = await primary.post('/v1/users', {
    siteId: service.manifest.sites.main,
    username,
    email: `${username}@example.com`,
    firstName: 'Sia',
    lastName: 'Berg',
    ...fields,
  })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return { userId: answer.body.userId, path: `/v1/users/${answer.body.userId}` }
}

function pairsOf(user: { segments: Membership[] }): [number, boolean][] {
  return user.segments.map((each) => [each.segmentId, each.autoAssigned])
}

async function pairsAt(path: string): Promise<[number, boolean][]> {
  return pairsOf((await primary.get(path)).body)
}

function codeOf(answer: Answer): [number, string] {
  return [answer.status, answer.body.code]
}

async function seeAllSegments(userId: number): Promise<void> {
  await service.production.database.statements.rows(sql`
    update site_user set all_segments_visible = true where user_id = ${userId}`)
}

test('USR-07 USR-26 USR-28 the list replaces any previous assignment, and [] clears it', async () => {
  const { path } = await newUser()
  for (const segmentIds of [[byHand], [byDivision, byHand], [byDomain], [], [byHand]]) {
    const answer = await primary.put(`${path}/segments`, { segmentIds })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.deepEqual(
      pairsOf(answer.body),
      segmentIds.toSorted().map((segmentId) => [segmentId, false]),
    )
    assert.deepEqual((await primary.get(path)).body, answer.body)
  }
})

test('USR-27 a repeated id counts once', async () => {
  const { path } = await newUser()
  const answer = await primary.put(`${path}/segments`, { segmentIds: [byHand, byDivision, byHand, byHand] })
  assert.deepEqual(pairsOf(answer.body), [
    [byHand, false],
    [byDivision, false],
  ])
})

test('LIM-28 a request names at most 200 ids, repeated ones included', async () => {
  const { path } = await newUser()
  const full = await primary.put(`${path}/segments`, { segmentIds: crowd.slice(0, 200) })
  assert.equal(full.status, 200)
  assert.equal(full.body.segments.length, 200)
  for (const segmentIds of [crowd, Array<number>(201).fill(byHand)]) {
    assert.deepEqual(codeOf(await primary.put(`${path}/segments`, { segmentIds })), [400, 'invalid_request'])
  }
  assert.equal((await primary.get(path)).body.segments.length, 200)
})

test('USR-26 GEN-11 ERR-19 a body of the wrong shape changes nothing', async () => {
  const { path } = await newUser()
  await primary.put(`${path}/segments`, { segmentIds: [byHand] })
  const bodies: unknown[] = [
    {},
    { acknowledgeAllSegmentsVisibleReset: true },
    { segmentIds: null },
    { segmentIds: byHand },
    { segmentIds: [String(byHand)] },
    { segmentIds: [1.5] },
    { segmentIds: [null] },
    { segmentIds: [], acknowledgeAllSegmentsVisibleReset: 'true' },
    { segmentIds: [], acknowledgeAllSegmentsVisibleReset: null },
    { segmentIds: [], allSegmentsVisible: false },
    { segmentIds: [], mode: 'add' },
    '[]',
    '{"segmentIds":[],"segmentIds":[]}',
    undefined,
  ]
  for (const body of bodies) {
    assert.deepEqual(
      codeOf(await primary.put(`${path}/segments`, body)),
      [400, 'invalid_request'],
      JSON.stringify(body),
    )
  }
  assert.deepEqual(await pairsAt(path), [[byHand, false]])
})

test('USR-12 USR-29 ERR-60 a user keeps seeing all segments unless the request acknowledges that this ends', async () => {
  const { allSegmentsVisible } = service.manifest.fixtures.users
  const path = `/v1/users/${allSegmentsVisible}`
  const untouched = (await primary.get(path)).body
  for (const body of [
    { segmentIds: [byHand] },
    { segmentIds: [] },
    { segmentIds: [byHand], acknowledgeAllSegmentsVisibleReset: false },
  ]) {
    assert.deepEqual(codeOf(await primary.put(`${path}/segments`, body)), [
      409,
      'all_segments_visible_reset_not_acknowledged',
    ])
  }
  assert.deepEqual((await primary.get(path)).body, untouched)

  const reset = await primary.put(`${path}/segments`, {
    segmentIds: [byHand],
    acknowledgeAllSegmentsVisibleReset: true,
  })
  assert.deepEqual([reset.status, reset.body.allSegmentsVisible], [200, false])
  const again = await primary.put(`${path}/segments`, { segmentIds: [] })
  assert.deepEqual([again.status, again.body.allSegmentsVisible, again.body.segments], [200, false, []])
})

test('USR-29 an unnecessary acknowledgement is ignored', async () => {
  const { path } = await newUser()
  const body = { segmentIds: [byHand], acknowledgeAllSegmentsVisibleReset: true }
  const answer = await primary.put(`${path}/segments`, body)
  assert.deepEqual([answer.status, answer.body.allSegmentsVisible], [200, false])
})

test('USR-30 TEN-02 ERR-69 an id that is no segment of the site is refused, and nothing changes', async () => {
  const { second } = service.manifest.fixtures.segments
  const { userId, path } = await newUser()
  await primary.put(`${path}/segments`, { segmentIds: [byHand] })
  await seeAllSegments(userId)
  const untouched = (await primary.get(path)).body
  const { foreign } = service.manifest.fixtures
  for (const wrong of [second[0]!, foreign.segmentId, 999_999_999, 2_147_483_647, 2_147_483_648, 0, -1]) {
    const answer = await primary.put(`${path}/segments`, {
      segmentIds: [byDivision, wrong, byHand],
      acknowledgeAllSegmentsVisibleReset: true,
    })
    assert.deepEqual(codeOf(answer), [422, 'segment_not_on_site'], String(wrong))
    assert.equal(answer.body.detail, `Not on the user's site: ${wrong}.`)
  }
  const two = await primary.put(`${path}/segments`, {
    segmentIds: [second[0]!, byHand, foreign.segmentId],
    acknowledgeAllSegmentsVisibleReset: true,
  })
  assert.equal(two.body.detail, `Not on the user's site: ${second[0]!}, ${foreign.segmentId}.`)
  assert.deepEqual((await primary.get(path)).body, untouched)
})

test('USR-31 ERR-61 segments assigned by a rule cannot be removed: the refusal names their ids and nothing changes', async () => {
  const { child } = service.manifest.fixtures.divisions
  const { path } = await newUser({ email: `kept.${++turn}@${ruledDomain}`, divisionId: child })
  const both: [number, boolean][] = [
    [byDomain, true],
    [byDivision, true],
  ]
  const expected: [number[], number[]][] = [
    [[], [byDomain, byDivision]],
    [[byHand], [byDomain, byDivision]],
    [[byDomain, byHand], [byDivision]],
  ]
  for (const [segmentIds, named] of expected) {
    const answer = await primary.put(`${path}/segments`, { segmentIds })
    assert.deepEqual(codeOf(answer), [409, 'auto_assigned_segments_present'])
    assert.deepEqual(answer.body.detail.match(/\d+/g).map(Number), named)
    assert.deepEqual(await pairsAt(path), both)
  }
  const kept = await primary.put(`${path}/segments`, { segmentIds: [byDivision, byDomain, byHand] })
  assert.deepEqual(pairsOf(kept.body), [[byHand, false], ...both])
})

test('USR-07 a refusal checks the acknowledgement first, then the ids, then the rules', async () => {
  const { userId, path } = await newUser({ email: `order.${++turn}@${ruledDomain}` })
  await seeAllSegments(userId)
  const put = (body: Record<string, unknown>): Promise<Answer> => primary.put(`${path}/segments`, body)
  const acknowledgeAllSegmentsVisibleReset = true
  assert.deepEqual(codeOf(await put({ segmentIds: [999_999_999] })), [
    409,
    'all_segments_visible_reset_not_acknowledged',
  ])
  assert.deepEqual(codeOf(await put({ segmentIds: [999_999_999], acknowledgeAllSegmentsVisibleReset })), [
    422,
    'segment_not_on_site',
  ])
  assert.deepEqual(codeOf(await put({ segmentIds: [], acknowledgeAllSegmentsVisibleReset })), [
    409,
    'auto_assigned_segments_present',
  ])
})

test('USR-28 one of many concurrent lists wins as a whole', async () => {
  const { path } = await newUser()
  const lists = [[byHand], [byDivision], [byHand, byDivision], [], crowd.slice(0, 60), crowd.slice(30, 90)]
  const answers = await Promise.all(
    Array.from({ length: 48 }, (_, index) =>
      primary.put(`${path}/segments`, { segmentIds: lists[index % lists.length] }),
    ),
  )
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200])
  const left = (await pairsAt(path)).map(([segmentId]) => segmentId)
  assert.ok(
    lists.some((list) => list.join() === left.join()),
    `no list was put as ${left.join()}`,
  )
})

test('USR-15 ERR-61 a list does not override a rule that takes effect at the same time', async () => {
  for (let round = 0; round < 6; round++) {
    const { path } = await newUser()
    await primary.put(`${path}/segments`, { segmentIds: [byHand] })
    const [moved, put] = await Promise.all([
      primary.patch(path, { email: `raced.${++turn}@${ruledDomain}` }),
      primary.put(`${path}/segments`, { segmentIds: [] }),
    ])
    assert.equal(moved.status, 200)
    // Either the rule came first and the list would remove its segment, or the list came first and the rule added to
    // it.
    if (put.status === 200) assert.deepEqual(await pairsAt(path), [[byDomain, true]])
    else {
      assert.deepEqual(codeOf(put), [409, 'auto_assigned_segments_present'])
      assert.deepEqual(await pairsAt(path), [
        [byHand, false],
        [byDomain, true],
      ])
    }
  }
})

test('USR-29 ERR-60 a call without acknowledgement succeeds only after a concurrent call has ended that the user sees all segments', async () => {
  const { userId, path } = await newUser()
  await seeAllSegments(userId)
  const [acknowledged, silent] = await Promise.all([
    primary.put(`${path}/segments`, { segmentIds: [byHand], acknowledgeAllSegmentsVisibleReset: true }),
    primary.put(`${path}/segments`, { segmentIds: [byDivision] }),
  ])
  assert.equal(acknowledged.status, 200)
  assert.ok(silent.status === 200 || silent.body.code === 'all_segments_visible_reset_not_acknowledged')
  const expected = silent.status === 200 ? byDivision : byHand
  assert.deepEqual(await pairsAt(path), [[expected, false]])
})

test('USR-07 an accepted list is audited with the segments it added and removed; one that is refused or changes nothing is not', async () => {
  const { userId, path } = await newUser()
  await primary.put(`${path}/segments`, { segmentIds: [byDivision] })
  await seeAllSegments(userId)
  const body = { segmentIds: [byHand, byHand], acknowledgeAllSegmentsVisibleReset: true }
  const answers = [await primary.put(`${path}/segments`, body), await primary.put(`${path}/segments`, body)]
  const refused = await primary.put(`${path}/segments`, { segmentIds: [-1] })
  const detailsOf = async (answer: Answer): Promise<unknown[]> => {
    const rows = await service.production.database.statements.rows<{ detail: unknown; subjectId: string }>(sql`
      select detail from audit_record
      where request_id = ${answer.headers.get('request-id')} and action = 'user.segments_replaced'
        and subject_kind = 'user' and subject_id = ${String(userId)} and actor_kind = 'PARTNER'
        and actor_id = ${service.manifest.partners.primary.partnerId}`)
    return rows.map((row) => row.detail)
  }
  assert.deepEqual(await detailsOf(answers[0]!), [
    { segmentsAdded: [byHand], segmentsRemoved: [byDivision], allSegmentsVisibleReset: true },
  ])
  assert.deepEqual(await detailsOf(answers[1]!), [])
  assert.deepEqual(await detailsOf(refused), [])
})

/** A simple model of a user's segments, with which the service is compared. */
type Model = { seesAll: boolean; emailIsRuled: boolean; division: Division; memberships: Map<number, boolean> }

type Division = 'none' | 'root' | 'child'

type Step =
  | { is: 'put'; segmentIds: number[]; acknowledge: boolean }
  | { is: 'email'; ruled: boolean }
  | { is: 'division'; division: Division }
  | { is: 'seeAll' }

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    is: fc.constant('put' as const),
    segmentIds: fc.array(fc.constantFrom(byHand, byDomain, byDivision, 311, -1), { maxLength: 5 }),
    acknowledge: fc.boolean(),
  }),
  fc.record({ is: fc.constant('email' as const), ruled: fc.boolean() }),
  fc.record({ is: fc.constant('division' as const), division: fc.constantFrom<Division>('none', 'root', 'child') }),
  fc.constant({ is: 'seeAll' as const }),
)

function expectedOf(model: Model, step: Exclude<Step, { is: 'seeAll' }>): string {
  switch (step.is) {
    case 'email':
      model.emailIsRuled = step.ruled
      applyRules(model)
      return 'done'
    case 'division':
      if (model.division !== step.division) {
        model.division = step.division
        applyRules(model)
      }
      return 'done'
    case 'put':
      if (model.seesAll && !step.acknowledge) return 'all_segments_visible_reset_not_acknowledged'
      if (step.segmentIds.some((id) => ![byHand, byDomain, byDivision].includes(id))) return 'segment_not_on_site'
      if ([...model.memberships].some(([id, auto]) => auto && !step.segmentIds.includes(id))) {
        return 'auto_assigned_segments_present'
      }
      model.seesAll = false
      model.memberships = new Map(step.segmentIds.map((id) => [id, model.memberships.get(id) ?? false]))
      return 'done'
  }
}

function applyRules(model: Model): void {
  const asked = [...(model.emailIsRuled ? [byDomain] : []), ...(model.division === 'child' ? [byDivision] : [])]
  for (const [segmentId, auto] of model.memberships) {
    if (auto && !asked.includes(segmentId)) model.memberships.delete(segmentId)
  }
  for (const segmentId of asked) if (!model.memberships.has(segmentId)) model.memberships.set(segmentId, true)
}

test('USR-15 USR-28 USR-29 USR-30 after any sequence of changes the segments of a user equal the model', async () => {
  const { root, child } = service.manifest.fixtures.divisions
  const divisionIds = { none: null, root, child }
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 10 }), async (todo) => {
      const { userId, path } = await newUser()
      const model: Model = { seesAll: false, emailIsRuled: false, division: 'none', memberships: new Map() }
      for (const step of todo) {
        if (step.is === 'seeAll') {
          await seeAllSegments(userId)
          model.seesAll = true
          continue
        }
        const answer = await ask(path, step, divisionIds)
        assert.equal(answer.status === 200 ? 'done' : answer.body.code, expectedOf(model, step))
        const user = (await primary.get(path)).body
        const expected = [...model.memberships].toSorted(([a], [b]) => a - b)
        assert.deepEqual([user.allSegmentsVisible, pairsOf(user)], [model.seesAll, expected])
      }
    }),
    { numRuns: 30 },
  )
})

/** An address is a new one each time: the rules are asked again only when something they look at has changed. */
function ask(
  path: string,
  step: Exclude<Step, { is: 'seeAll' }>,
  divisionIds: Record<Division, number | null>,
): Promise<Answer> {
  switch (step.is) {
    case 'email':
      return primary.patch(path, { email: `model.${++turn}@${step.ruled ? ruledDomain : 'example.com'}` })
    case 'division':
      return primary.patch(path, { divisionId: divisionIds[step.division] })
    case 'put':
      return primary.put(`${path}/segments`, {
        segmentIds: step.segmentIds,
        acknowledgeAllSegmentsVisibleReset: step.acknowledge,
      })
  }
}
