import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newUser } from '../../../test/every-staff-operation/samples/customers.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'

const world = '/staff/v1/production'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')

async function segment(name = 'Guild'): Promise<number> {
  const created = await admin.post(`${world}/segments`, { siteId: service.manifest.sites.main, name })
  assert.equal(created.status, 201)
  return created.body.segmentId
}

async function user(changes: Record<string, unknown> = {}): Promise<number> {
  const created = await admin.post(`${world}/users`, { ...newUser({ service }), ...changes })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  return created.body.userId
}

const newDomain = () => `d${randomUUID().slice(0, 8)}.example`
const someone = (domain: string) => `u${randomUUID().slice(0, 8)}@${domain}`

async function membership(userId: number, segmentId: number): Promise<'none' | 'hand' | 'rule'> {
  const { segments } = (await primary.get(`/v1/users/${userId}`)).body
  const own = segments.find((each: { segmentId: number }) => each.segmentId === segmentId)
  return own === undefined ? 'none' : own.autoAssigned ? 'rule' : 'hand'
}

function codeOf({ status, body }: Answer): [number, string] {
  return [status, body.code]
}

test('USR-15 a rule by e-mail domain applies to existing and new users, and its end removes only its own memberships', async () => {
  const domain = newDomain()
  const segmentId = await segment()
  const path = `${world}/segments/${segmentId}`
  const [there, byHand, below] = [
    await user({ email: someone(domain) }),
    await user({ email: someone(domain.toUpperCase()) }),
    await user({ email: someone(`sub.${domain}`) }),
  ]
  await admin.put(`${world}/users/${byHand}/segments`, { segmentIds: [segmentId] })
  const added = await admin.post(`${path}/rules`, { emailDomain: domain.toUpperCase() })
  assert.deepEqual([added.status, added.body.usersAdded], [201, 1])
  const later = await user({ email: someone(domain) })
  const all = () => Promise.all([there, byHand, below, later].map((userId) => membership(userId, segmentId)))
  assert.deepEqual(await all(), ['rule', 'hand', 'none', 'rule'])
  const shown = (await admin.get(path)).body
  assert.deepEqual([shown.usersByHand, shown.usersByRule], [1, 2])
  assert.deepEqual(shown.rules, [{ segmentRuleId: added.body.segmentRuleId, emailDomain: domain, divisionId: null }])
  // While the rule exists, its memberships cannot be removed by hand.
  assert.equal(
    (await admin.put(`${world}/users/${there}/segments`, { segmentIds: [] })).body.code,
    'auto_assigned_segments_present',
  )

  const removed = await admin.post(`${world}/segment-rules/${added.body.segmentRuleId}/remove`)
  assert.deepEqual(removed.body, { segmentId, usersRemoved: 2 })
  assert.deepEqual(await all(), ['none', 'hand', 'none', 'none'])
  const again = await admin.post(`${world}/segment-rules/${added.body.segmentRuleId}/remove`)
  assert.deepEqual(codeOf(again), [404, 'segment_rule_not_found'])
})

test('if two rules match a user, the end of one removes no membership', async () => {
  const domain = newDomain()
  const { child } = service.manifest.fixtures.divisions
  const segmentId = await segment()
  const rules = `${world}/segments/${segmentId}/rules`
  const both = await user({ email: someone(domain), divisionId: child })
  const byDomain = await admin.post(rules, { emailDomain: domain })
  const byDivision = await admin.post(rules, { divisionId: child })
  assert.ok(byDivision.body.usersAdded > 0)
  const removed = await admin.post(`${world}/segment-rules/${byDomain.body.segmentRuleId}/remove`)
  assert.equal(removed.body.usersRemoved, 0)
  assert.equal(await membership(both, segmentId), 'rule')
  await admin.post(`${world}/segment-rules/${byDivision.body.segmentRuleId}/remove`)
  assert.equal(await membership(both, segmentId), 'none')
})

test('USR-15 a user who moves leaves the segments that rules chose for the old address, and stays in those that people chose', async () => {
  const domain = newDomain()
  const [byRule, byHand] = [await segment(), await segment()]
  await admin.post(`${world}/segments/${byRule}/rules`, { emailDomain: domain })
  const userId = await user({ email: someone(domain) })
  const segmentIds = [byRule, byHand]
  assert.equal((await admin.put(`${world}/users/${userId}/segments`, { segmentIds })).status, 200)
  const memberships = () => Promise.all(segmentIds.map((segmentId) => membership(userId, segmentId)))
  assert.deepEqual(await memberships(), ['rule', 'hand'])
  const moved = await primary.patch(`/v1/users/${userId}`, { email: someone(newDomain()) })
  assert.equal(moved.status, 200)
  assert.deepEqual(await memberships(), ['none', 'hand'])
})

