import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { readPdf, type ReadPage } from '../../../test/world/read-pdf.ts'
import { testService } from '../../../test/world/service.ts'

/** The whole way with the embedded vendor, as whoever tries the demo world goes it. */

const service = await testService()
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { template } = service.manifest.fixtures.products
const { database, objectStore } = service.production

async function submitted(templateVariables: Json): Promise<any> {
  const line = { productId: template, partnerLineId: 'cards', quantity: 250, templateVariables }
  const answer = await primary.post('/v1/orders', build.order({ lines: [line] }))
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

async function printFileOf(order: any): Promise<ReadPage[]> {
  assert.equal(order.status, 'completed', JSON.stringify(order))
  const file = await database.statements.row<{ objectKey: string }>(sql`
    select object_key from print_file where order_number = ${order.order.orderNumber} and active`)
  const { pages } = await readPdf(await buffer((await objectStore.read(file!.objectKey))!))
  return pages
}

test('CAT-21 a card ordered with its variables has a print file of both sides, with trim, bleed and the values', async () => {
  const { variables } = (await primary.get(`/v1/products/${template}/template`)).body
  assert.deepEqual(
    variables.map(({ name }: any) => name),
    ['Name', 'Title', 'Email', 'Phone', 'Office', 'qr_link', 'Accent'],
  )
  const pages = await printFileOf(
    await submitted({
      Name: 'Dana Whitfield',
      Title: 'Office manager',
      Office: 'San Francisco',
      qr_link: 'https://example.com/dana',
      Accent: 'Green',
    }),
  )
  assert.deepEqual(
    pages.map(({ width, height, trimBox }) => [width, height, ...trimBox]),
    [
      [270, 162, 9, 9, 261, 153],
      [270, 162, 9, 9, 261, 153],
    ],
  )
  for (const said of ['Dana Whitfield', 'Office manager', '500 Howard Street, San Francisco']) {
    assert.ok(pages[0]!.text.includes(said), pages[0]!.text)
  }
})

test('a card is drawn for a name in any script', async () => {
  for (const name of ['渡辺 美智子', 'נועה לוי']) {
    const [front] = await printFileOf(await submitted({ Name: name }))
    assert.ok(front!.text.normalize('NFKC').includes(name), front!.text)
  }
})

test('a value that the card cannot have is refused in words that say what to change', async () => {
  const name = 'Maximiliane-Alexandra von Hohenfels-Wartenberg zu Trauttmansdorff'
  const order = await submitted({ Name: name, Title: '\u{13000}', qr_link: `https://example.com/${'a'.repeat(500)}` })
  assert.equal(order.status, 'failed')
  assert.deepEqual(
    order.errors.map(({ field, partnerLineId }: any) => [field, partnerLineId]),
    Array.from({ length: 3 }, () => ['lines[0].templateVariables', 'cards']),
  )
  const details: string[] = order.errors.map(({ detail }: any) => detail)
  const fits = /The value of "Name" does not fit its field: shorten it to about (\d+) characters\./.exec(
    details.join(' '),
  )
  assert.ok(fits, details.join(' '))
  assert.ok(details.includes('The template has no letters for "\u{13000}" in the value of "Title".'), details.join(' '))
  assert.ok(
    details.some((detail) => detail.includes('"qr_link" does not fit')),
    details.join(' '),
  )
  const shorter = await submitted({ Name: name.slice(0, Number(fits[1])).trim() })
  assert.equal(shorter.status, 'completed', JSON.stringify(shorter))
})
