import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import {
  noTemplateVendor,
  type TemplateDocument,
  type TemplateVendor,
} from '../../outside/template-vendor/template-vendor.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

const field = (name: string, listItems: string[] | null = null, required = false) => ({
  name,
  displayName: null,
  dataType: null,
  required,
  listItems,
})

const documents: Record<string, TemplateDocument> = {
  'business-card-standard': { variables: [field('Name'), field('toString'), field('Office', ['Boston', 'Chicago'])] },
  letter: { variables: [field('Name'), field('Greeting')] },
  badge: { variables: [field('Name', null, true), field('Office', ['Boston', 'Chicago'], true), field('Title')] },
}

/** A vendor that may be unavailable, and records its calls. */
let isAway = false
let asked: string[] = []
let wasAsked: () => void = () => undefined
const vendor: TemplateVendor = {
  ...noTemplateVendor,
  document: async (templateId) => {
    asked.push(templateId)
    wasAsked()
    if (isAway) throw new Outage('the template vendor cannot be asked')
    return documents[templateId]
  },
}

const letter = 'SLO_999005'
const badge = 'SLO_999006'

const service = await testService({ templateVendor: vendor })
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
await service.production.database.statements.rows(sql`
  with made as (
    insert into product (product_number, kind, site_id, name, code, service_type, artwork_source, template_vendor,
      template_id, shippable, created_on, updated_on)
    select product_number, 'SLO', ${service.manifest.sites.main}, 'Templated', 'TEMPLATED-' || template_id, 'POD',
      'TEMPLATE', 'PRESSFORM', template_id, false, now(), now()
    from (values (999005, 'letter'), (999006, 'badge')) as made (product_number, template_id)
    returning product_number
  )
  insert into price_break (product_number, from_quantity, unit_price) select product_number, 1, 1 from made`)

const fixtures = () => service.manifest.fixtures.products

function line(productId: string, partnerLineId: string, templateVariables?: Json): Json {
  return { productId, partnerLineId, quantity: 250, ...(templateVariables ? { templateVariables } : {}) }
}

async function submitted(...lines: Json[]): Promise<Answer> {
  asked = []
  const answer = await primary.post('/v1/orders', build.order({ lines }))
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer
}

function problemsOf({ body }: Answer): [string, string][] {
  assert.equal(body.status, 'failed', JSON.stringify(body))
  return body.errors.map((each: any) => {
    assert.equal(each.code, 'order_rejected')
    return [each.field, each.partnerLineId]
  })
}

test('CAT-21 SUB-49 variables of the template with values from its lists are accepted, and not every variable needs a value', async () => {
  const { template } = fixtures()
  const all = { Name: 'Avery Stone', Office: 'Chicago', toString: 'yes' }
  for (const variables of [all, { Name: '' }, { Office: 'Boston' }]) {
    const answer = await submitted(line(template, 'a', variables))
    assert.equal(answer.body.status, 'completed', JSON.stringify(answer.body))
  }
})

test('CAT-21 each variable name unknown to the template is rejected separately, on its line', async () => {
  const answer = await submitted(
    line(fixtures().template, 'good', { Name: 'Avery' }),
    line(fixtures().template, 'bad', { name: 'x', Greeting: 'y', Name: 'z', hasOwnProperty: 'v' }),
    line(letter, 'letter', { Greeting: 'Dear', Office: 'Boston' }),
  )
  assert.deepEqual(problemsOf(answer), [
    ['lines[1].templateVariables', 'bad'],
    ['lines[1].templateVariables', 'bad'],
    ['lines[1].templateVariables', 'bad'],
    ['lines[2].templateVariables', 'letter'],
  ])
  const details = answer.body.errors.map((each: any) => each.detail).join(' ')
  for (const name of ['"name"', '"Greeting"', '"hasOwnProperty"', '"Office"'])
    assert.ok(details.includes(name), details)
})

test('CAT-21 a value missing from its list is rejected on its line', async () => {
  const answer = await submitted(line(fixtures().template, 'a', { Office: 'boston' }))
  assert.deepEqual(problemsOf(answer), [['lines[0].templateVariables', 'a']])
})

test('CAT-21 SUB-49 a missing or blank variable that the template requires is rejected, one entry each, on its line', async () => {
  const office = { Office: 'Boston' }
  for (const [variables, missing] of [
    [undefined, ['Name', 'Office']],
    [{}, ['Name', 'Office']],
    [{ Title: 'Manager', ...office }, ['Name']],
    [{ Name: '', ...office }, ['Name']],
    [{ Name: ' \t\u00a0', ...office }, ['Name']],
    [{ Name: 'Avery', Office: '' }, ['Office']],
  ] as const) {
    const answer = await submitted(line(fixtures().pod, 'plain'), line(badge, 'badge', variables))
    assert.deepEqual(
      problemsOf(answer),
      missing.map(() => ['lines[1].templateVariables', 'badge']),
    )
    for (const [index, name] of missing.entries()) {
      assert.ok(
        answer.body.errors[index].detail.includes(`requires a value for "${name}"`),
        JSON.stringify(answer.body),
      )
    }
  }
  const { statements } = service.production.database
  assert.deepEqual(await statements.rows(sql`select 1 from order_line where product_id = ${badge}`), [])
  const placed = await submitted(line(badge, 'badge', { Name: 'Avery', ...office }))
  assert.equal(placed.body.status, 'completed', JSON.stringify(placed.body))
})

test('CAT-24 a product without a usable template can be ordered without variables, but not with them', async () => {
  const { templateLegacy, templateUnconfigured, pod } = fixtures()
  const filled = await submitted(
    line(templateLegacy, 'legacy', { Name: 'x' }),
    line(templateUnconfigured, 'unconfigured', { Name: 'x', Title: 'y' }),
    line(pod, 'pod', { Name: 'x' }),
  )
  assert.deepEqual(problemsOf(filled).toSorted(), [
    ['lines[0].templateVariables', 'legacy'],
    ['lines[1].templateVariables', 'unconfigured'],
    ['lines[2].templateVariables', 'pod'],
  ])
  assert.deepEqual(asked, [])
  const plain = await submitted(line(templateLegacy, 'legacy'), line(templateUnconfigured, 'unconfigured', {}))
  assert.equal(plain.body.status, 'completed', JSON.stringify(plain.body))
})

test('an order asks the vendor once for each document that its lines are made from', async () => {
  const { template, pod } = fixtures()
  await submitted(
    line(template, 'a', { Name: 'A' }),
    line(template, 'b', { Name: 'B' }),
    line(letter, 'c', { Name: 'C' }),
    line(pod, 'd'),
  )
  assert.deepEqual(asked.toSorted(), ['business-card-standard', 'letter'])
  await submitted(line(pod, 'c'))
  assert.deepEqual(asked, [])
})

test('SUB-49 an order waits while the vendor is unavailable, and is placed once the vendor is back', async () => {
  isAway = true
  asked = []
  const firstAsk = new Promise<void>((resolve) => (wasAsked = resolve))
  const posted = primary.post('/v1/orders', build.order({ lines: [line(fixtures().template, 'a', { Name: 'A' })] }))
  await firstAsk
  const { submissions } = (await primary.get('/v1/orders/submissions?limit=1')).body
  assert.ok(['queued', 'processing'].includes(submissions[0].status), JSON.stringify(submissions[0]))
  isAway = false
  const answer = await posted
  assert.deepEqual([answer.status, answer.body.status], [201, 'completed'], JSON.stringify(answer.body))
  assert.ok(asked.length > 1)
})
