import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { noPrintFiles, pdfFile, printFiles } from '../../../test/world/artwork.ts'
import { blindEngine } from '../../../test/world/artwork-engine.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { advanceTo, placed, type PlacedLine } from '../../../test/world/production.ts'
import { staff } from '../../../test/world/staff.ts'
import { storedObjects } from '../../../test/world/stored-objects.ts'
import { testService } from '../../../test/world/service.ts'

/** how far the storage's clock is ahead of the system's */
let secondsAhead = 0

const service = await testService({
  clock: () => new Date(Date.now() + secondsAhead * 1000),
  artworkEngine: blindEngine(),
})
const primary = await partner(service, 'primary')
const neighbour = await partner(service, 'neighbour')
const build = orderBuilder(service.manifest)
const line = service.manifest.fixtures.orders.noProofing

const bytes = pdfFile()

function path(rest: '' | '/upload-url', of = line): string {
  return `/v1/orders/${of.orderNumber}/items/${of.itemNumber}/artwork${rest}`
}

async function reserve(body: Record<string, unknown> = { fileName: 'cards.pdf' }): Promise<Answer> {
  const answer = await primary.post(path('/upload-url'), body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer
}

function put(url: string, body: Uint8Array, contentType?: string): Promise<Response> {
  return fetch(url, {
    method: 'PUT',
    body: new Uint8Array(body),
    ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }),
  })
}

function attach(reservationName: unknown): Promise<Answer> {
  return primary.post(path(''), { reservationName })
}

async function filesOfLine(): Promise<{ fileName: string; objectKey: string; md5: string }[]> {
  return service.production.database.statements.rows(sql`
    select print_file.file_name, print_file.object_key, print_file.md5
    from print_file join order_line using (order_number, line_number)
    where item_number = ${line.itemNumber} order by print_file_id`)
}

test('ART-01, ART-03, ART-05, ART-06, ART-14 a reservation gives a signed URL on a separate host, valid for a minute, and must not be stored', async () => {
  const answer = await reserve({ fileName: 'Cards, final.pdf', contentType: 'application/pdf' })
  assert.deepEqual(Object.keys(answer.body), [
    'orderNumber',
    'itemNumber',
    'reservationName',
    'uploadUrl',
    'uploadMethod',
    'contentType',
    'expiresAt',
  ])
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.body.uploadMethod, 'PUT')
  assert.equal(answer.body.contentType, 'application/pdf')
  const { origin } = new URL(answer.body.uploadUrl)
  assert.equal(origin, service.hosts.storageUrl)
  assert.notEqual(origin, service.hosts.baseUrl)
  const lifetime = Date.parse(answer.body.expiresAt) - Date.now()
  assert.ok(lifetime > 50_000 && lifetime < 65_000, `it lives ${lifetime} ms`)
})

test('ART-02, ART-12, ART-15, ART-16, ART-17 after upload and attach the file appears as storage reports it, and the line goes to prepress', async () => {
  const { body } = await reserve({ fileName: 'Müsli & Co.pdf' })
  assert.equal((await put(body.uploadUrl, bytes)).status, 200)
  const attached = await attach(body.reservationName)
  assert.equal(attached.status, 200, JSON.stringify(attached.body))
  assert.deepEqual(attached.body, {
    ...line,
    fileName: attached.body.fileName,
    fileSize: bytes.length,
    md5: createHash('md5').update(bytes).digest('hex'),
    active: true,
  })
  assert.match(attached.body.fileName, /^[A-Za-z0-9._-]+\.pdf$/)
  const items = await primary.get(`/v1/orders/${line.orderNumber}/items?limit=200`)
  const shown = items.body.items.find((item: any) => item.itemNumber === line.itemNumber)
  assert.equal(shown.productionStatus, 'PREPRESS')
})

test('ART-04, ART-18, ERR-58 a reservation attaches once: unfilled, unknown, used and foreign ones are 409 and change nothing', async () => {
  const { body } = await reserve()
  const earlier = await filesOfLine()
  const refused = async (name: string): Promise<void> => {
    const answer = await attach(name)
    assert.equal(answer.status, 409)
    assert.equal(answer.body.code, 'artwork_reservation_not_usable')
    assert.match(answer.body.detail, /unknown, has no uploaded file, or is already attached\. Reserve a new upload\./)
  }
  await refused(body.reservationName)
  await refused('00000000-0000-4000-8000-000000000000')
  await refused('anything')
  assert.deepEqual(await filesOfLine(), earlier)
  // The refusal left the reservation unchanged: after an upload it can be attached.
  await put(body.uploadUrl, bytes)
  const other = service.manifest.fixtures.orders.pendingReview
  const elsewhere = await primary.post(path('', other), { reservationName: body.reservationName })
  assert.equal(elsewhere.body.code, 'artwork_reservation_not_usable')
  assert.equal((await attach(body.reservationName)).status, 200)
  await refused(body.reservationName)
  assert.equal((await filesOfLine()).length, earlier.length + 1)
})

