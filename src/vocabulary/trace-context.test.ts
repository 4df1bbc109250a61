import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf, readTraceparent } from './trace-context.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'

test('a valid traceparent is kept, with the flags that are known', () => {
  assert.equal(readTraceparent(`00-${trace}-${span}-01`), `00-${trace}-${span}-01`)
  assert.equal(readTraceparent(`00-${trace}-${span}-00`), `00-${trace}-${span}-00`)
  assert.equal(readTraceparent(`00-${trace}-${span}-ff`), `00-${trace}-${span}-03`)
  assert.deepEqual(partsOf(`00-${trace}-${span}-01`), { traceId: trace, spanId: span, flags: 1 })
})

test('a traceparent of a later version is read as far as it is known', () => {
  assert.equal(readTraceparent(`cc-${trace}-${span}-01-what-comes-later`), `00-${trace}-${span}-01`)
})

test('an invalid traceparent counts as none', () => {
  const wrong = [
    undefined,
    '',
    'garbage',
    `ff-${trace}-${span}-01`,
    `00-${trace}-${span}-01-more`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}`,
    `cc-${trace}-${span}-01.more`,
    // Two headers of one name.
    `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
  ]
  for (const header of wrong) assert.equal(readTraceparent(header), undefined, String(header))
})
