import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordOf, revisionOf } from './entity-tags.ts'

const signed = (name: string, signature: string) => `http://store.example/${name}?signature=${signature}`
const body = (signature: string, note: string) => {
  const links = ['one', 'two', 'one'].map((name) => signed(name, signature))
  return { links, text: JSON.stringify({ note, files: links.map((link) => ({ link, of: `see ${link}` })) }) }
}
const recordIn = ({ text, links }: ReturnType<typeof body>) => recordOf(revisionOf(text, links))

test('a body whose links are signed anew keeps the revision of its record, and no other body does', () => {
  const anew = (signature: string) => {
    const { text, links } = body(signature, 'a')
    return { text: text.replaceAll(/see [^"\\]*/g, 'see'), links }
  }
  assert.equal(recordIn(anew('1')), recordIn(anew('2')))
  assert.notEqual(revisionOf(anew('1').text, anew('1').links), revisionOf(anew('2').text, anew('2').links))
  // Within another text a link is what people typed.
  assert.notEqual(recordIn(body('1', 'a')), recordIn(body('2', 'a')))
  assert.notEqual(recordIn(body('1', 'a')), recordIn(body('1', 'b')))
})
