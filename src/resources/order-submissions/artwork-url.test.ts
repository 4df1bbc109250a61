import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

let turn = 0
let secondsAhead = 0
/** called when the slow file is asked for, before it is sent */
let whenAsked = (): void => undefined

const bytes = Buffer.from('%PDF-1.7 artwork of a partner')

const artist = createServer((request, response) => {
  if (request.url === '/moved') response.writeHead(302, { location: '/art%20work.pdf' }).end()
  else if (request.url?.startsWith('/slow')) {
    whenAsked()
    response.end(bytes)
  } else if (request.url?.startsWith('/art')) response.end(bytes)
  else response.writeHead(404).end()
})
await new Promise<void>((listening) => artist.listen(0, '127.0.0.1', listening))
after(() => artist.close())
const origin = `http://127.0.0.1:${(artist.address() as AddressInfo).port}`
const service = await testService({
  variables: { ARTWORK_HOSTS: '127.0.0.1' },
  clock: () => new Date(Date.now() + secondsAhead * 1000),
})
const primary = await partner(service, 'primary')

function submit(artworkUrls: readonly (string | undefined)[]): Promise<Answer> {
  const { sites, fixtures } = service.manifest
  return primary.post('/v1/orders', {
    siteId: sites.main,
    partnerOrderId: `artwork-${process.pid}-${++turn}`,
    shipTo: {
      name: 'D',
      address1: '1 Main St',
      city: 'San Francisco',
      state: 'CA',
      postalCode: '94105',
      country: 'US',
    },
    lines: artworkUrls.map((artworkUrl, index) => ({
      productId: fixtures.products.pod,
      partnerLineId: `line-${index}`,
      quantity: 250,
      ...(artworkUrl === undefined ? {} : { artworkUrl }),
    })),
  })
}

async function count(): Promise<{ orders: number; files: number }> {
  const row = await service.production.database.statements.row<{ orders: number; files: number }>(sql`
    select (select count(*) from orders) as orders, (select count(*) from print_file) as files`)
  return row!
}

test('SUB-44 the artworkUrl of a line is fetched, redirects followed, and kept with the line as a print file', async () => {
  const answer = await submit([undefined, `${origin}/moved`])
  assert.equal(answer.body.status, 'completed', JSON.stringify(answer.body))
  const files = await service.production.database.statements.rows(sql`
    select line_number, file_name, size_bytes, md5, active from print_file
    where order_number = ${answer.body.order.orderNumber}`)
  assert.deepEqual(files, [
    {
      lineNumber: 2,
      fileName: 'moved',
      sizeBytes: bytes.length,
      md5: createHash('md5').update(bytes).digest('hex'),
      active: true,
    },
  ])
})

test('SUB-09, SUB-17 artwork that cannot be fetched rejects the order, one problem for each line, and leaves nothing behind', async () => {
  const earlier = await count()
  const answer = await submit([
    `${origin}/art.pdf`,
    `${origin}/none.pdf`,
    'http://10.1.2.3/a.pdf',
    'ftp://127.0.0.1/a',
    'no URL',
  ])
  assert.equal(answer.status, 201)
  assert.equal(answer.body.status, 'failed')
  assert.deepEqual(
    answer.body.errors.map((error: any) => [error.code, error.field, error.partnerLineId]),
    [1, 2, 3, 4].map((index) => ['order_rejected', `lines[${index}].artworkUrl`, `line-${index}`]),
  )
  assert.ok(!JSON.stringify(answer.body.errors).includes('10.1.2.3'))
  assert.deepEqual(await count(), earlier)
})

test('ORD-01 SUB-44 an order whose artwork took long is dated, priced and listed as of when it was placed', async () => {
  const { database } = service.production
  await database.statements.rows(sql`
    insert into product_discount (site_id, product_number, name, percent, stops_on)
    select site_id, product_number, 'Ends soon', 50, now() + interval '5 minutes' from product
    where kind || '_' || product_number = ${service.manifest.fixtures.products.pod}`)
  const quick = (await submit([undefined])).body
  whenAsked = () => void (secondsAhead = 600)
  try {
    const { body: submission } = await submit([`${origin}/slow.pdf`])
    assert.equal(submission.status, 'completed', JSON.stringify(submission))
    const begun = Date.parse(submission.createdOn)
    const placing = new Date(begun + 590_000).toISOString()
    const read = async ({ order }: typeof submission) => (await primary.get(`/v1/orders/${order.orderNumber}`)).body
    const order = await read(submission)
    assert.equal(order.updatedOn, order.placedOn)
    assert.equal(submission.updatedOn, order.placedOn)
    assert.ok(order.placedOn > placing, `${order.placedOn} for a submission of ${submission.createdOn}`)
    const { orders } = (await primary.get(`/v1/orders?placedFrom=${placing}`)).body
    assert.deepEqual(
      orders.map((each: { orderNumber: number }) => each.orderNumber),
      [order.orderNumber],
    )
    const [file] = await database.statements.rows<{ attachedOn: string }>(sql`
      select attached_on from print_file where order_number = ${order.orderNumber}`)
    assert.equal(file!.attachedOn, order.placedOn)
    // The discount had ended by then.
    assert.notEqual((await read(quick)).discountTotal, '0.00')
    assert.equal(order.discountTotal, '0.00')
  } finally {
    whenAsked = () => undefined
    secondsAhead = 0
    await database.statements.rows(sql`delete from product_discount where name = 'Ends soon'`)
  }
})

test('SUB-17 a submission whose artwork took long and failed shows when it failed', async () => {
  whenAsked = () => void (secondsAhead = 600)
  try {
    const { body } = await submit([`${origin}/slow.pdf`, `${origin}/none.pdf`])
    assert.equal(body.status, 'failed')
    assert.ok(Date.parse(body.updatedOn) - Date.parse(body.createdOn) > 590_000)
  } finally {
    whenAsked = () => undefined
    secondsAhead = 0
  }
})
