import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Layout, PdfMaker, streamBody } from '../../../../test/artwork/pdf-maker.ts'
import { Budget, TooComplex } from '../budget.ts'
import { Ref, Stream } from '../syntax/objects.ts'
import { PdfFile } from './pdf-file.ts'

const layouts: readonly Layout[] = ['table', 'stream', 'hybrid', 'object streams']

const open = (bytes: Uint8Array): PdfFile => new PdfFile(bytes, new Budget())

/** A file whose catalog holds `/Told (here)`, by a reference. */
function file(layout: Layout = 'table'): Buffer {
  const maker = new PdfMaker()
  const told = maker.add('<< /Where (here) >>')
  maker.page({ content: '0 0 m' })
  return maker.bytes({ layout, catalog: `/Told ${told}` })
}

const told = (read: PdfFile): string | undefined => read.catalog?.dict('Told')?.text('Where')

test('objects are found by a table, a stream, both, and in object streams', () => {
  for (const layout of layouts) {
    const read = open(file(layout))
    assert.deepEqual([told(read), read.damaged], ['here', false], layout)
  }
})

test('what stands before the PDF shifts its offsets', () => {
  const read = open(Buffer.concat([Buffer.from('Sent by mail\r\n'), file()]))
  assert.deepEqual([told(read), read.damaged, read.headerOffset], ['here', false, 14])
})

test('an update at the end of the file replaces objects, and deletes them', () => {
  const bytes = file('stream')
  const old = open(bytes)
  const number = (old.catalog!.raw('Told') as Ref).number
  const start = bytes.lastIndexOf('startxref')
  const previous = Number.parseInt(bytes.toString('latin1', start + 10), 10)
  const root = (old.trailer!.raw('Root') as Ref).number
  const updated = (body: string, entry: (offset: number) => string): PdfFile => {
    const table = bytes.length + body.length
    const update = `${body}xref\n${number} 1\n${entry(bytes.length)}trailer\n<< /Root ${root} 0 R /Prev ${previous} >>\nstartxref\n${table}\n%%EOF\n`
    return open(Buffer.concat([bytes, Buffer.from(update, 'latin1')]))
  }
  const offset = (at: number): string => String(at).padStart(10, '0')
  const replaced = updated(`${number} 0 obj\n<< /Where (there) >>\nendobj\n`, (at) => `${offset(at)} 00000 n \n`)
  assert.deepEqual([told(replaced), replaced.damaged], ['there', false])
  const deleted = updated('', () => '0000000000 00001 f \n')
  assert.deepEqual([told(deleted), deleted.damaged], [undefined, false])
})

