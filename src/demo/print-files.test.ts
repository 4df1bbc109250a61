import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import sharp from 'sharp'
import { partner } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'
import { demoPrintFile, designOfPrint, faultyPrints, picturesOf } from './print-files.ts'
import { pictureSize } from './specimens/page-picture.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const { pendingReview } = service.manifest.fixtures.orders

test('a demo line has the file that it is made from, inspected, with pictures of its pages', async () => {
  const { orderNumber, itemNumber } = pendingReview
  const { body } = await primary.get(`/v1/orders/${orderNumber}/items/${itemNumber}/artwork`)
  const [file, ...others] = body.files
  assert.deepEqual(others, [])
  assert.deepEqual([file.inspection.status, file.inspection.pages.length], ['passed', 2])

  const drawn = await demoPrintFile(`demo/print-files/card/${orderNumber}-1.pdf`)!
  assert.equal(createHash('md5').update(drawn!).digest('hex'), file.md5)
  assert.equal(drawn!.length, file.fileSize)

  const [{ previews }] = file.inspection.pages
  const answers = await Promise.all(previews.map(({ url }: { url: string }) => fetch(url)))
  for (const [index, answer] of answers.entries()) {
    const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    assert.deepEqual([format, width, height], ['png', previews[index].width, previews[index].height])
  }
})

test('every picture of a print has the size that its record says', async () => {
  for (const print of [...faultyPrints, 'trifold'] as const) {
    for (const { page, kind, width, height } of picturesOf(print)) {
      const drawn = await demoPrintFile(`demo/previews/${print}/1-1-${page}-${kind}.png`)!
      const found = await sharp(drawn!).metadata()
      assert.deepEqual([found.width, found.height], [width, height], `${print} ${page} ${kind}`)
    }
  }
  assert.deepEqual(pictureSize(designOfPrint('card'), 'trim', 1_200), { width: 1_200, height: 686 })
})
