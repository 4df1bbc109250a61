import assert from 'node:assert/strict'
import { test } from 'node:test'
import { designFaults } from './design-faults.ts'
import type { Art, Design, Inks, Text } from './design.ts'

const black: Inks = [0, 0, 0, 100]
const design: Design = {
  title: 'Card',
  trim: { width: 200, height: 100 },
  bleed: 10,
  safe: 5,
  variables: [
    { name: 'Name', displayName: null, dataType: null, required: true, listItems: null },
    { name: 'Tone', displayName: null, dataType: null, required: false, listItems: ['Warm', 'Cold'] },
  ],
  pictures: ['sea'],
  pages: [
    [
      { draw: 'rectangle', area: [-10, -10, 220, 120], fill: { by: 'Tone', of: { Warm: black, Cold: black } } },
      { draw: 'texts', area: [5, 5, 190, 12.5], texts: [{ text: { value: 'Name' }, size: 10, inks: black }] },
      { draw: 'picture', picture: 'sea', area: [0, 0, 10, 10] },
    ],
  ],
}
const withArt = (...arts: Art[]): Design => ({ ...design, pages: [[...design.pages[0]!, ...arts]] })
const withText = (text: Partial<Text>, height = 20): Design =>
  withArt({ draw: 'texts', area: [5, 5, 50, height], texts: [{ text: 'x', size: 10, inks: black, ...text }] })

const faulty: [string, Design][] = [
  ['two variables of one name', { ...design, variables: [...design.variables, design.variables[0]!] }],
  ['no pages', { ...design, variables: [], pages: [] }],
  [
    'a variable without a field',
    { ...design, variables: [...design.variables, { ...design.variables[0]!, name: 'Lost' }] },
  ],
  ['a field without a variable', withText({ text: { value: 'Lost' } })],
  ['art beyond the bleed', withArt({ draw: 'rectangle', area: [-11, 0, 20, 20], fill: black })],
  ['text outside the safe area', withArt({ draw: 'texts', area: [5, 4, 50, 50], texts: [] })],
  ['a code outside the safe area', withArt({ draw: 'qr', value: 'Name', area: [160, 40, 40, 40], inks: black })],
  ['a code that is not square', withArt({ draw: 'qr', value: 'Name', area: [20, 40, 40, 30], inks: black })],
  ['a picture that it does not have', withArt({ draw: 'picture', picture: 'hills', area: [0, 0, 10, 10] })],
  ['a path without paint', withArt({ draw: 'path', path: 'M 0 0 H 10' })],
  ['too much ink', withText({ inks: [100, 100, 50, 20] })],
  ['less than no ink', withText({ inks: [-1, 0, 0, 0] })],
  ['text too small to print', withText({ size: { min: 4, max: 8 } })],
  ['a largest size below the smallest', withText({ size: { min: 8, max: 6 } })],
  ['lines higher than their area', withText({ maxLines: 2 })],
  [
    'lines turned and higher than their area',
    withArt({
      draw: 'texts',
      area: [5, 5, 20, 50],
      texts: [{ text: 'x', size: 10, inks: black, maxLines: 2 }],
      turned: 90,
    }),
  ],
  ['a choice without one of the items', withText({ text: { by: 'Tone', of: { Warm: 'x' } } })],
  ['a choice by what is no list', withArt({ draw: 'choice', by: 'Name', of: {} })],
  ['inks by another list', withText({ inks: { by: 'Tone', of: { Cold: black, Warm: black } } })],
  [
    'a fault within a choice',
    withArt({ draw: 'choice', by: 'Tone', of: { Warm: [], Cold: [{ draw: 'path', path: '' }] } }),
  ],
  [
    'a fault within a condition',
    withArt({ draw: 'condition', value: 'Name', given: [], blank: [{ draw: 'path', path: '' }] }),
  ],
]
for (const [what, wrong] of faulty) {
  test(`a design with ${what} is wrong`, () => {
    assert.equal(designFaults(wrong).length, 1, designFaults(wrong).join(' '))
  })
}

test('a design whose parts fit together is right', () => {
  assert.deepEqual(designFaults(design), [])
})