test('users created or moved while rules change are in the segment exactly when a rule matches them', async () => {
  const domain = newDomain()
  const segmentId = await segment()
  const rules = `${world}/segments/${segmentId}/rules`
  const moving = await Promise.all(Array.from({ length: 4 }, () => user()))
  for (const standsAtEnd of [true, false]) {
    const rule = standsAtEnd ? undefined : (await admin.get(`${world}/segments/${segmentId}`)).body.rules[0]
    const answers = await Promise.all([
      ...moving.map((userId) => admin.patch(`${world}/users/${userId}`, { email: someone(domain) })),
      rule
        ? admin.post(`${world}/segment-rules/${rule.segmentRuleId}/remove`)
        : admin.post(rules, { emailDomain: domain }),
      ...Array.from({ length: 4 }, () =>
        admin.post(`${world}/users`, { ...newUser({ service }), email: someone(domain) }),
      ),
      ...moving.map((userId) => admin.put(`${world}/users/${userId}/segments`, { segmentIds: [] })),
    ])
    // A PUT after the rule is refused; it does not fail.
    for (const { status, body } of answers) {
      assert.ok(status < 300 || body.code === 'auto_assigned_segments_present', JSON.stringify(body))
    }
    const { database } = service.production
    const wrong = await database.statements.rows(sql`
      select user_id from site_user
      where email_folded like ${`%@${domain}`} and ${standsAtEnd} <> exists (
        select from user_segment
        where user_segment.user_id = site_user.user_id and segment_id = ${segmentId} and auto_assigned)`)
    assert.deepEqual(wrong, [])
  }
})

test('partners see a new and a renamed segment, and whether it has a rule', async () => {
  const segmentId = await segment('Makers')
  const seen = async () => {
    const { segments } = (await primary.get(`/v1/segments?siteId=${service.manifest.sites.main}&limit=200`)).body
    const { name, autoAssigns } = segments.find((each: { segmentId: number }) => each.segmentId === segmentId)
    return [name, autoAssigns]
  }
  assert.deepEqual(await seen(), ['Makers', false])
  const path = `${world}/segments/${segmentId}`
  assert.equal((await admin.put(`${path}/name`, { name: 'Guilds' })).body.name, 'Guilds')
  await admin.post(`${path}/rules`, { emailDomain: newDomain() })
  assert.deepEqual(await seen(), ['Guilds', true])
})

test('an invalid rule or name is refused, and nothing changes', async () => {
  const domain = newDomain()
  const segmentId = await segment()
  const path = `${world}/segments/${segmentId}`
  await admin.post(`${path}/rules`, { emailDomain: domain })
  const former = (await admin.get(path)).body
  for (const [body, code] of [
    [{ emailDomain: domain }, 'segment_rule_exists'],
    [{ emailDomain: 'a@b.example' }, 'email_domain_not_usable'],
    [{ emailDomain: '%' }, 'email_domain_not_usable'],
    [{ emailDomain: '' }, 'email_domain_not_usable'],
    [{ divisionId: 5031 }, 'division_not_on_site'],
    [{}, 'invalid_request'],
    [{ emailDomain: domain, divisionId: 5001 }, 'invalid_request'],
  ] as const) {
    assert.equal((await admin.post(`${path}/rules`, body)).body.code, code, JSON.stringify(body))
  }
  for (const name of ['', ' ', 'x'.repeat(101)]) {
    assert.deepEqual(codeOf(await admin.put(`${path}/name`, { name })), [422, 'segment_name_not_usable'])
  }
  assert.deepEqual((await admin.get(path)).body, former)
  assert.deepEqual(codeOf(await admin.post(`${world}/segments`, { siteId: 999_999, name: 'x' })), [
    404,
    'site_not_found',
  ])
  const nowhere = await admin.post(`${world}/segments/999999/rules`, { emailDomain: domain })
  assert.deepEqual(codeOf(nowhere), [404, 'segment_not_found'])
})
