import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const care = await staffWith(service, ['CUSTOMER_CARE'])
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

async function newOrder() {
  const { orderNumber, lines } = await placed(primary, build.order({ lines: [build.podLine(), build.stockLine()] }))
  const at = `/staff/v1/production/orders/${orderNumber}`
  return {
    at,
    orderNumber,
    lines,
    write: (note: object, as = care) => as.post(`${at}/notes`, note),
    shown: async () => (await primary.get(`/v1/orders/${orderNumber}`)).body,
  }
}

test('a note to the partner is read with its order, and a note for staff is not', async () => {
  const { write, shown, lines } = await newOrder()
  const before = await shown()
  assert.deepEqual(before.notes, [])
  const internal = await write({ audience: 'STAFF', text: 'Pays late; ask for a deposit.' })
  assert.equal(internal.status, 200, JSON.stringify(internal.body))
  assert.deepEqual(await shown(), before)
  await write({ audience: 'PARTNER', text: '  The cards leave on Friday.\nThe shirts follow. ' })
  const { notes } = (await write({ audience: 'PARTNER', lineNumber: 2, text: 'قمصان حمراء 👕' })).body
  assert.deepEqual(
    notes.map(({ audience, lineNumber, author }: { audience: string; lineNumber: number; author: string }) => [
      audience,
      lineNumber,
      author,
    ]),
    [
      ['STAFF', null, care.username],
      ['PARTNER', null, care.username],
      ['PARTNER', 2, care.username],
    ],
  )
  const after = await shown()
  assert.deepEqual(after.notes, [
    { itemNumber: null, text: 'The cards leave on Friday.\nThe shirts follow.', writtenOn: notes[1].writtenOn },
    { itemNumber: lines[1]!.itemNumber, text: 'قمصان حمراء 👕', writtenOn: notes[2].writtenOn },
  ])
  assert.ok(after.updatedOn > before.updatedOn)
  assert.ok(!JSON.stringify(after).includes(care.username))
  // Another partner of the site reads the order, but not what is written to this one.
  const neighbour = await partner(service, 'neighbour')
  assert.deepEqual((await neighbour.get(`/v1/orders/${after.orderNumber}`)).body.notes, [])
})

test('an order that no partner submitted takes no note to a partner', async () => {
  const order = await newOrder()
  await service.owner.production.statements.rows(sql`
    update orders set partner_id = null, partner_order_id = null where order_number = ${order.orderNumber}`)
  const refused = await order.write({ audience: 'PARTNER', text: 'The cards leave on Friday.' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'order_not_of_partner'])
  assert.equal((await order.write({ audience: 'STAFF', text: 'Calls every day.' })).status, 200)
})

test('a withdrawn note is gone for the partner, and staff see who withdrew it', async () => {
  const { at, write, shown } = await newOrder()
  const [{ noteId }] = (await write({ audience: 'PARTNER', text: 'Two days late.' })).body.notes
  const withdrawn = await admin.post(`${at}/notes/${noteId}/withdraw`)
  assert.deepEqual(
    [withdrawn.body.notes[0].text, withdrawn.body.notes[0].withdrawnBy],
    ['Two days late.', admin.username],
  )
  assert.deepEqual((await shown()).notes, [])
  const again = await care.post(`${at}/notes/${noteId}/withdraw`)
  assert.deepEqual([again.status, again.body.notes[0].withdrawnBy], [200, admin.username])
  const other = await newOrder()
  assert.equal((await admin.post(`${other.at}/notes/${noteId}/withdraw`)).body.code, 'note_not_found')
})

test('what is no note is refused, and what is sent twice is written once', async () => {
  const { at, orderNumber, write } = await newOrder()
  const refused: [object, string][] = [
    [{ audience: 'STAFF', text: ' \u200b ' }, 'note_text_missing'],
    [{ audience: 'STAFF', text: 'a\u0007' }, 'invalid_request'],
    [{ audience: 'STAFF', text: 'x'.repeat(2_001) }, 'invalid_request'],
    [{ audience: 'EVERYBODY', text: 'Hello' }, 'invalid_request'],
    [{ audience: 'STAFF', text: 'Hello', lineNumber: 9 }, 'line_not_found'],
  ]
  for (const [note, code] of refused) assert.equal((await write(note)).body.code, code, JSON.stringify(note))
  await service.owner.production.statements.rows(sql`
    update order_line set hidden = true where order_number = ${orderNumber} and line_number = 2`)
  assert.equal((await write({ audience: 'PARTNER', text: 'Hello', lineNumber: 2 })).body.code, 'line_not_shown')
  assert.equal((await write({ audience: 'STAFF', text: 'Hello', lineNumber: 2 })).status, 200)
  const twice = { audience: 'PARTNER', text: 'Ready on Monday.' }
  const answers = await Promise.all([write(twice), write(twice)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assert.equal((await admin.get(at)).body.notes.length, 2)
  const operator = await staffWith(service, ['MERCHANDISER'])
  assert.equal((await write(twice, operator)).body.code, 'not_permitted')
})

test('a completed or cancelled order takes notes too, and no more than it can show', async () => {
  const { at, orderNumber, write, shown } = await newOrder()
  await admin.post(`${at}/cancel`)
  await service.owner.production.statements.rows(sql`
    insert into order_note (order_number, audience, text, written_on, actor_kind, actor_id)
    select ${orderNumber}, 'PARTNER', 'Note ' || turn, now(), 'STAFF', 'tester' from generate_series(1, 499) turn`)
  assert.equal((await write({ audience: 'PARTNER', text: 'The last one' })).status, 200)
  assert.equal((await write({ audience: 'STAFF', text: 'One more' })).body.code, 'too_many_notes')
  const { notes, status } = await shown()
  assert.deepEqual(
    [status, notes.length, notes.at(-1).text, notes[0].text],
    ['CANCELLED', 50, 'The last one', 'Note 451'],
  )
})
