import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { atTheWorks, untilPacked } from '../../../test/every-staff-operation/samples/placed-order.ts'
import { pngFile } from '../../../test/world/artwork.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed } from '../../../test/world/production.ts'
import { code128Read } from '../../../test/world/read-code128.ts'
import { seenPdf } from '../../../test/world/seen-pdf.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { until } from '../../../test/world/webhooks.ts'
import { readPictures } from '../../platform/paperwork/read-pictures.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { main } = service.manifest.sites
const root = '/staff/v1/production'

/** The file that an operation answers. */
async function bytesOf(path: string, body?: unknown): Promise<Uint8Array> {
  const answer = await fetch(`${service.hosts.consoleUrl}${root}/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  assert.equal(answer.status, 200, path)
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  return new Uint8Array(await answer.arrayBuffer())
}

const pagesOf = async (path: string, body?: unknown) => seenPdf(await bytesOf(path, body), 1)

async function ordered(fields: Parameters<typeof build.order>[0] = {}) {
  const { orderNumber } = await placed(primary, build.order(fields))
  const at = `orders/${orderNumber}`
  const { shipments } = (await admin.get(`${root}/${at}`)).body
  return { orderNumber, at, shipmentNumber: shipments[0].shipmentNumber as number }
}

const has = (text: string, part: string): boolean => text.replaceAll(/\s/g, '').includes(part.replaceAll(/\s/g, ''))

test('a job ticket shows the line, the artwork once it is inspected, and what holds the line', async () => {
  const { orderNumber, at } = await ordered()
  const path = `${at}/lines/1/documents/job-ticket`
  const [before] = await pagesOf(path)
  assert.ok(has(before!.text, `${orderNumber}-1`))
  assert.ok(has(before!.text, 'No artwork was sent yet'))
  const reserved = await admin.post(`${root}/${at}/lines/1/uploads`, { fileName: 'karten-春.png' })
  await fetch(reserved.body.uploadUrl, { method: 'PUT', body: pngFile })
  const { reservationName } = reserved.body
  await admin.post(`${root}/${at}/lines/1/print-files`, { reservationName })
  await until(async () => {
    const { files } = (await admin.get(`${root}/${at}/lines/1/artwork`)).body
    return files[0]?.pages[0]?.pictures?.length > 1
  })
  const [shown] = await pagesOf(path)
  assert.ok(has(shown!.text, 'page 1 of 1'), shown!.text)
  await admin.post(`${root}/${at}/lines/1/hold`)
  assert.ok(has((await pagesOf(path))[0]!.text, 'On hold'))
})

test('a job ticket prints the notes that stand, newest first, and who passed over which guard', async () => {
  const { at } = await ordered()
  const note = async (text: string, lineNumber: number | null, audience = 'STAFF') =>
    (await admin.post(`${root}/${at}/notes`, { audience, lineNumber, text })).body
  await note('On 350 g board, not on 300 g', 1)
  await note('Call before delivery', null, 'PARTNER')
  await note('Never mind', 1)
  const { notes } = (await admin.get(`${root}/${at}`)).body
  const { noteId } = notes.find(({ text }: { text: string }) => text === 'Never mind')
  assert.equal((await admin.post(`${root}/${at}/notes/${noteId}/withdraw`)).status, 200)
  for (const step of untilPacked) {
    await admin.post(`${root}/${at}/lines/1/${step}`, step === 'override' ? atTheWorks : undefined)
  }
  const { text } = (await pagesOf(`${at}/lines/1/documents/job-ticket`))[0]!
  assert.ok(has(text, 'Call before delivery') && has(text, 'On 350 g board'), text)
  assert.ok(text.indexOf('Call before') < text.indexOf('On 350 g'), text)
  assert.ok(!has(text, 'Never mind'), text)
  assert.ok(has(text, 'Override by') && has(text, 'The artwork is at the works'), text)
})

test('the tickets, slips and labels of many are one file in the order asked for, and who drew it is on the record', async () => {
  const [one, other] = [await ordered(), await ordered()]
  const lines = [other, one].map(({ orderNumber }) => ({ orderNumber, lineNumber: 1 }))
  const tickets = await pagesOf('documents/job-tickets', { lines })
  assert.deepEqual(
    tickets.map(({ text }) => /\d{7}-1/.exec(text)![0]),
    lines.map(({ orderNumber }) => `${orderNumber}-1`),
  )
  const shipmentNumbers = [other.shipmentNumber, one.shipmentNumber]
  const slips = await pagesOf('documents/packing-slips', { shipmentNumbers })
  assert.ok(slips.every(({ text }, index) => has(text, String(shipmentNumbers[index]))))
  assert.equal((await pagesOf('documents/labels', { shipmentNumbers })).length, 2)
  const [record] = (await admin.get(`${root}/audit-records?limit=5`)).body.records.filter(
    ({ action }: { action: string }) => action === 'documents.printed',
  )
  assert.deepEqual(record.detail, { of: shipmentNumbers.map(String) })
})

test('what is not there is named, and nothing is drawn', async () => {
  const { orderNumber, at } = await ordered()
  const absent = await admin.post(`${root}/documents/job-tickets`, {
    lines: [
      { orderNumber, lineNumber: 1 },
      { orderNumber, lineNumber: 77 },
    ],
  })
  assert.deepEqual([absent.status, absent.body.code], [404, 'line_not_found'])
  assert.match(absent.body.detail, new RegExp(`${orderNumber}-77`))
  assert.equal((await admin.get(`${root}/orders/99/documents/confirmation`)).body.code, 'order_not_found')
  const other = await ordered()
  const foreign = `${root}/${at}/shipments/${other.shipmentNumber}/documents/packing-slip`
  assert.equal((await admin.get(foreign)).body.code, 'shipment_not_found')
  const tooMany = Array.from({ length: 201 }, (_, index) => ({ orderNumber, lineNumber: index + 1 }))
  assert.equal((await admin.post(`${root}/documents/job-tickets`, { lines: tooMany })).body.code, 'invalid_request')
})

test('a pick list puts the goods of many lines together by shelf, and says what it leaves out', async () => {
  const { stock, stockVariantId } = service.manifest.fixtures.products
  const line = (quantity: number) => ({
    productId: stock,
    variantId: stockVariantId,
    partnerLineId: `goods-${quantity}`,
    quantity,
  })
  const [one, other] = [await ordered({ lines: [line(2)] }), await ordered({ lines: [line(3)] })]
  const held = await ordered()
  await admin.post(`${root}/${held.at}/hold`)
  const lines = [one, other, held].map(({ orderNumber }) => ({ orderNumber, lineNumber: 1 }))
  const [page] = await pagesOf('documents/pick-list', { lines })
  assert.ok(has(page!.text, '5 pieces from 1 place'), page!.text)
  assert.ok(has(page!.text, `${one.orderNumber}-1 × 2`) && has(page!.text, `${other.orderNumber}-1 × 3`))
  assert.ok(has(page!.text, `${held.orderNumber}-1`) && has(page!.text, 'on hold'))
})

test("a slip and a label bear the partner's brand where it has one, and the paper is that of the site's country", async () => {
  const { at, shipmentNumber } = await ordered()
  const slip = `${at}/shipments/${shipmentNumber}/documents/packing-slip`
  const [own] = await pagesOf(slip)
  assert.deepEqual([own!.width, own!.height], [612, 792])
  assert.ok(has(own!.text, 'Meridian Print Store'))
  const { partnerId } = service.manifest.partners.primary
  const brand = {
    name: 'بطاقات الشمال',
    color: null,
    supportEmail: null,
    senderAddress: ['PO Box 1180', 'Portland, OR'],
  }
  await admin.put(`${root}/partners/${partnerId}/brand`, brand)
  const [branded] = await pagesOf(slip)
  assert.ok(has(branded!.text, 'بطاقات الشمال'), branded!.text)
  assert.ok(!has(branded!.text, 'Meridian'))
  const labels = await pagesOf(`${at}/shipments/${shipmentNumber}/documents/labels?packages=3`)
  assert.equal(labels.length, 3)
  assert.ok(has(labels[2]!.text, '3 of 3') && has(labels[2]!.text, 'PO Box 1180'))
  await admin.patch(`${root}/sites/${main}`, { countryCode: 'DE' })
  const [metric] = await pagesOf(slip)
  assert.ok(Math.abs(metric!.height - 841.89) < 0.01)
  await admin.patch(`${root}/sites/${main}`, { countryCode: 'US' })
})

test('the bar code of a shipped package is its tracking number', async () => {
  const { at, shipmentNumber } = await ordered()
  for (const step of untilPacked) {
    await admin.post(`${root}/${at}/lines/1/${step}`, step === 'override' ? atTheWorks : undefined)
  }
  const packages = [
    { trackingNumber: '1Z6R9F420312345784', weightOunces: '76.5' },
    { trackingNumber: null, weightOunces: '31.97' },
  ]
  const shipped = await admin.post(`${root}/${at}/shipments/${shipmentNumber}/ship`, { packages })
  assert.equal(shipped.status, 200, JSON.stringify(shipped.body))
  const pages = await seenPdf(await bytesOf(`${at}/shipments/${shipmentNumber}/documents/labels`), 203 / 72)
  const read = pages.map((page) =>
    code128Read(Array.from({ length: 288 * 8 }, (_, step) => page.lightness(step / 8, 120) < 128)),
  )
  assert.deepEqual(read, ['1Z6R9F420312345784', `${shipmentNumber}-2`])
  assert.ok(has(pages[0]!.text, '4 lb 12.5 oz'))
  assert.ok(has(pages[1]!.text, '2 lb') && !has(pages[1]!.text, 'oz'), pages[1]!.text)
})

test('customers read nothing of lines that are hidden from them, and a reprint is on the slip of its own shipment', async () => {
  const { orderNumber: hidden } = service.manifest.fixtures.orders.hiddenLine
  const order = (await admin.get(`${root}/orders/${hidden}`)).body
  const [slip] = await pagesOf(`orders/${hidden}/shipments/${order.shipments[0].shipmentNumber}/documents/packing-slip`)
  const [confirmation] = await pagesOf(`orders/${hidden}/documents/confirmation`)
  const { productName } = order.lines[0]
  assert.ok(!has(slip!.text, productName), slip!.text)
  assert.ok(!has(confirmation!.text, productName), confirmation!.text)

  const { at } = await ordered()
  const reprint = await admin.post(`${root}/${at}/lines/1/reprint`, {
    quantity: 10,
    reason: 'QUALITY',
    comment: 'The blue is off',
    proof: 'NONE',
    reference: 'slip-of-a-reprint',
  })
  assert.equal(reprint.status, 201, JSON.stringify(reprint.body))
  const line = (await admin.get(`${root}/${at}`)).body.lines[1]
  const own = `${at}/shipments/${reprint.body.shipmentNumber}/documents`
  const [ownSlip] = await pagesOf(`${own}/packing-slip`)
  assert.ok(has(ownSlip!.text, line.productName), ownSlip!.text)
  const [label] = await pagesOf(`${own}/labels`)
  assert.ok(has(label!.text, 'Parcelway Ground') && !has(label!.text, 'Parcelway Parcelway'), label!.text)
})

test('a confirmation shows the totals of the order', async () => {
  const { at } = await ordered()
  const order = (await admin.get(`${root}/${at}`)).body
  const [page] = await pagesOf(`${at}/documents/confirmation`)
  const price = Number(order.totalPrice).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
  assert.ok(has(page!.text, `Total${price}`), page!.text)
  assert.ok(has(page!.text, 'To be invoiced'))
})

test('pictures that a store does not give in time are left out, and the others are there', async () => {
  const read = (key: string) =>
    key === 'slow' ? new Promise<never>(() => {}) : Promise.resolve(Readable.from([pngFile]))
  const found = await readPictures({ read }, ['slow', 'quick'], 50)
  assert.deepEqual([...found.keys()], ['quick'])
})
