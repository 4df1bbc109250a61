import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { noPrintFiles, pdfFile, printFiles } from '../../../test/world/artwork.ts'
import { blindEngine } from '../../../test/world/artwork-engine.ts'
import { staff } from '../../../test/world/staff.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { storedObjects } from '../../../test/world/stored-objects.ts'
import { testService } from '../../../test/world/service.ts'

let turn = 0
let secondsAhead = 0
/** done when the slow file is asked for, before it is sent */
let beforeSending: (() => unknown) | undefined

const bytes = pdfFile('artwork of a partner')

/** by path: the bytes that the artist's host sends, whatever the path's ending claims */
const served = new Map<string, Buffer>()

const artist = createServer((request, response) => {
  if (request.url === '/moved') response.writeHead(302, { location: '/art%20work.pdf' }).end()
  else if (request.url?.startsWith('/slow')) {
    void Promise.resolve(beforeSending?.()).then(() => response.end(bytes))
  } else if (served.has(request.url!)) response.end(served.get(request.url!))
  else if (request.url?.startsWith('/art')) response.end(bytes)
  else response.writeHead(404).end()
})
await new Promise<void>((listening) => artist.listen(0, '127.0.0.1', listening))
after(() => artist.close())
const origin = `http://127.0.0.1:${(artist.address() as AddressInfo).port}`
const service = await testService({
  artworkEngine: blindEngine(),
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

async function count(): Promise<{ orders: number; files: number; objects: string[] }> {
  const row = await service.production.database.statements.row<{ orders: number; files: number }>(sql`
    select (select count(*) from orders) as orders, (select count(*) from print_file) as files`)
  return { ...row!, objects: await storedObjects(service) }
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
  beforeSending = () => (secondsAhead = 600)
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
    beforeSending = undefined
    secondsAhead = 0
    await database.statements.rows(sql`delete from product_discount where name = 'Ends soon'`)
  }
})

test('SUB-17 a submission whose artwork took long and failed shows when it failed', async () => {
  beforeSending = () => (secondsAhead = 600)
  try {
    const { body } = await submit([`${origin}/slow.pdf`, `${origin}/none.pdf`])
    assert.equal(body.status, 'failed')
    assert.ok(Date.parse(body.updatedOn) - Date.parse(body.createdOn) > 590_000)
  } finally {
    beforeSending = undefined
    secondsAhead = 0
  }
})

test('SUB-17 an order that becomes impossible while its artwork is fetched fails, and leaves nothing behind', async () => {
  const earlier = await count()
  const { pod } = service.manifest.fixtures.products
  const activate = (active: boolean) =>
    service.production.database.statements.rows(sql`
      update product set active = ${active} where kind || '_' || product_number = ${pod}`)
  beforeSending = () => activate(false)
  try {
    const { body } = await submit([`${origin}/slow.pdf`, `${origin}/art.pdf`])
    assert.equal(body.status, 'failed')
    assert.deepEqual(
      new Set(body.errors.map((error: any) => error.field)),
      new Set(['lines[0].productId', 'lines[1].productId']),
    )
  } finally {
    beforeSending = undefined
    await activate(true)
  }
  assert.deepEqual(await count(), earlier)
})

test('SUB-17 ERR-71 an order with artwork that fails by a bug leaves nothing behind', async () => {
  const { statements } = service.owner.production
  await statements.rows(sql`
    create function fail_on_purpose() returns trigger language plpgsql as $$
    begin raise exception 'a bug'; end $$`)
  await statements.rows(sql`
    create trigger fail_on_purpose before insert on print_file for each row execute function fail_on_purpose()`)
  try {
    const earlier = await count()
    const { body } = await submit([`${origin}/art.pdf`])
    assert.equal(body.status, 'failed', JSON.stringify(body))
    assert.deepEqual(await count(), earlier)
  } finally {
    await statements.rows(sql`drop trigger fail_on_purpose on print_file`)
  }
})

test('SUB-44 artwork of each type that the product takes is kept, whatever name and header say', async () => {
  printFiles.forEach(([, content], index) => served.set(`/${index}.html`, content))
  const answer = await submit(printFiles.map((_, index) => `${origin}/${index}.html`))
  assert.equal(answer.body.status, 'completed', JSON.stringify(answer.body))
  const files = await service.production.database.statements.rows<{ sizeBytes: number }>(sql`
    select size_bytes from print_file where order_number = ${answer.body.order.orderNumber} order by line_number`)
  assert.deepEqual(
    files.map(({ sizeBytes }) => sizeBytes),
    printFiles.map(([, content]) => content.length),
  )
})

test('SUB-44 empty artwork, HTML and other types reject the order by their content, one problem each, and nothing is stored', async () => {
  const [earlier, stored] = [await count(), await storedObjects(service)]
  assert.ok(stored.length > 0)
  noPrintFiles.forEach(([, content], index) => served.set(`/${index}.pdf`, content))
  const answer = await submit([`${origin}/art.pdf`, ...noPrintFiles.map((_, index) => `${origin}/${index}.pdf`)])
  assert.equal(answer.body.status, 'failed', JSON.stringify(answer.body))
  assert.deepEqual(
    answer.body.errors.map((error: any) => [error.code, error.field]),
    noPrintFiles.map((_, index) => ['order_rejected', `lines[${index + 1}].artworkUrl`]),
  )
  const details: string[] = answer.body.errors.map((error: any) => error.detail)
  assert.match(details[0]!, /empty/)
  assert.match(details[1]!, /text\/html.*application\/pdf/)
  assert.deepEqual(await count(), earlier)
  assert.deepEqual(await storedObjects(service), stored)
})

test('staff decide which types a product takes, partners see it, and artwork of another is rejected', async () => {
  const { pod } = service.manifest.fixtures.products
  const admin = await staff(service)
  const at = `/staff/v1/production/products/${pod}`
  const former = (await primary.get(`/v1/products/${pod}`)).body.artworkTypes
  assert.deepEqual(former, ['application/pdf', 'image/png', 'image/jpeg', 'image/tiff', 'image/svg+xml'])
  const changed = await admin.patch(at, { artworkTypes: ['image/png'] })
  assert.deepEqual([changed.status, changed.body.artworkTypes], [200, ['image/png']], JSON.stringify(changed.body))
  assert.deepEqual((await primary.get(`/v1/products/${pod}`)).body.artworkTypes, ['image/png'])
  const rejected = await submit([`${origin}/art.pdf`])
  assert.equal(rejected.body.status, 'failed')
  assert.match(rejected.body.errors[0].detail, /application\/pdf.*takes image\/png/)
  for (const artworkTypes of [[], ['text/html'], ['image/png', 'image/png'], null]) {
    const refused = await admin.patch(at, { artworkTypes })
    assert.ok([400, 422].includes(refused.status), JSON.stringify(artworkTypes))
  }
  await admin.patch(at, { artworkTypes: former })
  assert.equal((await submit([`${origin}/art.pdf`])).body.status, 'completed')
})

test('SUB-44 a private host and an unknown one behind artworkUrl get the same sentence, so that no one can map our network', async () => {
  const answer = await submit([
    'http://10.1.2.3/a.pdf',
    'https://169.254.169.254/a.pdf',
    'http://[fd00::1]/a.pdf',
    'http://metadata.google.internal/a.pdf',
    // Too long for a name server to be asked.
    `http://${'x'.repeat(64)}.invalid/a.pdf`,
  ])
  const details = answer.body.errors.map((error: { detail: string }) => error.detail)
  assert.deepEqual(details, Array(5).fill('The artwork could not be fetched: the host has no public address.'))
})
