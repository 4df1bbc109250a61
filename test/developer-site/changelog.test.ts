import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changelogPage, readEntries } from '../../developers/build/changelog.ts'
import { factsOf } from '../../developers/build/contract-facts.ts'
import { readDocuments } from '../../developers/build/documents.ts'

const entries = readEntries()
const recorded = entries.flatMap(({ added }) => added)
const facts = factsOf(readDocuments())

test('the changelog has everything that the contract has', () => {
  const missing = facts.filter((fact) => !recorded.includes(fact))
  assert.deepEqual(missing, [], "node developers/build/record-changelog.ts 'What it is for.' writes these down")
})

test('nothing that the changelog has told is gone from the contract', () => {
  assert.deepEqual(
    recorded.filter((fact) => !facts.includes(fact)),
    [],
  )
})

test('each addition is told once, with its day and a sentence, the newest first', () => {
  assert.equal(new Set(recorded).size, recorded.length)
  const days = entries.map(({ on }) => on)
  assert.deepEqual(days, days.toSorted().toReversed())
  for (const { on, says } of entries) {
    assert.match(on, /^\d{4}-\d{2}-\d{2}$/)
    assert.match(says, /^[A-Z].*\.$/)
  }
})

test('many fields are folded, by the record that has them', () => {
  const fields = Array.from({ length: 30 }, (_, at) => `field ${at < 20 ? 'Note' : 'Order.lines'}.f${at}`)
  const page = changelogPage([
    { on: '2026-12-01', says: 'Orders have notes.', added: fields },
    { on: '2026-11-20', says: 'The first version.', added: [] },
  ])
  assert.match(
    page,
    /<details>\n<summary>New fields: 30<\/summary>\n\n- `Note`: `f0`, `f1`, .*`f19`\n- `Order`: `lines\.f20`, /,
  )
  assert.match(page, /`lines\.f29`\n\n<\/details>/)
})

test('the page lists additions by kind, and links operations and codes', () => {
  const page = changelogPage([
    {
      on: '2026-12-01',
      says: 'Orders have notes.',
      added: [
        'code note_too_long',
        'field Note.text',
        'operation listNotes',
        'parameter listNotes.limit',
        'parameter getOrder.notes',
      ],
    },
    {
      on: '2026-11-20',
      says: 'The first version.',
      added: ['operation getOrder', 'event order.status_changed', 'code order_not_found'],
    },
  ])
  assert.equal(
    page,
    `## 2026-12-01

Orders have notes.

**New operations:** [\`listNotes\`](/reference/list-notes/)

**New codes:** [\`note_too_long\`](/guides/errors/note_too_long/)

**New parameters:** \`getOrder.notes\`

**New fields:** \`Note.text\`

## 2026-11-20

The first version.

1 operations, 1 events, 1 codes.`,
  )
})
