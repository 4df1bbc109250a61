import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layOut } from './lay-out.ts'

const linesOf = (text: string, width: number, style: Partial<Parameters<typeof layOut>[1]> = {}) =>
  layOut(text, { size: 10, ...style }, { width }).lines.map((line) => line.text)

test('lines break between words, after hyphens and between ideographs', () => {
  assert.deepEqual(linesOf('two words', 30), ['two', 'words'])
  assert.deepEqual(linesOf('print-ready', 35), ['print-', 'ready'])
  assert.deepEqual(linesOf('名刺の箱', 21), ['名刺', 'の箱'])
})

test('a line does not begin with closing punctuation', () => {
  assert.deepEqual(linesOf('名刺箱。', 31), ['名刺', '箱。'])
})

test('Thai, which has no spaces, breaks between words', () => {
  assert.deepEqual(linesOf('สวัสดีชาวโลก', 45), ['สวัสดีชาว', 'โลก'])
})

test('a word wider than the room is broken, and that is told', () => {
  const laid = layOut('Donaudampfschifffahrt', { size: 10 }, { width: 50 })
  assert.ok(laid.lines.length > 1)
  assert.ok(laid.lines.every((line) => line.width <= 50))
  assert.equal(laid.lines.map((line) => line.text).join(''), 'Donaudampfschifffahrt')
  assert.ok(laid.wordsBroken)
  assert.ok(!layOut('short words', { size: 10 }, { width: 50 }).wordsBroken)
})

test('a grapheme is never broken', () => {
  assert.deepEqual(linesOf('👩‍👩‍👧👩‍👩‍👧', 1), ['👩‍👩‍👧', '👩‍👩‍👧'])
  assert.deepEqual(linesOf('ก็ก็', 1), ['ก็', 'ก็'])
})

test('a new line begins where the text says so', () => {
  assert.deepEqual(linesOf('one\ntwo\r\nthree', 500), ['one', 'two', 'three'])
})

test('text takes the largest size with which it fits its box, up to the maximum', () => {
  const room = { width: 100, height: 20 }
  const short = layOut('Hi', { size: { min: 6, max: 14 } }, room)
  assert.equal(short.size, 14)
  const long = layOut('Hello, wide world of cards', { size: { min: 4, max: 14 }, maxLines: 1 }, room)
  assert.ok(long.fits && long.size > 4 && long.size < 14)
  const larger = layOut('Hello, wide world of cards', { size: long.size + 0.1, maxLines: 1 }, room)
  assert.ok(!larger.fits)
})

test('text that does not fit even at the minimum says so', () => {
  const laid = layOut('Hello, wide world of cards', { size: { min: 8, max: 14 } }, { width: 40, height: 20 })
  assert.equal(laid.size, 8)
  assert.ok(!laid.fits)
})

test('to fit, text becomes smaller before a word is broken', () => {
  const laid = layOut('Donaudampfschifffahrt', { size: { min: 4, max: 14 } }, { width: 60, height: 60 })
  assert.equal(laid.lines.length, 1)
  assert.ok(!laid.wordsBroken && laid.fits)
})

test('text beyond its last line ends with an ellipsis inside the room', () => {
  const laid = layOut('one two three four five six', { size: 10, maxLines: 2 }, { width: 50 })
  assert.equal(laid.lines.length, 2)
  assert.match(laid.lines[1]!.text, /…$/)
  assert.ok(laid.lines[1]!.width <= 50)
  assert.ok(!laid.fits)
})

test('a text starts at the right where it runs from right to left, unless its alignment says otherwise', () => {
  const at = (text: string, align?: 'left' | 'center' | 'right') =>
    layOut(text, { size: 10, ...(align ? { align } : {}) }, { width: 200 }).lines[0]!
  assert.equal(at('cards').left, 0)
  assert.equal(at('بطاقات').left + at('بطاقات').width, 200)
  assert.equal(at('بطاقات', 'left').left, 0)
  const centred = at('cards', 'center')
  assert.equal(centred.left, (200 - centred.width) / 2)
})

test('numbers and Latin words inside right-to-left text run from left to right', () => {
  const [line] = layOut('שלום 12 ABC אב', { size: 10 }).lines
  const drawn = line!.runs.map((run) => run.glyphs.map(({ cluster }) => run.charactersOf(cluster)).join('')).join('')
  assert.equal(drawn, 'בא ABC 12 םולש')
})

test('letters of Arabic join, and Devanagari makes its conjuncts', () => {
  const glyphs = (text: string) => layOut(text, { size: 10 }).lines[0]!.runs.flatMap((run) => run.glyphs)
  const [alone] = glyphs('ع')
  assert.ok(glyphs('ععع').every(({ id }) => id !== alone!.id))
  assert.equal(glyphs('क्ष').length, 1)
})

test('the tone of Thai stands above the vowel that it belongs to', () => {
  // fontkit, with which pdfkit shapes, draws it after the vowel and a third of an em too high.
  const [line] = layOut('น้ำ', { size: 10 }).lines
  assert.ok(line!.runs.flatMap((run) => run.glyphs).every(({ dy }) => dy === 0))
})

test('Chinese characters look as the language says, and without one as the text itself suggests', () => {
  const fontOf = (text: string, language?: string) =>
    layOut(text, { size: 10, ...(language ? { language } : {}) }).lines[0]!.runs[0]!.font!.name
  assert.equal(fontOf('直', 'ja'), 'NotoSansJP-Regular')
  assert.equal(fontOf('直', 'zh-Hant'), 'NotoSansTC-Regular')
  assert.equal(fontOf('直', 'zh-TW'), 'NotoSansTC-Regular')
  assert.equal(fontOf('直', 'zh-CN'), 'NotoSansSC-Regular')
  assert.equal(fontOf('設計の本'), 'NotoSansJP-Regular')
  assert.equal(fontOf('设计'), 'NotoSansSC-Regular')
  assert.equal(fontOf('設計有限公司'), 'NotoSansTC-Regular')
  assert.equal(fontOf('龥'), 'NotoSansSC-More')
})

test('bold text uses the bold font, and thickens the others', () => {
  const { runs } = layOut('Karte 春', { size: 10, weight: 'bold' }).lines[0]!
  assert.deepEqual(
    runs.map(({ font }) => [font!.name, font!.thickened]),
    [
      ['NotoSans-Bold', false],
      ['NotoSansSC-Regular', true],
    ],
  )
})

test('controls and broken characters do no harm', () => {
  const laid = layOut('a\u0000\u0007b\ud800c\t', { size: 10 })
  assert.equal(laid.lines[0]!.text, 'ab\ufffdc')
  assert.deepEqual(layOut('', { size: 10 }, { width: 10 }).lines.length, 1)
})

test('a text cannot order its letters to stand elsewhere, but letters join and part as it says', () => {
  const seen = (text: string): string =>
    layOut(text, { size: 10 })
      .lines[0]!.runs.map((run) => run.glyphs.map(({ cluster }) => run.charactersOf(cluster)).join(''))
      .join('')
  assert.equal(seen('Invoice \u202eEVIL qty 5 \u2066order 999'), 'Invoice EVIL qty 5 order 999')
  assert.equal(seen('a\u202a\u202b\u202c\u202d\u2067\u2068\u2069\u206a\u206fb'), 'ab')
  for (const joined of ['क्\u200dष', 'می\u200cخواهم', 'א\u200e1'])
    assert.equal(layOut(joined, { size: 10 }).lines[0]!.text, joined)
})
