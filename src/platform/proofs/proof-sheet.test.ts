import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, inflateSync } from 'node:zlib'
import { proofPdf, proofPng, type ProofSheet } from './proof-sheet.ts'

const sheet: ProofSheet = {
  orderNumber: 1_010_001,
  itemNumber: 5_100_001,
  productName: 'Cards (16 pt) \\ matt',
  jobName: 'Frühling 春',
  quantity: 250,
  drawnOn: new Date('2026-03-01T12:00:00Z'),
}

test('the PDF has correct offsets of its objects and length of its page, whatever the job is called', () => {
  const text = proofPdf(sheet).toString('latin1')
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)![1])
  assert.ok(text.startsWith('xref\n', table))
  const entries = text.slice(table).split('\n').slice(2, -6)
  assert.ok(entries.every((entry) => entry.length === 19))
  const starts = entries.slice(1).map((entry) => Number(entry.slice(0, 10)))
  starts.forEach((start, index) => assert.ok(text.startsWith(`${index + 1} 0 obj\n`, start)))
  const [, length, page] = /<< \/Length (\d+) >>\nstream\n([\s\S]*)\nendstream/.exec(text)!
  assert.equal(page!.length, Number(length))
})

test('the PDF shows order, item, job, product and quantity; what its font lacks is shown as a question mark', () => {
  const text = proofPdf(sheet).toString('latin1')
  for (const shown of [
    '(Frühling ?)',
    '(Order 1010001, item 5100001)',
    '(Product: Cards \\(16 pt\\) \\\\ matt)',
    '(Quantity: 250)',
  ]) {
    assert.ok(text.includes(shown), shown)
  }
})

test('the PNG is complete: every chunk has its checksum, and the raster every pixel', () => {
  const bytes = proofPng(sheet)
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const checked = bytes.subarray(at + 4, at + 8 + length)
    assert.equal(bytes.readUInt32BE(at + 8 + length), crc32(checked))
    chunks.set(checked.toString('latin1', 0, 4), checked.subarray(4))
    at += 12 + length
  }
  assert.deepEqual([...chunks.keys()], ['IHDR', 'IDAT', 'IEND'])
  const [width, height] = [chunks.get('IHDR')!.readUInt32BE(0), chunks.get('IHDR')!.readUInt32BE(4)]
  assert.equal(inflateSync(chunks.get('IDAT')!).length, height * (1 + 3 * width))
})

test('two jobs look different, and one job always looks the same', () => {
  assert.deepEqual(proofPng(sheet), proofPng({ ...sheet, quantity: 500 }))
  assert.notDeepEqual(proofPng(sheet), proofPng({ ...sheet, jobName: 'Summer' }))
})
