import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { callTool } from '../../test/world/mcp.ts'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { partner } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'
import { sql } from '../database/sql.ts'

/** An agent brings the artwork of a line, by an upload of its own or by the address of the file. */
const bytes = Buffer.from('%PDF-1.7 artwork of an agent')
const md5 = createHash('md5').update(bytes).digest('hex')
let asked = 0

const artist = createServer((request, response) => {
  asked += 1
  if (request.url === '/moved') response.writeHead(302, { location: '/the%20cards.pdf' }).end()
  else if (request.url === '/the%20cards.pdf') response.end(bytes)
  else if (request.url === '/page') response.end('<!doctype html><title>Not artwork</title>')
  else response.writeHead(404).end()
})
await new Promise<void>((listening) => artist.listen(0, '127.0.0.1', listening))
after(() => artist.close())
const origin = `http://127.0.0.1:${(artist.address() as AddressInfo).port}`

const service = await testService({ variables: { ARTWORK_HOSTS: '127.0.0.1' } })
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

async function line(): Promise<{ orderNumber: number; itemNumber: number }> {
  const { body } = await primary.post('/v1/orders', build.order())
  assert.equal(body.status, 'completed', JSON.stringify(body))
  const { orderNumber } = body.order
  const { items } = (await primary.get(`/v1/orders/${orderNumber}/items`)).body
  return { orderNumber, itemNumber: items[0].itemNumber }
}

async function filesOf(orderNumber: number): Promise<object[]> {
  return service.production.database.statements.rows(sql`
    select file_name, md5 from print_file where order_number = ${orderNumber} order by print_file_id`)
}

async function reservationsOf(orderNumber: number): Promise<number> {
  const row = await service.production.database.statements.row<{ count: number }>(sql`
    select count(*)::int as count from artwork_reservation where order_number = ${orderNumber}`)
  return row!.count
}

test('MCP-01 ART-01 an agent reserves an upload, puts the bytes there and attaches them', async () => {
  const { orderNumber, itemNumber } = await line()
  const reserved = await callTool(primary, 'reserve_artwork_upload', { orderNumber, itemNumber, fileName: 'cards.pdf' })
  assert.equal(reserved.isError, false, JSON.stringify(reserved.body))
  const { uploadUrl, uploadMethod, reservationName } = reserved.body
  assert.equal((await fetch(uploadUrl, { method: uploadMethod, body: bytes })).status, 200)
  const attached = await callTool(primary, 'attach_artwork', { orderNumber, itemNumber, reservationName })
  assert.deepEqual([attached.isError, attached.body.md5], [false, md5])
  assert.deepEqual(await filesOf(orderNumber), [{ fileName: 'cards.pdf', md5 }])
})

test('MCP-01 an agent attaches the file behind a URL, redirects followed, as if it had uploaded it', async () => {
  const { orderNumber, itemNumber } = await line()
  const where = { orderNumber, itemNumber }
  const first = await callTool(primary, 'attach_artwork_from_url', { ...where, artworkUrl: `${origin}/moved` })
  assert.deepEqual(
    [first.isError, first.body],
    [false, { ...where, fileName: 'moved', fileSize: bytes.length, md5, active: true }],
  )
  await callTool(primary, 'attach_artwork_from_url', { ...where, artworkUrl: `${origin}/the%20cards.pdf` })
  const files = (await filesOf(orderNumber)) as { fileName: string }[]
  assert.equal(files.length, 2, 'files accumulate')
  assert.match(files[1]!.fileName, /cards\.pdf$/)
  const [item] = (await primary.get(`/v1/orders/${orderNumber}/items`)).body.items
  assert.equal(item.productionStatus, 'PREPRESS')
})

test('MCP-01 a file that cannot be fetched, or is no artwork, is refused with the reason, and nothing is attached', async () => {
  const { orderNumber, itemNumber } = await line()
  for (const [artworkUrl, code, reason] of [
    [`${origin}/nothing`, 'invalid_request', /did not answer 200/],
    ['http://10.0.0.1/cards.pdf', 'invalid_request', /artwork could not be fetched/],
    ['no address', 'invalid_request', /artwork could not be fetched/],
    [`${origin}/page`, 'artwork_reservation_not_usable', /text\/html/],
    [null, 'null_not_supported', /artworkUrl/],
  ] as const) {
    const { isError, body } = await callTool(primary, 'attach_artwork_from_url', {
      orderNumber,
      itemNumber,
      artworkUrl,
    })
    assert.deepEqual([isError, body.code], [true, code], String(artworkUrl))
    assert.match(body.detail, reason)
    if (code !== 'artwork_reservation_not_usable') assert.match(body.detail, /^The argument artworkUrl /)
  }
  assert.deepEqual(await filesOf(orderNumber), [])
})

test("TEN-01 another partner's line, a missing one and a caller without the scope get nothing fetched or reserved", async () => {
  const { orderNumber, itemNumber } = await line()
  const before = asked
  const args = { orderNumber, itemNumber, artworkUrl: `${origin}/moved` }
  const readonly = await partner(service, 'readonly')
  assert.equal((await callTool(readonly, 'attach_artwork_from_url', args)).body.code, 'insufficient_scope')
  const { foreign } = service.manifest.fixtures
  for (const other of [
    { ...args, itemNumber: 999_999_999 },
    { ...args, orderNumber: foreign.orderNumber },
  ]) {
    const { isError, body } = await callTool(primary, 'attach_artwork_from_url', other)
    assert.deepEqual([isError, body.code], [true, 'order_item_not_found'])
  }
  assert.equal(asked, before)
  assert.equal(await reservationsOf(orderNumber), 0)
})
