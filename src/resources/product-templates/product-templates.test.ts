import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import {
  noTemplateVendor,
  type TemplateDocument,
  type TemplateVendor,
} from '../../outside/template-vendor/template-vendor.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { startTestService, testService } from '../../../test/world/service.ts'

/** A vendor that answers as the test says, and records its calls. */
let document: () => TemplateDocument | undefined
let asked: string[] = []
const scripted: TemplateVendor = {
  ...noTemplateVendor,
  document: async (templateId) => {
    asked.push(templateId)
    return document()
  },
}

const service = await testService({ templateVendor: scripted })
const primary = await partner(service, 'primary')

const fixtures = () => service.manifest.fixtures.products
const templateOf = (productId: string): Promise<Answer> => primary.get(`/v1/products/${productId}/template`)

function refused(answer: Answer, status: number, code: string, about = ''): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code], `${about} ${JSON.stringify(answer.body)}`)
}

test('CAT-06 CAT-19 CAT-20 CAT-22 a templated product shows the template as the vendor has it', async () => {
  const variables = [
    { name: 'Name', displayName: 'Full name', dataType: 'SingleLineText', required: true, listItems: null },
    { name: 'office ', displayName: null, dataType: 'x-unheard-of', required: false, listItems: ['Boston', 'Chicago'] },
    { name: 'qr', displayName: null, dataType: null, required: false, listItems: null },
  ]
  document = () => ({ variables })
  const answer = await templateOf(fixtures().template)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(answer.body, { vendor: 'PRESSFORM', templateId: 'business-card-standard', variables })
})

test('CAT-23 every read asks the vendor, so a change there shows immediately', async () => {
  asked = []
  for (const name of ['First', 'Second']) {
    document = () => ({ variables: [{ name, displayName: null, dataType: null, required: false, listItems: null }] })
    assert.equal((await templateOf(fixtures().template)).body.variables[0].name, name)
  }
  assert.deepEqual(asked, ['business-card-standard', 'business-card-standard'])
})

test('CAT-24 ERR-47 without a usable template the answer is always the same, and the vendor is asked only if there is a document', async () => {
  const { pod, stock, templateLegacy, templateUnconfigured, template } = fixtures()
  document = () => undefined
  asked = []
  const answers = await Promise.all([pod, stock, templateLegacy, templateUnconfigured, template].map(templateOf))
  for (const answer of answers) {
    refused(answer, 404, 'template_not_found')
    assert.deepEqual({ ...answer.body, requestId: '' }, { ...answers[0]!.body, requestId: '' })
  }
  assert.deepEqual(asked, ['business-card-standard'])
})

test('ERR-72 a vendor failure is an outage, and the next read works again', async () => {
  document = () => {
    throw new Outage('the template vendor answered 500')
  }
  refused(await templateOf(fixtures().template), 503, 'service_unavailable')
  document = () => ({ variables: [] })
  assert.deepEqual((await templateOf(fixtures().template)).body.variables, [])
})

test('GEN-14 a share has the template of its master', async () => {
  document = () => ({ variables: [] })
  await service.production.database.statements.rows(sql`
    insert into product (product_number, kind, site_id, master_number, name, code, service_type, artwork_source,
      override_display, created_on, updated_on)
    values (999003, 'SLS', ${service.manifest.sites.second}, 100003, 'x', 'x', 'POD', 'NONE', false, now(), now())`)
  assert.equal((await templateOf('SLS_999003')).body.templateId, 'business-card-standard')
})

test('ERR-45 ERR-12 ERR-20 ERR-42 CAT-06 a foreign product gets the answer for a missing one; a malformed id, a query parameter and a missing scope are refused', async () => {
  asked = []
  const { foreign } = service.manifest.fixtures
  const [onForeign, onMissing] = await Promise.all([foreign.productId, 'SLO_987654321012345'].map(templateOf))
  refused(onForeign!, 404, 'product_not_found')
  assert.deepEqual({ ...onForeign!.body, requestId: '' }, { ...onMissing!.body, requestId: '' })
  refused(await templateOf('100003'), 400, 'invalid_product_id')
  refused(await primary.get(`/v1/products/${fixtures().template}/template?cache=no`), 400, 'unknown_query_parameter')
  const ordersOnly = await partner(service, 'primary', 'partner-api/orders:read')
  refused(await ordersOnly.get(`/v1/products/${fixtures().template}/template`), 403, 'insufficient_scope')
  assert.deepEqual(asked, [])
})

test('CAT-06 the demo data has its own template vendor, with documents that fit its products', async () => {
  const demo = await startTestService()
  try {
    const own = await partner(demo, 'primary')
    const { template, templateLegacy } = demo.manifest.fixtures.products
    const answer = await own.get(`/v1/products/${template}/template`)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.equal(answer.body.vendor, 'PRESSFORM')
    const names = answer.body.variables.map((each: any) => each.name)
    for (const name of ['Name', 'Title', 'Office', 'qr_link']) assert.ok(names.includes(name), names.join())
    refused(await own.get(`/v1/products/${templateLegacy}/template`), 404, 'template_not_found')
  } finally {
    await demo.close()
  }
})

test('a vendor named in the settings is called only at public addresses', async () => {
  const elsewhere = await startTestService({ variables: { TEMPLATE_VENDOR_URL: 'http://127.0.0.1:9' } })
  try {
    const own = await partner(elsewhere, 'primary')
    refused(
      await own.get(`/v1/products/${elsewhere.manifest.fixtures.products.template}/template`),
      503,
      'service_unavailable',
    )
    assert.ok(elsewhere.logLines.some((line) => line.includes('the template vendor cannot be asked')))
  } finally {
    await elsewhere.close()
  }
})

test('the start fails if the port of the demo vendor is taken, and the error names its variable', async () => {
  const taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const port = String((taken.address() as AddressInfo).port)
  await assert.rejects(
    startTestService({ variables: { TEMPLATE_VENDOR_PORT: port } }),
    /TEMPLATE_VENDOR_PORT \d+ cannot/,
  )
  await new Promise((resolve) => taken.close(resolve))
})