test('ART-18 ERR-58 a reservation is for one line: the other line of its order cannot use it', async () => {
  const { lines } = await placed(
    primary,
    build.order({ lines: [build.podLine(), build.podLine({ partnerLineId: 'more' })] }),
  )
  const [own, other] = lines
  const { body } = await primary.post(path('/upload-url', own), { fileName: 'cards.pdf' })
  await put(body.uploadUrl, bytes)
  const attached = (to: typeof own) => primary.post(path('', to), { reservationName: body.reservationName })
  const refused = await attached(other)
  assert.deepEqual([refused.status, refused.body.code], [409, 'artwork_reservation_not_usable'])
  assert.equal((await attached(own)).status, 200)
})

test("TEN-05 ART-18 ERR-58 a reservation is its maker's: for another partner of the site, and for staff, its name is unknown", async () => {
  const admin = await staff(service)
  const answerOf = async (name: string, by = neighbour): Promise<unknown> => {
    const { status, body } = await by.post(path(''), { reservationName: name })
    const { requestId: _, ...problem } = body
    return { status, problem }
  }
  const { body: own } = await reserve()
  await put(own.uploadUrl, bytes)
  const { body: foreign } = await neighbour.post(path('/upload-url'), { fileName: 'theirs.pdf' })
  await put(foreign.uploadUrl, bytes)
  const [files, objects] = [await filesOfLine(), await storedObjects(service)]

  const unknown = await answerOf('00000000-0000-4000-8000-000000000000')
  assert.deepEqual(await answerOf(own.reservationName), unknown)
  assert.deepEqual(await answerOf(foreign.reservationName, primary), unknown)
  const [{ lineNumber }] = (await service.production.database.statements.rows(sql`
    select line_number from order_line where item_number = ${line.itemNumber}`)) as [{ lineNumber: number }]
  const ofStaff = `/staff/v1/production/orders/${line.orderNumber}/lines/${lineNumber}`
  const byStaff = await admin.post(`${ofStaff}/print-files`, { reservationName: own.reservationName })
  assert.deepEqual([byStaff.status, byStaff.body.code], [409, 'reservation_not_usable'])
  const { body: made } = await admin.post(`${ofStaff}/uploads`, { fileName: 'staff.pdf' })
  assert.deepEqual(await answerOf(made.reservationName, primary), unknown)
  assert.deepEqual([await filesOfLine(), await storedObjects(service)], [files, objects])

  assert.equal((await attach(own.reservationName)).status, 200)
  assert.equal((await neighbour.post(path(''), { reservationName: foreign.reservationName })).status, 200)
})

test('ART-16 ART-18 ERR-58 a line that can no longer use artwork takes neither reservation nor file, and nothing is stored', async () => {
  const admin = await staff(service)
  const change = async (rest: string, body?: unknown): Promise<void> => {
    const answer = await admin.post(`/staff/v1/production/orders/${rest}`, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  const shipAll = async (of: PlacedLine): Promise<void> => {
    await advanceTo(service, of, 'PACKING')
    const [shipment] = (await primary.get(`/v1/orders/${of.orderNumber}/shipments`)).body.shipments
    await change(`${of.orderNumber}/shipments/${shipment.shipmentNumber}/ship`, {
      packages: [{ trackingNumber: null, weightOunces: null }],
    })
  }
  const cases: [what: string, make: (of: PlacedLine) => Promise<void>, code: string, detail: RegExp][] = [
    ['line cancelled', (of) => change(`${of.orderNumber}/lines/1/cancel`), 'order_item_cancelled', /cancelled/],
    ['order cancelled', (of) => change(`${of.orderNumber}/cancel`), 'order_item_cancelled', /cancelled/],
    ['line shipped', shipAll, 'artwork_reservation_not_usable', /shipped/],
    ['line made', (of) => advanceTo(service, of, 'COMPLETE'), 'artwork_reservation_not_usable', /made/],
    [
      'order completed',
      async (of) => {
        await shipAll(of)
        await change(`${of.orderNumber}/complete`)
      },
      'artwork_reservation_not_usable',
      /completed/,
    ],
  ]
  for (const [what, make, code, detail] of cases) {
    const lines = [build.podLine(), build.podLine({ partnerLineId: 'other' })]
    const order = await placed(primary, build.order({ lines: what === 'line cancelled' ? lines : lines.slice(1) }))
    const of = order.lines[0]!
    const { body } = await primary.post(path('/upload-url', of), { fileName: 'cards.pdf' })
    assert.equal((await put(body.uploadUrl, bytes)).status, 200)
    await make(of)
    const state = async () => [
      (await primary.get(`/v1/orders/${of.orderNumber}/items`)).body,
      await storedObjects(service),
      await service.production.database.statements.rows(sql`
        select reservation_name, attached_on from artwork_reservation where order_number = ${of.orderNumber}`),
      await service.production.database.statements.rows(sql`
        select print_file_id from print_file where order_number = ${of.orderNumber}`),
    ]
    const earlier = await state()
    for (const answer of [
      await primary.post(path('/upload-url', of), { fileName: 'late.pdf' }),
      await primary.post(path('', of), { reservationName: body.reservationName }),
      await primary.post(path('', of), { reservationName: 'anything' }),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [409, code], what)
      assert.match(answer.body.detail, detail, what)
    }
    assert.deepEqual(await state(), earlier, what)
  }
})

test('one of many concurrent attaches of the same reservation succeeds', async () => {
  const { body } = await reserve()
  await put(body.uploadUrl, bytes)
  const earlier = (await filesOfLine()).length
  const answers = await Promise.all(Array.from({ length: 12 }, () => attach(body.reservationName)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 11 }, () => 409)])
  assert.equal((await filesOfLine()).length, earlier + 1)
})

