import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { testDatabase } from '../../test/world/database.ts'
import { nullable } from '../contract/fields.ts'
import { recordForm, writeRecords } from './record-text.ts'
import { sql } from './sql.ts'
import { jsonPage, listedRecord, type RecordRow, type View } from './view.ts'

const { database } = await testDatabase()

type Note = {
  noteId: number
  text: string | null
  isRead: boolean | null
  writtenOn: string | null
  price: string | null
  tags: number[] | null
}

const noteView: View<Note> = {
  noteId: 'note.note_id',
  text: 'note.text',
  isRead: 'note.is_read',
  writtenOn: 'note.written_on',
  price: 'note.price',
  tags: 'array_to_json(note.tags)',
}

const noteRecord = listedRecord(noteView, {
  properties: {
    noteId: Type.Integer(),
    text: nullable(Type.String()),
    isRead: nullable(Type.Boolean()),
    writtenOn: nullable(Type.String({ format: 'date-time' })),
    price: nullable(Type.String()),
    tags: nullable(Type.Array(Type.Integer())),
  },
})

/** The notes as a page, by way of the database. */
async function pageOf(notes: readonly Note[]): Promise<string> {
  const rows = await database.lists.rows<RecordRow>(sql`
    select ${noteRecord.column}
    from (
      select * from json_to_recordset(${JSON.stringify(notes)}::json) as given (
        "noteId" bigint, "text" text, "isRead" boolean, "writtenOn" timestamptz(3), "price" numeric, "tags" json)
    ) as given
    cross join lateral (
      select "noteId" as note_id, "text" as text, "isRead" as is_read, "writtenOn" as written_on, "price" as price,
        case when json_typeof("tags") = 'array' then array(select json_array_elements_text("tags")::int) end as tags
    ) as note
    order by note.note_id`)
  return jsonPage<{ notes: Note[]; nextCursor: null }>('notes', noteRecord, rows, null).bytes.toString()
}

const asWritten = (notes: readonly Note[]): string => JSON.stringify({ notes, nextCursor: null })
const noteOf = (noteId: number, text: string | null): Note => ({
  noteId,
  text,
  isRead: noteId % 2 === 0,
  writtenOn: '2026-01-31T09:30:00.120Z',
  price: '12.50',
  tags: [1, 2],
})

test('a page of records is written as JSON.stringify writes it', async () => {
  const notes: Note[] = [
    noteOf(1, 'Elm'),
    { noteId: 2, text: null, isRead: null, writtenOn: null, price: null, tags: null },
    { ...noteOf(3, ''), writtenOn: '2026-01-31T23:59:59.000Z', price: '-0.000001', tags: [] },
    { ...noteOf(9_007_199_254_740_991, 'null'), writtenOn: '1999-12-31T00:00:00.007Z' },
  ]
  assert.equal(await pageOf(notes), asWritten(notes))
  assert.equal(await pageOf([]), asWritten([]))
})

test('texts keep every character: quotes, brackets, control characters and all scripts', async () => {
  const texts = [
    '"',
    '\\',
    '""',
    '\\\\',
    '\\"',
    '"\\',
    '(a,b)',
    ')',
    ',',
    ' ',
    '{1,"2"}',
    '\\n',
    '","',
    '"),("',
    '\n\t\r\b\f\v',
    '\u0001\u001f\u007f',
    'Grüße',
    '漢字',
    'שלום',
    '👩‍🎨',
    '\u2028\u2029',
    'é"ü\\漢\n👩',
    '\u{10ffff}',
  ]
  const notes = texts.map((text, index) => noteOf(index + 1, text))
  assert.equal(await pageOf(notes), asWritten(notes))
})

test('any text comes through, whatever its characters stand beside', async () => {
  const characters = ['"', '\\', '(', ')', ',', ' ', '\n', '\u0002', 'a', 'ü', '字', '👩', "'", '{', '}']
  // A fixed sequence, so that a failure comes back.
  let state = 42
  const below = (bound: number): number => (state = (state * 48_271) % 2_147_483_647) % bound
  const textOf = (length: number): string =>
    Array.from({ length }, () => characters[below(characters.length)]!).join('')
  const notes = Array.from({ length: 2_000 }, (_, index) => noteOf(index + 1, textOf(below(24))))
  assert.equal(await pageOf(notes), asWritten(notes))
})

test('pages of any length are written, one after the other', async () => {
  for (const length of [10, 200_000, 10]) {
    const notes = [noteOf(1, '\u0001'.repeat(length)), noteOf(2, '"'.repeat(length))]
    assert.equal(await pageOf(notes), asWritten(notes))
  }
})

test('a row that is not of the record is not written', () => {
  const form = recordForm(['one', 'two'], { properties: { one: { type: 'integer' }, two: { type: 'string' } } })
  const written = (text: string): string => writeRecords(form, [text], '', '').toString()
  assert.equal(written('(1,b)'), '{"one":1,"two":"b"}')
  for (const text of ['(1)', '(1,b,c)', '(1,"b', '(1,b', '']) assert.throws(() => written(text), /^Error: a row/, text)
})
