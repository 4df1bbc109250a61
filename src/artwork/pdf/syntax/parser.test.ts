import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Lexer } from './lexer.ts'
import { Dict, Name, type PdfObject, PdfString, Ref, type Resolver } from './objects.ts'
import { Parser } from './parser.ts'

const resolver: Resolver = { resolve: (object) => (object instanceof Ref ? null : (object ?? null)) }

const read = (text: string): PdfObject[] => new Parser(new Lexer(Buffer.from(text, 'latin1')), resolver).read().objects

/** Objects as plain values: names with a slash, strings in quotes. */
function plain(object: PdfObject): unknown {
  if (object instanceof Name) return `/${object.value}`
  if (object instanceof PdfString) return `“${Buffer.from(object.bytes).toString('latin1')}”`
  if (object instanceof Ref) return `${object.number} ${object.generation} R`
  if (object instanceof Dict) return Object.fromEntries(object.keys.map((key) => [key, plain(object.raw(key)!)]))
  return Array.isArray(object) ? object.map(plain) : object
}

const values = (text: string): unknown[] => read(text).map(plain)

test('numbers are read in all forms, also those that only careless writers use', () => {
  assert.deepEqual(
    values('0 12 -3 +4 1.5 -.25 .5 4. --7 1.2.3 12-3 00012'),
    [0, 12, -3, 4, 1.5, -0.25, 0.5, 4, -7, 1.2, 12, 12],
  )
  assert.deepEqual(values(`${'9'.repeat(400)} 1`), [0, 1])
})

test('strings are read with nested parentheses, escapes, continued lines and octal codes', () => {
  assert.deepEqual(values(String.raw`(a(b)c) (\n\)\\) (\101\53x\0) ()`), ['“a(b)c”', '“\n)\\”', '“A+x\0”', '“”'])
  assert.deepEqual(values('(one\\\r\ntwo) (open'), ['“onetwo”', '“open”'])
  assert.deepEqual(values('<48 65 6c6C6f> <4> <4x1'), ['“Hello”', '“@”', '“A”'])
})

test('text strings say in which encoding they are', () => {
  const text = (hex: string): string => (read(`<${hex}>`)[0] as PdfString).text
  assert.deepEqual([text('feff20ac'), text('efbbbfe282ac'), text('e9')], ['€', '€', 'é'])
})

test('names, arrays, dictionaries, references and constants are read inside each other', () => {
  assert.deepEqual(values('/A#20B /C% comment\n[1 [/D 2 0 R] null true]'), [
    '/A B',
    '/C',
    [1, ['/D', '2 0 R'], null, true],
  ])
  assert.deepEqual(values('<</A 1/B<</C[3 0 R 4]>>/A 2>>'), [{ A: 2, B: { C: ['3 0 R', 4] } }])
})

test('what a bracket lacks is taken from what ends the outer one', () => {
  const parser = new Parser(new Lexer(Buffer.from('<< /A [1 2 endobj 5')), resolver)
  const { objects, end } = parser.read()
  assert.deepEqual([objects.map(plain), end], [[{ A: [1, 2] }], 'endobj'])
})

test('operators end at delimiters and may follow numbers without a space', () => {
  const operators: unknown[] = []
  const parser = new Parser(new Lexer(Buffer.from("0.5w 1 0 0 RG(x)Tj[1]TJ/F1 9Tf(y)' f*")), resolver)
  for (let { objects, end } = parser.read(); end !== undefined; { objects, end } = parser.read())
    operators.push([...objects.map(plain), end])
  assert.deepEqual(operators, [
    [0.5, 'w'],
    [1, 0, 0, 'RG'],
    ['“x”', 'Tj'],
    [[1], 'TJ'],
    ['/F1', 9, 'Tf'],
    ['“y”', "'"],
    ['f*'],
  ])
})

test('any bytes are read to the end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const parser = new Parser(new Lexer(bytes), resolver)
      let reads = 0
      while (parser.read().end !== undefined) reads++
      assert.ok(reads <= bytes.length)
      assert.equal(parser.lexer.position, bytes.length)
    }),
    { numRuns: 1000 },
  )
})