test('ART-10 a Content-Type bound to the URL must be the one that is sent', async () => {
  const { body } = await reserve({ fileName: 'a.png', contentType: 'image/png' })
  assert.equal((await put(body.uploadUrl, bytes, 'application/pdf')).status, 403)
  assert.equal((await put(body.uploadUrl, bytes)).status, 403)
  assert.equal((await attach(body.reservationName)).status, 409)
  assert.equal((await put(body.uploadUrl, bytes, 'image/png')).status, 200)
  assert.equal((await attach(body.reservationName)).status, 200)
})

test('ART-05, ART-14 a stale URL is refused by storage, and a new one works', async () => {
  const { body } = await reserve()
  secondsAhead = 120
  try {
    assert.equal((await put(body.uploadUrl, bytes)).status, 403)
    const again = await reserve()
    assert.equal((await put(again.body.uploadUrl, bytes)).status, 200)
    assert.equal((await attach(again.body.reservationName)).status, 200)
  } finally {
    secondsAhead = 0
  }
})

test('a second PUT after the attach does not change the attached file', async () => {
  const { body } = await reserve()
  await put(body.uploadUrl, bytes)
  await attach(body.reservationName)
  await put(body.uploadUrl, Buffer.from('other bytes'))
  const file = (await filesOfLine()).at(-1)!
  assert.equal(file.md5, createHash('md5').update(bytes).digest('hex'))
})

test('ART-15 an upload of each type that the product takes is attached, whatever its name says', async () => {
  for (const [type, content] of printFiles) {
    const { body } = await reserve({ fileName: 'cards.bin' })
    await put(body.uploadUrl, content)
    const attached = await attach(body.reservationName)
    assert.deepEqual([attached.status, attached.body.fileSize], [200, content.length], type)
  }
})

test('ART-15 ART-18 a stock line whose product has no artwork of its own takes files of the types that the product takes', async () => {
  const { lines } = await placed(primary, build.order({ lines: [build.stockLine()] }))
  const [stock] = lines
  const { artworkSource, artworkTypes } = (await primary.get(`/v1/products/${build.stockLine().productId}`)).body
  assert.deepEqual([artworkSource, artworkTypes.includes('application/pdf')], ['NONE', true])
  const [, page] = noPrintFiles.find(([, content]) => content.length > 0)!
  for (const [content, status] of [
    [page, 409],
    [bytes, 200],
  ] as const) {
    const { body } = await primary.post(path('/upload-url', stock), { fileName: 'chest.pdf' })
    assert.equal((await put(body.uploadUrl, content)).status, 200)
    const attached = await primary.post(path('', stock), { reservationName: body.reservationName })
    assert.equal(attached.status, status, JSON.stringify(attached.body))
    if (status === 409) assert.match(attached.body.detail, /The product takes application\/pdf/)
  }
})

