import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

let turn = 0

const bytes = Buffer.from('%PDF-1.7 artwork of a partner')

const artist = createServer((request, response) => {
  if (request.url === '/moved') response.writeHead(302, { location: '/art%20work.pdf' }).end()
  else if (request.url?.startsWith('/art')) response.end(bytes)
  else response.writeHead(404).end()
})
await new Promise<void>((listening) => artist.listen(0, '127.0.0.1', listening))
after(() => artist.close())
const origin = `http://127.0.0.1:${(artist.address() as AddressInfo).port}`
const service = await testService({ variables: { ARTWORK_HOSTS: '127.0.0.1' } })
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
