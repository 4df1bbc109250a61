import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { partner } from '../../test/world/partner.ts'
import { readPdf } from '../../test/world/read-pdf.ts'
import { testService } from '../../test/world/service.ts'
import { sql } from '../database/sql.ts'
import { demoProofKeys, drawsDemoProofs } from './proof-files.ts'
import { inkColor } from './specimens/svg-canvas.ts'
import { brands } from './specimens/brands.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const { pendingReview } = service.manifest.fixtures.orders

test('the proof of a demo line shows its artwork, and its picture the card that the customer would hold', async () => {
  const line = `/v1/orders/${pendingReview.orderNumber}/items/${pendingReview.itemNumber}`
  const { body } = await primary.get(`${line}/proof`)
  const fetched = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer())

  const { pages } = await readPdf(await fetched(body.files[0].link))
  const text = pages.map((page) => page.text).join(' ')
  for (const shown of [String(pendingReview.orderNumber), 'Page 1 of 2', 'Page 2 of 2', 'Classic Business Card'])
    assert.ok(text.includes(shown), `${shown} in ${text}`)
  assert.doesNotMatch(text, /No artwork/)

  const card = await fetched(body.visualUrl)
  const { width, height } = await sharp(card).metadata()
  assert.deepEqual([width, height], [1_200, 686])
  // Below runs a bar in the brand's color.
  const bar = await sharp(card).extract({ left: 600, top: 660, width: 1, height: 1 }).removeAlpha().raw().toBuffer()
  assert.equal(`#${bar.toString('hex')}`, inkColor(brands.meridian.accent))
})

test('the proof of a demo line without a print file names none', async () => {
  const { database } = service.production
  const line = await database.statements.row<{ orderNumber: number; lineNumber: number }>(sql`
    select order_number, line_number from order_line line
    where product_code = 'BC-PERSONAL' and not exists (
      select from print_file where print_file.order_number = line.order_number and print_file.line_number = line.line_number
    ) order by order_number limit 1`)
  const { objectKey } = demoProofKeys(line!.orderNumber, line!.lineNumber)
  const pdf = await drawsDemoProofs(database.statements)(objectKey)
  const { pages } = await readPdf(Buffer.from(pdf!))
  assert.match(pages[0]!.text, /Page 1 of 2/)
  assert.doesNotMatch(pages[0]!.text, /\.pdf/)
})
