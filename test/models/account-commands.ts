import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import {
  createDivision,
  createUser,
  type ModelUser,
  patchDivision,
  patchUser,
  putUserSegments,
  userListed,
  userShown,
} from './account-model.ts'
import { type Command, command, index, oneOrOutside } from './command.ts'
import { assertExpected, refused } from './expected.ts'
import type { World } from './model-world.ts'

/** Writes and reads of users and divisions. Each goes to the service and to the model. */

/** Few names, so that they often collide. Some differ only in letter case or Unicode composition. */
const username = fc.constantFrom('ann', 'ANN', 'Zoë', 'zoe\u0308', 'bob', 'eve')
const email = fc.constantFrom('ann', 'ANN', 'bob', 'eve', 'ann@ruled', 'BOB@ruled', 'eve@ruled', 'nobody')
const emailIn = (run: string, name: string): string => {
  if (name === 'nobody') return name
  const [local, domain] = name.split('@')
  return `${run}-${local}@${domain ? `${run}.Example` : 'plain.example'}`
}
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { freq: 3 })

function divisionIdAt({ divisions, outside }: World, at: number | null): number | null {
  return at === null ? null : (oneOrOutside(divisions, at)?.divisionId ?? outside.divisionId)
}

function userAt(world: World, at: number): { user: ModelUser | undefined; path: string } {
  const user = oneOrOutside(world.users, at)
  return { user, path: `/v1/users/${user?.userId ?? world.outside.userId}` }
}

const userWish = fc.record(
  {
    email: fc.option(email, { freq: 9 }),
    firstName: fc.constantFrom('Ann', ''),
    company: fc.constantFrom('Company', null),
    active: fc.option(fc.boolean(), { freq: 9 }),
    divisionId: maybe(index),
  },
  { requiredKeys: [] },
)

const divisionWish = fc.record(
  {
    name: fc.option(fc.constantFrom('Sales', 'Field'), { freq: 9 }),
    code: fc.constantFrom('0', 'A', 'a', 'B', 'b '),
    parentId: maybe(index),
    active: fc.boolean(),
  },
  { requiredKeys: [] },
)

export const accountCommands: fc.Arbitrary<Command>[] = [
  fc.record({ username, email, divisionId: maybe(index), active: fc.boolean() }).map((wished) =>
    command(`POST user ${JSON.stringify(wished)}`, async (world, partner) => {
      const wish = {
        ...wished,
        username: `${world.run}-${wished.username}`,
        email: emailIn(world.run, wished.email),
        firstName: 'Ann',
        divisionId: divisionIdAt(world, wished.divisionId),
      }
      const expected = createUser(world, wish)
      const answer = await partner.post('/v1/users', { ...wish, siteId: world.siteId, lastName: 'Last' })
      if ('refusal' in expected) return assertExpected(answer, expected, 201)
      const user = { ...expected.body, userId: answer.body.userId }
      assertExpected(answer, { body: userShown(user) }, 201)
      world.users.push(user)
    }),
  ),
  fc.tuple(index, userWish).map(([at, wished]) =>
    command(`PATCH user ${at} ${JSON.stringify(wished)}`, async (world, partner) => {
      const { user, path } = userAt(world, at)
      const wish = {
        ...wished,
        ...(wished.email && { email: emailIn(world.run, wished.email) }),
        ...(wished.divisionId !== undefined && { divisionId: divisionIdAt(world, wished.divisionId) }),
      }
      assertExpected(await partner.patch(path, wish), patchUser(world, user, wish), 200)
    }),
  ),
  fc.tuple(index, fc.array(index, { maxLength: 4 }), fc.boolean()).map(([at, ids, acknowledged]) =>
    command(`PUT segments ${ids} of user ${at}, ${acknowledged ? '' : 'not '}acknowledged`, async (world, partner) => {
      const { user, path } = userAt(world, at)
      // Mostly segments of the site: a single foreign one makes the service refuse all.
      const known = [...world.siteSegmentIds, ...world.siteSegmentIds, ...world.outside.segmentIds]
      const segmentIds = ids.map((each) => known[each % known.length]!)
      const answer = await partner.put(`${path}/segments`, {
        segmentIds,
        ...(acknowledged && { acknowledgeAllSegmentsVisibleReset: true }),
      })
      assertExpected(answer, putUserSegments(world, user, { segmentIds, acknowledged }), 200)
    }),
  ),
  fc.record({ code: fc.constantFrom('A', 'a', 'B', 'C', 'D', 'E', 'F', 'G'), parentId: maybe(index) }).map((wished) =>
    command(`POST division ${JSON.stringify(wished)}`, async (world, partner) => {
      const wish = { name: 'New', code: `${world.run}-${wished.code}`, parentId: divisionIdAt(world, wished.parentId) }
      const expected = createDivision(world, wish)
      const answer = await partner.post('/v1/divisions', { ...wish, siteId: world.siteId })
      if ('refusal' in expected) return assertExpected(answer, expected, 201)
      assert.deepEqual([answer.status, Object.keys(answer.body)], [201, ['divisionId']])
      world.divisions.push({ ...expected.body, divisionId: answer.body.divisionId })
    }),
  ),
  fc.tuple(index, divisionWish).map(([at, wished]) =>
    command(`PATCH division ${at} ${JSON.stringify(wished)}`, async (world, partner) => {
      const wish = {
        ...wished,
        ...(wished.code !== undefined && { code: `${world.run}-${wished.code}` }),
        ...(wished.parentId !== undefined && { parentId: divisionIdAt(world, wished.parentId) }),
      }
      const expected = patchDivision(world, oneOrOutside(world.divisions, at), wish)
      assertExpected(await partner.patch(`/v1/divisions/${divisionIdAt(world, at)}`, wish), expected, 200)
    }),
  ),
  index.map((at) =>
    command(`GET user ${at}`, async (world, partner) => {
      const { user, path } = userAt(world, at)
      const expected = user ? { body: userShown(user) } : refused(404, 'user_not_found')
      assertExpected(await partner.get(path), expected, 200)
    }),
  ),
  index.map((at) =>
    command(`GET division ${at}, what is under it and its users`, async (world, partner) => {
      const division = oneOrOutside(world.divisions, at)
      const divisionId = divisionIdAt(world, at)
      const expected = division ? { body: division } : refused(404, 'division_not_found')
      assertExpected(await partner.get(`/v1/divisions/${divisionId}`), expected, 200)
      const divisions = world.divisions
        .filter((each) => division && each.parentId === divisionId)
        .toSorted((a, b) => a.divisionId - b.divisionId)
      assertExpected(await partner.get(`/v1/divisions?parentId=${divisionId}`), { body: { divisions } }, 200)
      const users = world.users
        .filter((each) => division && each.divisionId === divisionId)
        .toSorted((a, b) => a.userId - b.userId)
        .map(userListed)
      assertExpected(await partner.get(`/v1/users?divisionId=${divisionId}`), { body: { users } }, 200)
    }),
  ),
]
