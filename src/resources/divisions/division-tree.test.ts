import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../database/sql.ts'
import { type Answer, partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

let turn = 0

const service = await testService()
const primary = await partner(service, 'primary')

function create(parentId: number | null): Promise<Answer> {
  const code = `TREE-${++turn}`
  return primary.post('/v1/divisions', { siteId: service.manifest.sites.main, name: code, code, parentId })
}

async function created(parentId: number | null = null): Promise<number> {
  const answer = await create(parentId)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.divisionId
}

/** Divisions each under the one before; the first is a root. */
async function chain(length: number): Promise<number[]> {
  const ids: number[] = []
  while (ids.length < length) ids.push(await created(ids.at(-1) ?? null))
  return ids
}

function move(divisionId: number, parentId: number | null): Promise<Answer> {
  return primary.patch(`/v1/divisions/${divisionId}`, { parentId })
}

async function parentOf(divisionId: number): Promise<number | null> {
  return (await primary.get(`/v1/divisions/${divisionId}`)).body.parentId
}

function codeOf(answer: Answer): [number, string] {
  return [answer.status, answer.body.code]
}

const tooDeepOrCyclic = [422, 'division_parent_invalid'] as const

/** Asserts that exactly one answer was accepted and that the others were refused because of the tree. */
function assertOneAccepted(answers: readonly Answer[]): void {
  const refused = answers.filter((answer) => answer.status >= 400)
  assert.equal(refused.length, answers.length - 1, JSON.stringify(answers.map(({ body }) => body)))
  for (const answer of refused) assert.deepEqual(codeOf(answer), tooDeepOrCyclic)
}

/** The deepest level of any division of the main site; a cycle is never reached from a root. */
async function assertForestOfTenLevels(): Promise<void> {
  const row = await service.production.database.statements.row<{ deepest: number; reached: number; all: number }>(sql`
    with recursive placed as (
      select division_id, 1 as level from division
      where site_id = ${service.manifest.sites.main} and parent_id is null
      union all
      select division.division_id, placed.level + 1 from placed
      join division on division.parent_id = placed.division_id
    )
    select max(level) as deepest, count(*) as reached, (
      select count(*) from division where site_id = ${service.manifest.sites.main}
    ) as all
    from placed`)
  assert.ok(row!.deepest <= 10, `a division stands on level ${row!.deepest}`)
  assert.equal(row!.reached, row!.all, 'a division stands under no root')
}

test('LIM-29 GAP-41 a division can be created on the tenth level and not on the eleventh', async () => {
  const { deep } = service.manifest.fixtures.divisions
  assert.deepEqual(codeOf(await create(deep)), tooDeepOrCyclic)
  const ninth = await parentOf(deep)
  assert.equal((await create(ninth)).status, 201)
})

test('LIM-29 a division moves with everything below it, and all levels must fit', async () => {
  const levels = await chain(7)
  const tall = await chain(4)
  await created(tall[1]!)
  assert.deepEqual(codeOf(await move(tall[0]!, levels[6]!)), tooDeepOrCyclic)
  assert.equal(await parentOf(tall[0]!), null)
  assert.equal((await move(tall[0]!, levels[5]!)).status, 200)
  assert.deepEqual(codeOf(await create(tall[3]!)), tooDeepOrCyclic)
  assert.equal((await move(tall[1]!, levels[6]!)).status, 200)
  assert.equal((await move(tall[0]!, null)).status, 200)
  assert.equal(await parentOf(tall[0]!), null)
  await assertForestOfTenLevels()
})

test('GAP-41 a division cannot move under one of its own descendants', async () => {
  const ids = await chain(4)
  for (const below of ids.slice(1)) assert.deepEqual(codeOf(await move(ids[0]!, below)), tooDeepOrCyclic)
  assert.deepEqual(codeOf(await move(ids[1]!, ids[3]!)), tooDeepOrCyclic)
  assert.equal((await move(ids[3]!, ids[0]!)).status, 200)
  await assertForestOfTenLevels()
})

test('GAP-43 a division cannot be its own parent, even if the PATCH names other fields', async () => {
  const divisionId = await created()
  const path = `/v1/divisions/${divisionId}`
  for (const wish of [{ parentId: divisionId }, { parentId: divisionId, name: 'Changed', code: 'SALES' }]) {
    assert.deepEqual(codeOf(await primary.patch(path, wish)), [422, 'parent_is_self'])
  }
  assert.notEqual((await primary.get(path)).body.name, 'Changed')
})

test('DIV-15 a PATCH that names the current parent is accepted, even in a tree that is already too deep', async () => {
  const levels = await chain(10)
  const row = await service.production.database.statements.row<{ divisionId: number }>(sql`
    insert into division (site_id, name, code, code_folded, parent_id, country_code, supplier_code, created_on,
      updated_on)
    values (${service.manifest.sites.main}, 'Of old', 'OF-OLD', 'of-old', ${levels[9]}, 'US', 'S', now(), now())
    returning division_id`)
  const ofOld = row!.divisionId
  assert.equal((await move(ofOld, levels[9]!)).status, 200)
  assert.equal((await move(levels[9]!, levels[7]!)).status, 200)
  await service.owner.production.statements.rows(sql`delete from division where division_id = ${ofOld}`)
})

test('GAP-41 when two divisions move under each other concurrently, one moves and the other is refused', async () => {
  for (let round = 0; round < 10; round++) {
    const [one, other] = [await created(), await created()]
    assertOneAccepted(await Promise.all([move(one, other), move(other, one)]))
  }
  await assertForestOfTenLevels()
})

test('GAP-41 when many concurrent moves would close a cycle, one of them is refused', async () => {
  for (let round = 0; round < 4; round++) {
    const ids = await Promise.all(Array.from({ length: 6 }, () => created()))
    const answers = await Promise.all(ids.map((id, index) => move(id, ids[(index + 1) % ids.length]!)))
    const refused = answers.filter((answer) => answer.status !== 200)
    assert.equal(refused.length, 1)
    assert.deepEqual(codeOf(refused[0]!), tooDeepOrCyclic)
  }
  await assertForestOfTenLevels()
})

test('LIM-29 when concurrent moves would nest too deep only together, one of them is refused', async () => {
  for (let round = 0; round < 4; round++) {
    const [top, middle, bottom] = [await chain(4), await chain(4), await chain(3)]
    assertOneAccepted(await Promise.all([move(middle[0]!, top[3]!), move(bottom[0]!, middle[3]!)]))
    await assertForestOfTenLevels()
  }
})

test('LIM-29 when a division is created under one that concurrently moves down, one of the two is refused', async () => {
  for (let round = 0; round < 4; round++) {
    const [top, moved] = [await chain(5), await chain(5)]
    assertOneAccepted(await Promise.all([move(moved[0]!, top[4]!), create(moved[4]!)]))
    await assertForestOfTenLevels()
  }
})

test('GAP-41 LIM-29 32 concurrent moves among a few divisions leave a forest of at most ten levels', async () => {
  const ids = await Promise.all(Array.from({ length: 14 }, () => created()))
  const pick = (seed: number): number => ids[seed % ids.length]!
  const answers = await Promise.all(
    Array.from({ length: 32 }, (_, index) => move(pick(index * 5), pick(index * 3 + Math.floor(index / 14) + 1))),
  )
  for (const answer of answers) {
    if (answer.status !== 200) assert.ok(['parent_is_self', 'division_parent_invalid'].includes(answer.body.code))
  }
  await assertForestOfTenLevels()
})

/** A simple model of the forest, with which the service is compared. */
type Model = Map<number, number | null>

function lineOf(model: Model, id: number): number[] {
  const line = [id]
  for (let parent = model.get(id)!; parent !== null; parent = model.get(parent)!) line.push(parent)
  return line
}

function heightOf(model: Model, id: number): number {
  const children = [...model].filter(([, parent]) => parent === id)
  return 1 + Math.max(0, ...children.map(([child]) => heightOf(model, child)))
}

function expectedOf(model: Model, moved: number | null, parent: number | null): string {
  if (parent === null || (moved !== null && model.get(moved) === parent)) return 'done'
  if (parent === moved) return 'parent_is_self'
  const line = lineOf(model, parent)
  if (moved !== null && line.includes(moved)) return 'division_parent_invalid'
  return line.length + (moved === null ? 1 : heightOf(model, moved)) > 10 ? 'division_parent_invalid' : 'done'
}

/**
 * Which division, by its place among those there are; parents are drawn from the last made, so that trees grow deep.
 */
type Step = { is: 'create'; parent: number } | { is: 'move'; moved: number; parent: number }

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant('create' as const), parent: fc.integer({ min: -1, max: 1 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('move' as const),
      moved: fc.nat(30),
      parent: fc.integer({ min: -1, max: 8 }),
    }),
  },
)

test('DIV-16 LIM-29 GAP-41 GAP-43 after any sequence of creations and moves the forest equals the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 12, maxLength: 30 }), async (todo) => {
      const model: Model = new Map()
      for (const step of todo) {
        const ids = [...model.keys()]
        const parent = step.parent === -1 ? null : (ids.at(-1 - (step.parent % Math.max(ids.length, 1))) ?? null)
        if (step.is === 'create') {
          const answer = await create(parent)
          assert.equal(answer.status === 201 ? 'done' : answer.body.code, expectedOf(model, null, parent))
          if (answer.status === 201) model.set(answer.body.divisionId, parent)
        } else if (ids.length > 0) {
          const moved = ids[step.moved % ids.length]!
          const answer = await move(moved, parent)
          assert.equal(answer.status === 200 ? 'done' : answer.body.code, expectedOf(model, moved, parent))
          if (answer.status === 200) model.set(moved, parent)
        }
      }
      for (const [id, parent] of model) assert.equal(await parentOf(id), parent)
    }),
    { numRuns: 30 },
  )
  await assertForestOfTenLevels()
})