test('ART-15 ART-18 ERR-58 an empty upload, HTML and other types are refused by their content when attached, and nothing is kept', async () => {
  const earlier = await filesOfLine()
  const storedCopies = () =>
    service.production.database.statements.rows(sql`
      select object_key from stray_object where object_key like 'print-files/%' order by object_key`)
  for (const [what, content] of noPrintFiles) {
    const { body } = await reserve({ fileName: 'cards.pdf', contentType: 'application/pdf' })
    assert.equal((await put(body.uploadUrl, content, 'application/pdf')).status, 200)
    const before = await storedCopies()
    const refused = await attach(body.reservationName)
    assert.deepEqual([refused.status, refused.body.code], [409, 'artwork_reservation_not_usable'], what)
    assert.match(refused.body.detail, content.length === 0 ? /empty/ : /The product takes application\/pdf/, what)
    // The copy that was judged is no longer in the store; its note remains for the daily round.
    for (const { objectKey } of (await storedCopies()).slice(before.length) as { objectKey: string }[]) {
      assert.equal(await service.production.objectStore.head(objectKey), undefined)
    }
    // The reservation is as it was: the URL still takes the right file.
    assert.equal((await put(body.uploadUrl, bytes, 'application/pdf')).status, 200)
    assert.equal((await attach(body.reservationName)).status, 200)
  }
  assert.equal((await filesOfLine()).length, earlier.length + noPrintFiles.length)
})

test('ART-19 files accumulate: a repeated name adds another file beside the first', async () => {
  const earlier = await filesOfLine()
  for (let turn = 0; turn < 2; turn++) {
    const { body } = await reserve({ fileName: 'same.pdf' })
    await put(body.uploadUrl, bytes)
    await attach(body.reservationName)
  }
  const files = await filesOfLine()
  assert.deepEqual(files.slice(0, earlier.length), earlier)
  assert.equal(files.length, earlier.length + 2)
  assert.equal(new Set(files.map((file) => file.objectKey)).size, files.length)
})

test('ART-20, ART-21 nothing deletes print files, only their inspection lists them, and an unused reservation leaves the line as it was', async () => {
  const order = service.manifest.fixtures.orders.approved
  const read = async (): Promise<unknown> => (await primary.get(`/v1/orders/${order.orderNumber}/items?limit=200`)).body
  const earlier = await read()
  assert.equal((await primary.post(path('/upload-url', order), { fileName: 'a.pdf' })).status, 200)
  assert.deepEqual(await read(), earlier)
  for (const method of ['DELETE', 'PUT', 'PATCH']) {
    assert.equal((await primary.call(method, path(''))).status, 405)
  }
})

test('ART-07, ART-11 neither the upload URL nor its bound media type is logged or stored', async () => {
  const { body } = await reserve({ fileName: 'a.pdf', contentType: 'application/x-never-stored' })
  await put(body.uploadUrl, bytes, 'application/x-never-stored')
  await attach(body.reservationName)
  const signature = new URL(body.uploadUrl).searchParams.get('X-Amz-Signature')!
  const rows = await service.production.database.statements.rows(sql`
    select to_jsonb(artwork_reservation) as row from artwork_reservation
    union all select to_jsonb(print_file) from print_file
    union all select to_jsonb(audit_record) from audit_record`)
  for (const text of [JSON.stringify(rows), service.logLines.join('')]) {
    assert.ok(!text.includes(signature))
    assert.ok(!text.includes('x-never-stored'))
  }
})

test('ART-08, ART-09, LIM-27, ERR-36 bodies of both routes are checked before anything is looked up', async () => {
  for (const fileName of ['a/b.pdf', 'a\\b.pdf', 'a\u0007.pdf', '..', '', ' ', 'x'.repeat(256), 7]) {
    const answer = await primary.post(path('/upload-url'), { fileName })
    assert.equal(answer.body.code, 'invalid_request', JSON.stringify(fileName))
  }
  assert.equal((await primary.post(path('/upload-url'), { fileName: 'x'.repeat(255) })).status, 200)
  assert.equal((await primary.post(path('/upload-url'), {})).body.code, 'invalid_request')
  for (const contentType of ['pdf', 'a/', '/b', 'a/b/c', '', 'text/plain\r\nx: y']) {
    const answer = await primary.post(path('/upload-url'), { fileName: 'a.pdf', contentType })
    assert.equal(answer.body.code, 'invalid_request', contentType)
  }
  for (const body of [{ fileName: null }, { fileName: 'a.pdf', contentType: null }]) {
    assert.equal((await primary.post(path('/upload-url'), body)).body.code, 'null_not_supported')
  }
  assert.equal((await primary.post(path(''), { reservationName: null })).body.code, 'null_not_supported')
  assert.equal((await primary.post(path(''), { reservationName: '' })).body.code, 'invalid_request')
  assert.equal((await primary.post(path(''), { reservationName: 'a', other: 1 })).body.code, 'invalid_request')
})
