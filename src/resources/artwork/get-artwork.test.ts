import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { faultyPdfFile, pdfFile } from '../../../test/world/artwork.ts'
import { attached, inspected } from '../../../test/world/inspected.ts'
import { callTool, mcpClient } from '../../../test/world/mcp.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed, type PlacedLine } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'
import { previewSizes } from '../../vocabulary/artwork.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const admin = await staff(service)
const build = orderBuilder(service.manifest)

const pathOf = ({ orderNumber, itemNumber }: PlacedLine): string =>
  `/v1/orders/${orderNumber}/items/${itemNumber}/artwork`
const newLine = async (): Promise<PlacedLine> => (await placed(primary, build.order())).lines[0]!
const png = /^\x89PNG\r\n/

test('a line without files has an empty list', async () => {
  const line = await newLine()
  const { body } = await primary.get(pathOf(line))
  assert.deepEqual(body, { orderNumber: line.orderNumber, itemNumber: line.itemNumber, files: [] })
})

test('an attached file is shown at once, and soon with what inspection found and where', async () => {
  const line = await newLine()
  const bytes = faultyPdfFile()
  await attached(primary, line, { fileName: 'Dana.pdf', bytes })
  const [first] = (await primary.get(pathOf(line))).body.files
  const { inspection: _, attachedOn, ...file } = first
  assert.deepEqual(file, {
    fileName: 'Dana.pdf',
    fileSize: bytes.length,
    md5: createHash('md5').update(bytes).digest('hex'),
    active: true,
    source: 'UPLOAD',
  })
  assert.ok(Date.parse(attachedOn) <= Date.now())

  const [{ inspection }] = await inspected(primary, line)
  assert.equal(inspection.status, 'needs_changes')
  assert.ok(Date.parse(inspection.inspectedOn) >= Date.parse(attachedOn))
  const wrongSize = inspection.findings.find(({ code }: { code: string }) => code === 'page_size_wrong')
  assert.deepEqual([wrongSize.severity, wrongSize.page, wrongSize.wanted], ['error', 1, '252 × 144'])
  for (const severity of ['error', 'sign_off', 'warning', 'info']) {
    const count = inspection.findings.filter((each: any) => each.severity === severity).length
    assert.equal(inspection.summary[severity], count, severity)
  }
})

test('the pages have pictures in three sizes, which are PNG behind links of five minutes', async () => {
  const line = await newLine()
  await attached(primary, line)
  const [{ inspection }] = await inspected(primary, line)
  const [page, ...others] = inspection.pages
  assert.deepEqual([page.page, others], [1, []])
  assert.deepEqual(
    page.previews.map(({ size }: { size: string }) => size),
    ['small', 'medium', 'large'],
  )
  for (const { size, url, width, height, expiresOn } of page.previews) {
    assert.ok(Math.max(width, height) <= previewSizes[size as keyof typeof previewSizes], size)
    const lifetime = Date.parse(expiresOn) - Date.now()
    assert.ok(lifetime > 200_000 && lifetime <= 300_000, `${size} lives ${lifetime} ms`)
    const answer = await fetch(url)
    assert.equal(answer.headers.get('content-type'), 'image/png')
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.match(bytes.toString('latin1', 0, 8), png)
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [width, height])
  }
})

test('files are listed oldest first, with who brought each', async () => {
  const line = await newLine()
  await attached(primary, line, { fileName: 'first.pdf' })
  const at = `/staff/v1/production/orders/${line.orderNumber}/lines/1`
  const { uploadUrl, reservationName } = (await admin.post(`${at}/uploads`, { fileName: 'second.pdf' })).body
  await fetch(uploadUrl, { method: 'PUT', body: pdfFile('by staff') })
  await admin.post(`${at}/print-files`, { reservationName })
  const files = await inspected(primary, line)
  assert.deepEqual(
    files.map(({ fileName, source }) => [fileName, source]),
    [
      ['first.pdf', 'UPLOAD'],
      ['second.pdf', 'STAFF'],
    ],
  )
})

test('what staff waive stays listed as info, and the file passes', async () => {
  const line = await newLine()
  await attached(primary, line, { bytes: faultyPdfFile() })
  const [{ inspection: before }] = await inspected(primary, line)
  const { files } = (await admin.get(`/staff/v1/production/orders/${line.orderNumber}/lines/1/artwork`)).body
  const errors = before.findings.filter(({ severity }: { severity: string }) => severity === 'error')
  for (const { code, page, subject } of errors) {
    const at = `/staff/v1/production/artwork-inspections/${files[0].inspectionId}/waive`
    assert.equal((await admin.post(at, { code, page, subject, reason: 'The customer knows.' })).status, 200)
  }
  const [{ inspection }] = await inspected(primary, line)
  assert.equal(inspection.findings.length, before.findings.length)
  assert.ok(inspection.findings.every(({ severity }: { severity: string }) => severity !== 'error'))
  assert.deepEqual([inspection.summary.error, inspection.summary.info], [0, before.summary.info + errors.length])
  assert.ok(['passed', 'passed_with_warnings'].includes(inspection.status))
  assert.doesNotMatch(JSON.stringify(inspection), /waive|The customer knows/)
})

test('ERR-44 TEN-01 the artwork of a hidden line, of a foreign and of a missing one get the same answer', async () => {
  const line = await newLine()
  await service.owner.production.statements.rows(sql`
    update order_line set hidden = true where order_number = ${line.orderNumber}`)
  const { foreign } = service.manifest.fixtures
  const answers = await Promise.all(
    [line, { ...line, ...foreign }, { ...line, itemNumber: 987_654_321 }].map((each) => primary.get(pathOf(each))),
  )
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.code], [404, 'order_item_not_found'])
    assert.deepEqual({ ...body, requestId: '' }, { ...answers[0]!.body, requestId: '' })
  }
})

test('MCP-01 an agent sees the first page of the newest file beside the answer', async () => {
  const line = await newLine()
  const ids = { orderNumber: line.orderNumber, itemNumber: line.itemNumber }
  await attached(primary, line, { bytes: faultyPdfFile() })
  await attached(primary, line)
  const [, { inspection }] = await inspected(primary, line)
  const medium = inspection.pages[0].previews.find(({ size }: { size: string }) => size === 'medium')
  const bytes = Buffer.from(await (await fetch(medium.url)).arrayBuffer()).toString('base64')
  for (const mode of ['auto', 'legacy'] as const) {
    const client = await mcpClient(primary, mode)
    const { content, structuredContent } = await client.callTool({ name: 'get_artwork', arguments: ids })
    const [text, image, ...others] = content as { type: string; text?: string; mimeType?: string; data?: string }[]
    assert.deepEqual(JSON.parse(text!.text!), structuredContent)
    assert.deepEqual([image, others], [{ type: 'image', mimeType: 'image/png', data: bytes }, []])
    await client.close()
  }
  const { orderNumber, itemNumber } = await newLine()
  const { images } = await callTool(primary, 'get_artwork', { orderNumber, itemNumber })
  assert.deepEqual(images, [], 'a line without files has no picture')
})