test('a damaged file is read as far as its objects are whole', () => {
  for (const layout of layouts) {
    const bytes = file(layout)
    const damages: Readonly<Record<string, Buffer>> = {
      'cut off': bytes.subarray(0, bytes.lastIndexOf('startxref')),
      'text in front': Buffer.concat([bytes.subarray(0, 15), Buffer.from('shifted\n'), bytes.subarray(15)]),
      'wrong start': Buffer.from(bytes.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1'),
      'no header': bytes.subarray(9),
    }
    for (const [how, damaged] of Object.entries(damages)) {
      const read = open(damaged)
      assert.deepEqual([told(read), read.damaged], ['here', true], `${layout}: ${how}`)
    }
  }
})

test('a table that names wrong places is given up for the objects themselves', () => {
  const bytes = file()
    .toString('latin1')
    .replaceAll(/^(\d{10}) 00000 n/gm, '0000000015 00000 n')
  const read = open(Buffer.from(bytes, 'latin1'))
  assert.deepEqual([told(read), read.damaged], ['here', true])
})

test('of objects with one number, a rebuilt file has the last', () => {
  const bytes = file()
  const number = (open(bytes).catalog!.raw('Told') as Ref).number
  const added = Buffer.from(`${number} 0 obj\n<< /Where (later) >>\nendobj\n`)
  assert.equal(told(open(Buffer.concat([bytes.subarray(0, bytes.lastIndexOf('xref\n0')), added]))), 'later')
})

test('a stream ends where it says, or else at its keyword', () => {
  const length = (says: string): [string, boolean] => {
    const maker = new PdfMaker()
    const number = maker.reserve()
    maker.set(number, Buffer.from(`<< /Length ${says} >>\nstream\r\n0 0 m endstream1\r\nendstream`))
    const eleven = maker.add('18')
    const read = open(maker.bytes({ catalog: `/Data ${number} 0 R /Eleven ${eleven}` }))
    const data = read.catalog!.stream('Data')!
    return [Buffer.from(data.stored).toString(), read.damaged]
  }
  assert.deepEqual(length('16'), ['0 0 m endstream1', false])
  for (const wrong of ['12', '900', '-1', '(x)', '99999999999'])
    assert.deepEqual(length(wrong), ['0 0 m ', true], wrong)
})

test('the length of a stream may stand in an object of its own', () => {
  const maker = new PdfMaker()
  const length = maker.add('5')
  const number = maker.reserve()
  maker.set(number, `<< /Length ${length} >>\nstream\n0 0 m\nendstream`)
  const read = open(maker.bytes({ catalog: `/Data ${number} 0 R` }))
  assert.deepEqual([Buffer.from(read.catalog!.stream('Data')!.stored).toString(), read.damaged], ['0 0 m', false])
})

test('references in circles lead to nothing', () => {
  const maker = new PdfMaker()
  const [one, other, long] = [maker.reserve(), maker.reserve(), maker.reserve()]
  maker.set(one, `${other} 0 R`)
  maker.set(other, `${one} 0 R`)
  maker.set(long, `<< /Length ${long} 0 R >>\nstream\n0 0 m\nendstream`)
  const read = open(maker.bytes({ catalog: `/One ${one} 0 R /Long ${long} 0 R` }))
  assert.equal(read.catalog!.get('One'), null)
  assert.ok(read.catalog!.get('Long') instanceof Stream)
})

test('sections that lead in a circle are read once', () => {
  const bytes = file()
  const table = bytes.lastIndexOf('xref\n0')
  const looped = bytes.toString('latin1').replace('trailer\n<<', `trailer\n<< /Prev ${table}`)
  const read = open(Buffer.from(looped, 'latin1'))
  assert.deepEqual([told(read), read.damaged], ['here', false])
})

test('an object stream that holds itself holds nothing', () => {
  const maker = new PdfMaker()
  maker.page()
  const bytes = maker.bytes({ layout: 'object streams' })
  const read = open(bytes)
  const container = read.numbers.find((number) => read.resolve(new Ref(number, 0)) instanceof Stream)!
  assert.ok(container > 0)
  // The damaged copy has no table, so its object streams are read one after the other.
  const own = streamBody(`/Type /ObjStm /N 1 /First ${`${container} 0 `.length}`, `${container} 0 << /Kids [1 0 R] >>`)
  const damaged = Buffer.concat([
    bytes.subarray(0, bytes.lastIndexOf('startxref')),
    Buffer.from(`${container} 0 obj\n`),
    own,
    Buffer.from('\nendobj\n'),
  ])
  assert.equal(open(damaged).damaged, true)
})

test('an encrypted file says so and is not read', () => {
  const maker = new PdfMaker()
  maker.page()
  const encryption = maker.add('<< /Filter /Standard /V 2 /R 3 >>')
  for (const layout of layouts)
    assert.equal(open(maker.bytes({ layout, trailer: `/Encrypt ${encryption}` })).encrypted, true)
  const whole = maker.bytes({ trailer: `/Encrypt ${encryption}` })
  const cut = whole.subarray(0, whole.lastIndexOf('startxref'))
  assert.equal(open(cut).encrypted, true)
})

test('objects nested too deep, too many in one, and too many in all are refused', () => {
  const holding = (body: string): (() => unknown) => {
    const maker = new PdfMaker()
    const held = maker.add(body)
    const bytes = maker.bytes({ catalog: `/Held ${held}` })
    return () => open(bytes).catalog!.get('Held')
  }
  assert.throws(holding('['.repeat(1000)), TooComplex)
  assert.throws(holding('<< /A '.repeat(1000)), TooComplex)
  assert.throws(holding(`[${'0 '.repeat(300_001)}]`), TooComplex)
  assert.doesNotThrow(holding(`[${'0 '.repeat(100_000)}]`))
  const maker = new PdfMaker()
  const held = Array.from({ length: 17 }, () => maker.add(`[${'0 '.repeat(250_000)}]`))
  assert.throws(() => open(maker.bytes({ catalog: `/Held [${held.join(' ')}]` })).catalog!.list('Held'), TooComplex)
})
