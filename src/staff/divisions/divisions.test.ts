import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { someDivisionAddress } from '../../../test/every-staff-operation/samples/customers.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'

const at = '/staff/v1/production/divisions'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')

async function created(changes: Record<string, unknown> = {}) {
  const { main } = service.manifest.sites
  const answer = await admin.post(at, { siteId: main, name: 'Branch', code: randomUUID(), ...changes })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

function codeOf({ status, body }: Answer): [number, string] {
  return [status, body.code]
}

test('DIV-07 DIV-08 staff build a tree, move a part of it and deactivate it; partners see each change at once', async () => {
  const root = await created()
  const middle = await created({ parentId: root.divisionId })
  const leaf = await created({ parentId: middle.divisionId })
  assert.deepEqual(
    leaf.above.map(({ divisionId }: { divisionId: number }) => divisionId),
    [root.divisionId, middle.divisionId],
  )
  const under = (await admin.get(`${at}?parentId=${root.divisionId}`)).body.divisions
  assert.deepEqual(
    under.map(({ divisionId, divisionsBelow }: Record<string, number>) => [divisionId, divisionsBelow]),
    [[middle.divisionId, 1]],
  )
  const path = `${at}/${leaf.divisionId}`
  assert.deepEqual(codeOf(await admin.patch(`${at}/${root.divisionId}`, { parentId: leaf.divisionId })), [
    422,
    'division_parent_invalid',
  ])
  assert.deepEqual(codeOf(await admin.patch(path, { parentId: leaf.divisionId })), [422, 'parent_is_self'])
  const moved = await admin.patch(path, { parentId: null, active: false, taxExempt: true, auditSalesTaxForTerms: true })
  const { above, address, divisionsBelow, usersInIt, ...published } = moved.body
  assert.deepEqual([above, address, divisionsBelow, usersInIt], [[], null, 0, 0])
  assert.deepEqual((await primary.get(`/v1/divisions/${leaf.divisionId}`)).body, published)
  assert.deepEqual([published.active, published.taxExempt, published.auditSalesTaxForTerms], [false, true, true])
  const roots = await admin.get(`${at}?root=true&active=false&siteId=${service.manifest.sites.main}&limit=200`)
  assert.ok(roots.body.divisions.some(({ divisionId }: { divisionId: number }) => divisionId === leaf.divisionId))
})

test('DIV-09 on a site that stores addresses only staff create divisions and set their addresses; partners never see them', async () => {
  const siteId = service.manifest.sites.divisionAddresses
  const without = await admin.post(at, { siteId, name: 'West', code: randomUUID() })
  assert.deepEqual(codeOf(without), [422, 'site_stores_addresses'])
  const division = await created({ siteId, address: someDivisionAddress })
  const whole = { company: null, firstName: null, lastName: null, street2: null, ...someDivisionAddress }
  assert.deepEqual(division.address, whole)
  const path = `${at}/${division.divisionId}`
  const other = { ...someDivisionAddress, street2: 'Dock 2', city: 'Troy' }
  assert.deepEqual((await admin.put(`${path}/address`, other)).body.address, { ...whole, ...other })
  assert.deepEqual((await admin.patch(path, { name: 'East' })).body.address, { ...whole, ...other })
  for (const [wrong, code] of [
    [{ country: 'XX' }, 'country_not_known'],
    [{ state: 'ON' }, 'state_not_known'],
    [{ zip: '1' }, 'postal_code_not_usable'],
  ] as const) {
    assert.equal((await admin.put(`${path}/address`, { ...other, ...wrong })).body.code, code)
    const address = { ...other, ...wrong }
    assert.equal((await admin.post(at, { siteId, name: 'x', code: randomUUID(), address })).body.code, code)
  }
  assert.deepEqual((await admin.get(path)).body.address, { ...whole, ...other })
  const shown = await primary.get(`/v1/divisions/${division.divisionId}`)
  assert.ok(!JSON.stringify(shown.body).includes('Harbor'))

  const { divisionId } = await created()
  const elsewhere = await admin.put(`${at}/${divisionId}/address`, someDivisionAddress)
  assert.deepEqual(codeOf(elsewhere), [422, 'site_stores_no_addresses'])
})

test('an invalid division is refused', async () => {
  const { code } = await created()
  const { main } = service.manifest.sites
  const { chain } = { chain: 5013 }
  for (const [body, refusal] of [
    [{ siteId: 999_999, code: 'x' }, 'site_not_found'],
    [{ siteId: main, code }, 'division_code_conflict'],
    [{ siteId: main, code: 'x', parentId: 5031 }, 'parent_not_on_site'],
    [{ siteId: main, code: 'x', parentId: chain }, 'division_parent_invalid'],
    [{ siteId: main, code: ' ' }, 'invalid_request'],
  ] as const) {
    assert.equal((await admin.post(at, { name: 'x', ...body })).body.code, refusal)
  }
  assert.deepEqual(codeOf(await admin.get(`${at}/999999`)), [404, 'division_not_found'])
  assert.deepEqual(codeOf(await admin.patch(`${at}/999999`, { name: 'x' })), [404, 'division_not_found'])
})
