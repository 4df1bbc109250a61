import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { sql } from '../../database/sql.ts'
import {
  noTemplateVendor,
  type Rendering,
  type TemplateDocument,
  type TemplateValues,
  type TemplateVendor,
  type ValueProblem,
} from '../../outside/template-vendor/template-vendor.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { pdfFile } from '../../../test/world/artwork.ts'
import { blindEngine } from '../../../test/world/artwork-engine.ts'
import { newKey, orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { storedObjects } from '../../../test/world/stored-objects.ts'
import { testService } from '../../../test/world/service.ts'

/** A vendor that draws a file which tells the values, unless the current test says otherwise. It records its calls. */
type Scripted = Pick<TemplateVendor, 'check' | 'render'>

const drawn = (values: TemplateValues): Buffer => pdfFile(JSON.stringify(values))
const untroubled: Scripted = { check: async () => [], render: async (_id, values) => ({ pdf: drawn(values) }) }

let scripted = untroubled
let asked: string[] = []
const names = ['Name', 'Title', 'Office']
const document: TemplateDocument = {
  variables: names.map((name) => ({ name, displayName: null, dataType: null, required: false, listItems: null })),
}
const vendor: TemplateVendor = {
  ...noTemplateVendor,
  document: async (templateId) => noted('document', templateId, document),
  check: (templateId, values) => noted('check', templateId, scripted.check(templateId, values)),
  render: (templateId, values) => noted('render', templateId, scripted.render(templateId, values)),
}

function noted<Answer>(what: string, templateId: string, answer: Answer): Answer {
  asked.push(`${what} ${templateId}`)
  return answer
}

const problem = (variable: string, kind: ValueProblem['kind'], more: Partial<ValueProblem> = {}): ValueProblem => ({
  variable,
  kind,
  lengthMax: null,
  characters: null,
  ...more,
})

const service = await testService({ templateVendor: vendor, artworkEngine: blindEngine() })
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { template, templateLegacy, pod } = service.manifest.fixtures.products
const { statements } = service.production.database

afterEach(() => {
  scripted = untroubled
  asked = []
})

const line = (partnerLineId: string, templateVariables?: Json, more: Json = {}): Json => ({
  productId: template,
  partnerLineId,
  quantity: 250,
  ...(templateVariables ? { templateVariables } : {}),
  ...more,
})

async function submitted(...lines: Json[]): Promise<any> {
  const answer = await primary.post('/v1/orders', build.order({ lines }))
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

function filesOf(order: any): Promise<any[]> {
  assert.equal(order.status, 'completed', JSON.stringify(order))
  return statements.rows(sql`
    select line_number, file_name, object_key, size_bytes, md5, source from print_file
    where order_number = ${order.order.orderNumber} order by line_number`)
}

async function kept(): Promise<unknown> {
  const row = await statements.row<object>(
    sql`select (select count(*) from orders) as orders, (select count(*) from print_file) as files`,
  )
  return { ...row, objects: await storedObjects(service) }
}

test('a line of a templated product gets the file that the vendor draws with its values', async () => {
  const order = await submitted(line('a', { Name: 'Avery Stone' }), build.podLine())
  const pdf = drawn({ Name: 'Avery Stone' })
  const [file, ...others] = await filesOf(order)
  assert.deepEqual(
    [file.lineNumber, file.fileName, file.sizeBytes, file.md5, file.source],
    [1, 'business-card-standard.pdf', pdf.length, createHash('md5').update(pdf).digest('hex'), 'TEMPLATE'],
  )
  assert.deepEqual(others, [])
  const stored: Buffer[] = []
  for await (const piece of (await service.production.objectStore.read(file.objectKey))!) stored.push(piece as Buffer)
  assert.deepEqual(Buffer.concat(stored), pdf)
  const strays = await statements.rows(sql`select from stray_object where object_key = ${file.objectKey}`)
  assert.deepEqual(strays, [])
})

test('a line without values gets the file that is drawn without them', async () => {
  const [file] = await filesOf(await submitted(line('a')))
  assert.equal(file.sizeBytes, drawn({}).length)
})

test('lines alike are checked and drawn once, and each gets a file of its own', async () => {
  const order = await submitted(
    line('a', { Name: 'Avery', Title: 'Chef' }),
    line('b', { Name: 'Blake' }),
    line('c', { Title: 'Chef', Name: 'Avery' }),
  )
  const files = await filesOf(order)
  assert.deepEqual(
    files.map(({ lineNumber }) => lineNumber),
    [1, 2, 3],
  )
  assert.equal(new Set(files.map(({ objectKey }) => objectKey)).size, 3)
  assert.equal(files[0].md5, files[2].md5)
  assert.notEqual(files[0].md5, files[1].md5)
  // Drawn files take time, so the order was planned twice.
  assert.deepEqual(asked.toSorted(), [
    'check business-card-standard',
    'check business-card-standard',
    'document business-card-standard',
    'render business-card-standard',
    'render business-card-standard',
  ])
})

test('values that cannot be printed are problems of their line, in sentences, before the order exists', async () => {
  const problems: [ValueProblem, string][] = [
    [
      problem('Name', 'too_long', { lengthMax: 30 }),
      'The value of "Name" does not fit its field: shorten it to about 30 characters.',
    ],
    [
      problem('Name', 'too_long', { lengthMax: 1 }),
      'The value of "Name" does not fit its field: shorten it to about 1 character.',
    ],
    [problem('Name', 'too_long'), 'The value of "Name" does not fit its field: shorten it.'],
    [
      problem('Title', 'no_glyphs', { characters: '\u{13000}' }),
      'The template has no letters for "\u{13000}" in the value of "Title".',
    ],
    [problem('Title', 'no_glyphs'), 'The template has no letters for some characters of the value of "Title".'],
    [problem('Office', 'missing'), 'The product\'s template requires a value for "Office".'],
    [problem('Office', 'not_listed'), 'The value of "Office" must be one of the items that the template lists.'],
    [problem('Office', 'unusable'), 'The template cannot print the value of "Office".'],
  ]
  const before = await kept()
  const unfit: Scripted[] = [
    { ...untroubled, check: async () => problems.map(([each]) => each) },
    // A vendor that only finds out when it draws.
    { ...untroubled, render: async () => ({ problems: problems.map(([each]) => each) }) },
  ]
  for (scripted of unfit) {
    const order = await submitted(build.podLine(), line('bad', { Name: 'x' }))
    assert.equal(order.status, 'failed', JSON.stringify(order))
    assert.deepEqual(
      order.errors.map(({ code, detail, field, partnerLineId }: any) => [code, detail, field, partnerLineId]),
      problems.map(([, says]) => ['order_rejected', says, 'lines[1].templateVariables', 'bad']),
    )
  }
  assert.deepEqual(await kept(), before)
})

test('values that the document does not take are not sent to the vendor, and all problems are told at once', async () => {
  const sent: TemplateValues[] = []
  scripted = {
    ...untroubled,
    check: async (_id, values) => {
      sent.push(values)
      return [problem('Motto', 'unusable'), problem('Title', 'too_long')]
    },
  }
  const order = await submitted(line('a', { Name: 'Avery', Title: 'Chef', Motto: 'Onward' }))
  assert.deepEqual(sent, [{ Name: 'Avery', Title: 'Chef' }])
  assert.deepEqual(
    order.errors.map(({ detail }: any) => detail),
    ['The product\'s template has no variable "Motto".', 'The value of "Title" does not fit its field: shorten it.'],
  )
})

test('an order with any unprintable line keeps none of the files drawn for it', async () => {
  const before = await kept()
  const bad: Rendering = { problems: [problem('Name', 'too_long')] }
  scripted = { ...untroubled, render: async (_id, values) => (values.Name === 'bad' ? bad : { pdf: drawn(values) }) }
  const order = await submitted(line('a', { Name: 'good' }), line('b', { Name: 'bad' }))
  assert.deepEqual(
    order.errors.map(({ partnerLineId }: any) => partnerLineId),
    ['b'],
  )
  assert.deepEqual(await kept(), before)
})

test('an order with drawn files and artwork that cannot be fetched keeps neither', async () => {
  const before = await kept()
  const artworkUrl = 'http://artwork.invalid/a.pdf'
  const order = await submitted(line('a', { Name: 'Avery' }), build.podLine({ artworkUrl }))
  assert.deepEqual(
    order.errors.map(({ field }: any) => field),
    ['lines[1].artworkUrl'],
  )
  assert.ok(asked.includes('render business-card-standard'))
  assert.deepEqual(await kept(), before)
})

test('a vendor that does not render leaves the line without a file', async () => {
  scripted = { ...untroubled, render: async () => undefined }
  assert.deepEqual(await filesOf(await submitted(line('a', { Name: 'Avery' }))), [])
})

test('nothing is drawn for lines without a usable template, nor for one that brings its file', async () => {
  const artworkUrl = 'http://artwork.invalid/a.pdf'
  await submitted(line('a', undefined, { productId: templateLegacy }), line('b', undefined, { productId: pod }))
  await submitted(line('a', { Name: 'Avery' }, { artworkUrl }))
  assert.deepEqual(
    asked.filter((each) => each.startsWith('render')),
    [],
  )
})

test('an order waits while the vendor cannot draw, keeps nothing meanwhile, and the same body is drawn for once', async () => {
  const before = await kept()
  let isAway = true
  const { promise: refused, resolve: isRefused } = Promise.withResolvers<void>()
  scripted = {
    ...untroubled,
    render: async (_id, values) => {
      if (!isAway) return { pdf: drawn(values) }
      isRefused()
      throw new Outage('the template vendor cannot be asked')
    },
  }
  const body = build.order({ partnerOrderId: newKey(), lines: [line('a', { Name: 'Avery' })] })
  const posted = primary.post('/v1/orders', body)
  await refused
  assert.deepEqual(await kept(), before)
  isAway = false
  const { body: order } = await posted
  assert.equal((await filesOf(order)).length, 1)
  asked = []
  const again = await primary.post('/v1/orders', body)
  assert.deepEqual([again.status, again.body.order.orderNumber], [200, order.order.orderNumber])
  assert.deepEqual(asked, [])
})
