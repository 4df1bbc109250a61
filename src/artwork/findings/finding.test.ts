import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findingCodes, severities } from '../../vocabulary/artwork.ts'
import { decimal, onRulers } from './amounts.ts'
import { catalog } from './catalog.ts'
import { finding, Findings } from './finding.ts'

test('every finding has sentences for people: what is the matter, and what to do', () => {
  for (const code of findingCodes)
    for (const seen of [{}, { subject: 'Fuchsia', found: 1.5, wanted: 3, count: 2 }]) {
      const { message, fix } = finding(code, seen)
      for (const sentence of [message, fix]) {
        assert.match(sentence, /^\p{Lu}.*\.$/su, code)
        assert.doesNotMatch(sentence, /undefined|null|NaN|object Object/, code)
      }
    }
})

test('what weighs less is of a lower severity', () => {
  for (const [code, { severity, mild }] of Object.entries(catalog))
    if (mild !== undefined) assert.ok(severities.indexOf(mild) > severities.indexOf(severity), code)
  assert.equal(finding('image_resolution_low', { mild: true }).severity, 'warning')
  assert.equal(finding('font_not_embedded', { mild: true }).severity, 'error')
})

test('numbers are decimals in the unit of the code, sizes are also told as rulers show them', () => {
  const size = finding('page_size_wrong', { page: 1, found: [241.888, 144], wanted: [252, 144] })
  assert.deepEqual([size.found, size.wanted, size.unit], ['241.89 × 144', '252 × 144', 'pt'])
  assert.equal(size.message, 'The page is 3.36 × 2 in (85.3 × 50.8 mm). The product is 3.5 × 2 in (88.9 × 50.8 mm).')
  assert.deepEqual(
    [decimal(-0.0001), decimal(1 / 3), decimal(10 / 3), decimal('a multiple of 4')],
    ['0', '0.333', '3.33', 'a multiple of 4'],
  )
  assert.equal(onRulers(9), '0.125 in (3.2 mm)')
  assert.equal(finding('encrypted').unit, null)
})

test('names from the file cannot break lines or fill pages', () => {
  const { subject } = finding('font_not_embedded', { subject: `Bad\u202eFont\n${'x'.repeat(500)}` })
  assert.match(subject!, /^Bad Font x{91}…$/)
})

test('of many occurrences one finding shows the worst and counts them all', () => {
  const findings = new Findings()
  findings.add('text_too_small', { page: 1, found: 4, wanted: 5, box: [0, 0, 1, 1] }, 1)
  findings.add('text_too_small', { page: 1, found: 3, wanted: 5, box: [2, 2, 3.001, 3] }, 2)
  findings.add('text_too_small', { page: 1, found: 4.5, wanted: 5, box: [4, 4, 5, 5] }, 0.5)
  findings.add('text_too_small', { page: 2, found: 4, wanted: 5 })
  assert.deepEqual(
    findings.list().map(({ page, found, box, count }) => ({ page, found, box, count })),
    [
      { page: 1, found: '3', box: [2, 2, 3, 3], count: 3 },
      { page: 2, found: '4', box: null, count: 1 },
    ],
  )
})

test('the weightiest come first, then the earlier pages, and a long file has all its findings', () => {
  const findings = new Findings()
  findings.add('transparency', { page: 1 })
  for (let page = 120; page > 0; page--)
    for (const code of ['hairline', 'rgb_used'] as const) findings.add(code, { page })
  findings.add('font_not_embedded', { page: 7, subject: 'Arial' })
  const list = findings.list()
  assert.deepEqual(
    [list[0]!.code, list[1]!.page, list[240]!.page, list.at(-1)!.code, list.length],
    ['font_not_embedded', 1, 120, 'transparency', 242],
  )
})

test('a file cannot flood the list: the weightiest thousand are told, and that there are more', () => {
  const findings = new Findings()
  for (let page = 1; page <= 1_500; page++) findings.add('hairline', { page })
  findings.add('font_not_embedded', { page: 1_501, subject: 'Arial' })
  const list = findings.list()
  const { code, severity, found, message } = list.at(-1)!
  assert.deepEqual(
    [list[0]!.code, list[999]!.page, list.length, code, severity, found],
    ['font_not_embedded', 999, 1_001, 'too_complex', 'info', '1501'],
  )
  assert.equal(message, 'The file has more than 1000 findings. Only the gravest are told.')
})
