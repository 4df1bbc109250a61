import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectedOrder } from '../../../test/every-staff-operation/samples/artwork.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { until } from '../../../test/world/webhooks.ts'

const service = await testService()
const admin = await staff(service)
const world = { service, admin }

const queue = '/staff/v1/production/artwork-inspections'
const idsOf = ({ body }: { body: any }): string[] => body.inspections.map((each: any) => each.inspectionId)

test('the queue lists inspections, newest file first, page by page', async () => {
  const orders = [await inspectedOrder(world), await inspectedOrder(world), await inspectedOrder(world)]
  const newest = orders.toReversed().map(({ file }) => file.inspectionId)
  const first = await admin.get(`${queue}?limit=2`)
  const next = await admin.get(`${queue}?limit=1&cursor=${first.body.nextCursor}`)
  assert.deepEqual([...idsOf(first), ...idsOf(next)], newest)
  const [shown] = first.body.inspections
  const { orderNumber, file } = orders[2]!
  assert.deepEqual(
    [shown.orderNumber, shown.lineNumber, shown.siteId, shown.status, shown.summary.error > 0],
    [orderNumber, 1, service.manifest.sites.main, file.status, true],
  )
  assert.deepEqual(shown.codes.toSorted(), [...new Set(file.findings.map(({ code }) => code))].toSorted())
})

test('the queue filters by status, site, order and what was found', async () => {
  const { orderNumber, file, gravest } = await inspectedOrder(world)
  const listed = async (query: string) => idsOf(await admin.get(`${queue}?orderNumber=${orderNumber}&${query}`))
  const { main } = service.manifest.sites
  assert.deepEqual(await listed(`status=${file.status}&code=${gravest.code}&siteId=${main}`), [file.inspectionId])
  for (const other of ['status=passed', 'code=hidden_layers', `siteId=${main + 1}`]) {
    assert.deepEqual(await listed(other), [], other)
  }
})

test('the artwork of a line has its boxes, and pictures with and without guides', async () => {
  const { file } = await inspectedOrder(world)
  const [page] = file.pages
  assert.ok(page.width > 0 && page.height > 0)
  assert.deepEqual(page.pictures.map((each: any) => each.of).toSorted(), [
    'finished',
    'guides',
    'large',
    'medium',
    'small',
  ])
  for (const { link, of } of page.pictures) {
    const bytes = Buffer.from(await (await fetch(link)).arrayBuffer())
    assert.match(bytes.toString('latin1', 0, 8), /^\x89PNG/, of)
  }
})

test('a waived finding stays listed with reason, person and time, counts as info, and can be taken back', async () => {
  const { file, gravest, line } = await inspectedOrder(world)
  const at = `${queue}/${file.inspectionId}`
  const reason = 'The customer signed for it.'
  const find = ({ files }: any) => files[0].findings.find((each: any) => each.code === gravest.code)
  const before = (await admin.get(`${line}/artwork`)).body
  const waived = (await admin.post(`${at}/waive`, { ...gravest, reason })).body
  assert.deepEqual(find(waived).waiver, { reason, actorId: 'demo', waivedOn: find(waived).waiver.waivedOn })
  assert.equal(find(waived).severity, find(before).severity)
  assert.equal(waived.files[0].summary.info, before.files[0].summary.info + 1)
  assert.equal((await admin.post(`${at}/waive`, { ...gravest, reason })).body.code, 'already_waived')

  const back = (await admin.post(`${at}/unwaive`, gravest)).body
  assert.deepEqual([find(back).waiver, back.files[0].summary], [null, before.files[0].summary])
  assert.equal((await admin.post(`${at}/unwaive`, gravest)).body.code, 'not_waived')
  const history = (await admin.get(`${line.replace(/\/lines\/.*/, '')}/history?kind=change`)).body.entries
  const told = history.filter(({ what }: any) => /waive/.test(what)).map(({ what, facts }: any) => [what, facts.reason])
  assert.deepEqual(told, [
    ['artwork.waiver_ended', reason],
    ['artwork.finding_waived', reason],
  ])
  const unknown = { ...gravest, code: 'hidden_layers', reason }
  assert.equal((await admin.post(`${at}/waive`, unknown)).body.code, 'no_such_finding')
})

test('a file without open errors passes, and needs changes again when a waiver is taken back', async () => {
  const { file } = await inspectedOrder(world)
  const at = `${queue}/${file.inspectionId}`
  const keys = file.findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, page, subject }) => ({ code, page, subject }))
  const statuses: string[] = []
  for (const key of keys)
    statuses.push((await admin.post(`${at}/waive`, { ...key, reason: 'Known.' })).body.files[0].status)
  assert.ok(['passed', 'passed_with_warnings'].includes(statuses.at(-1)!), statuses.join())
  assert.equal((await admin.post(`${at}/unwaive`, keys[0])).body.files[0].status, 'needs_changes')
})

test("inspecting again takes the product's rules of today, and a file under inspection is left alone", async () => {
  const { file, line, gravest } = await inspectedOrder(world)
  const at = `${queue}/${file.inspectionId}`
  const product = `/staff/v1/production/products/${service.manifest.fixtures.products.pod}`
  const { artworkProfile } = (await admin.get(product)).body
  await admin.patch(product, { artworkProfile: { ...artworkProfile, trimWidth: 300, trimHeight: 100 } })
  const again = (await admin.post(`${at}/inspect-again`)).body.files[0]
  assert.equal(again.status, 'queued')
  let shown: any
  await until(async () => {
    shown = (await admin.get(`${line}/artwork`)).body.files[0]
    return shown.status !== 'queued' && shown.status !== 'inspecting'
  })
  assert.equal(shown.findings.find(({ code }: any) => code === 'page_size_wrong').wanted, '300 × 100')
  assert.equal(shown.inspectionId, file.inspectionId)
  assert.equal(gravest.code, file.findings[0].code)
  await admin.patch(product, { artworkProfile })
})

test('a line or an inspection that is not there is 404', async () => {
  const missing = await admin.get('/staff/v1/production/orders/987654321/lines/1/artwork')
  assert.deepEqual([missing.status, missing.body.code], [404, 'line_not_found'])
  const at = `${queue}/00000000-0000-4000-8000-000000000000`
  for (const [verb, body] of [
    ['inspect-again', undefined],
    ['waive', { code: 'hairline', page: null, subject: null, reason: 'x' }],
    ['unwaive', { code: 'hairline', page: null, subject: null }],
  ] as const) {
    const { status, body: told } = await admin.post(`${at}/${verb}`, body)
    assert.deepEqual([status, told.code], [404, 'inspection_not_found'], verb)
  }
})
