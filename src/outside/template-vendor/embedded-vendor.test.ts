import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { readPdf } from '../../../test/world/read-pdf.ts'
import { cmykJpeg, pictureOf } from '../../demo/specimens/pictures.ts'
import type { OutputIntent } from '../../documents/page-writer.ts'
import { createEgress } from '../egress/guarded-request.ts'
import type { Art, Design, Text } from './design/design.ts'
import { createEmbeddedVendor } from './embedded-vendor.ts'
import { httpTemplateVendor } from './http-vendor.ts'
import type { TemplateVariable } from './template-vendor.ts'

const variable = (name: string, more: Partial<TemplateVariable> = {}): TemplateVariable => ({
  name,
  displayName: null,
  dataType: null,
  required: false,
  listItems: null,
  ...more,
})
const black = [0, 0, 0, 100] as const
const line = (text: Text['text'], size: Text['size'], more: Partial<Text> = {}): Text => ({
  text,
  size,
  inks: black,
  ...more,
})
const sheet = { title: 'Card', trim: { width: 200, height: 100 }, bleed: 10, safe: 5 }

const front: Art[] = [
  {
    draw: 'rectangle',
    area: [-10, -10, 220, 120],
    fill: { by: 'Tone', of: { Warm: [0, 20, 40, 0], Cold: [30, 0, 0, 0] } },
  },
  {
    draw: 'texts',
    area: [10, 10, 100, 60],
    texts: [
      line({ value: 'Name' }, { min: 8, max: 16 }, { bold: true }),
      line({ value: 'Motto', before: '“', after: '”' }, 10, { maxLines: 2, space: 2 }),
      line({ by: 'Tone', of: { Warm: 'By the fire', Cold: 'On the ice' } }, 8),
    ],
  },
  {
    draw: 'condition',
    value: 'Link',
    given: [{ draw: 'qr', value: 'Link', area: [150, 50, 45, 45], inks: black }],
    blank: [],
  },
]
const back: Art[] = [
  { draw: 'texts', area: [10, 10, 60, 14], texts: [line({ value: 'Name' }, 8)] },
  { draw: 'texts', area: [120, 10, 14, 60], texts: [line('Turned', 8)], turned: 90 },
  {
    draw: 'choice',
    by: 'Tone',
    of: { Warm: [{ draw: 'texts', area: [10, 40, 60, 14], texts: [line('A flame', 8)] }], Cold: [] },
  },
]
const card: Design = {
  ...sheet,
  variables: [
    variable('Name', { displayName: 'Full name', dataType: 'Text', required: true }),
    variable('Motto'),
    variable('Link'),
    variable('Tone', { listItems: ['Warm', 'Cold'] }),
  ],
  pages: [front, back],
}
const postcard: Design = {
  ...sheet,
  variables: [],
  pictures: ['sea'],
  pages: [[{ draw: 'picture', picture: 'sea', area: [-10, -10, 220, 120] }]],
}
const strange: Design = { ...sheet, variables: [], pictures: ['lost'], pages: postcard.pages.map(() => []) }

const outputIntent: OutputIntent = { identifier: 'CGATS TR 001' }
let picturesRead = 0
const server = createEmbeddedVendor({
  documents: new Map([
    ['a card', card],
    ['postcard', postcard],
    ['strange', strange],
  ]),
  pictureOf: async (name) => {
    picturesRead += 1
    if (name === 'lost') throw new Error('there is no such picture')
    return cmykJpeg(pictureOf('meridian', 300))
  },
  outputIntent,
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const egress = createEgress({ allowedHosts: (host) => host === '127.0.0.1' })
const vendor = httpTemplateVendor(egress, url)
after(() => {
  egress.close()
  server.closeAllConnections()
  server.close()
})

async function rendered(values: Record<string, string>, id = 'a card'): Promise<Buffer> {
  const rendering = await vendor.render(id, values)
  assert.ok(rendering && 'pdf' in rendering, JSON.stringify(rendering))
  return rendering.pdf
}

/** What the check finds, which is what the rendering finds. */
async function problemsOf(values: Record<string, string>): Promise<unknown[]> {
  const problems = await vendor.check('a card', values)
  const rendering = await vendor.render('a card', values)
  assert.deepEqual(rendering && 'problems' in rendering ? rendering.problems : [], problems)
  return problems.map(({ variable: name, kind, lengthMax, characters }) => [name, kind, lengthMax ?? characters])
}

test('the embedded vendor speaks as a vendor does, over the documents it is given', async () => {
  assert.deepEqual(await vendor.document('a card'), { variables: card.variables })
  for (const id of ['another', 'a', '%']) {
    assert.equal(await vendor.document(id), undefined)
    assert.equal(await vendor.render(id, {}), undefined)
  }
  const statuses = await Promise.all(
    [
      ['POST', '/documents/a%20card'],
      ['GET', '/documents/a%20card/checks'],
      ['GET', '/documents/%'],
      ['GET', '/'],
      ['GET', '/documents/a/b'],
    ].map(async ([method, path]) => (await fetch(url + path!, { method: method! })).status),
  )
  assert.deepEqual(statuses, [404, 404, 404, 404, 404])
})

test('a body that does not tell the values of variables is refused', async () => {
  const long = JSON.stringify({ variables: { Name: 'x'.repeat(5_000_000) } })
  for (const body of ['', '{', '[]', '{}', '{"variables":[]}', '{"variables":{"Name":1}}', long]) {
    const answer = await fetch(`${url}/documents/a%20card/checks`, { method: 'POST', body })
    assert.equal(answer.status, 400, body.slice(0, 40))
  }
})

test('a rendering has a page with trim and bleed for each side, and the values in their places', async () => {
  const values = { Name: 'Avery Stone', Motto: 'Ever upward', Tone: 'Cold', Link: 'https://example.com/avery' }
  const pdf = await rendered(values)
  const { title, pages } = await readPdf(pdf)
  assert.equal(title, 'Card')
  assert.deepEqual(
    pages.map(({ width, height, trimBox }) => [width, height, ...trimBox]),
    [
      [220, 120, 10, 10, 210, 110],
      [220, 120, 10, 10, 210, 110],
    ],
  )
  assert.match(pdf.toString('latin1'), /\/BleedBox \[0 0 220 120\]/)
  assert.match(pdf.toString('latin1'), /\/OutputConditionIdentifier \(CGATS TR 001\)/)
  assert.doesNotMatch(pdf.toString('latin1'), /DestOutputProfile/)
  assert.deepEqual(pages[0]!.text.split(/\s*\r\n/), ['Avery Stone', '“Ever upward”', 'On the ice'])
  assert.deepEqual(pages[1]!.text.split(/\s*\r\n/), ['Avery Stone', 'Turned'])
  const plain = await rendered({ Name: 'Avery Stone' })
  assert.deepEqual((await readPdf(plain)).pages[0]!.text.split(/\s*\r\n/), ['Avery Stone', 'By the fire'])
  assert.match((await readPdf(plain)).pages[1]!.text, /A flame/)
  assert.ok(pdf.length > plain.length, 'the code is drawn')
})

test('the same values give the same bytes', async () => {
  const values = { Name: 'Avery', Link: 'https://example.com' }
  assert.deepEqual(await rendered(values), await rendered(values))
})

test('names in any script are drawn', async () => {
  for (const name of ['渡辺 美智子', 'نور الدين', 'Ольга Ким', 'रीना', 'דנה', '김민준']) {
    const { pages } = await readPdf(await rendered({ Name: name }))
    assert.ok(pages[1]!.text.normalize('NFKC').includes(name.slice(0, 2)), `${name}: ${pages[1]!.text}`)
  }
})

test('a name too long for its smallest field is told with about how much fits, and that much then fits', async () => {
  const name = 'Wilhelmina Featherstonehaugh-Cholmondeley'
  const [[variableName, kind, lengthMax]] = (await problemsOf({ Name: name })) as [[string, string, number]]
  assert.deepEqual([variableName, kind], ['Name', 'too_long'])
  assert.ok(lengthMax > 5 && lengthMax < 25, String(lengthMax))
  assert.deepEqual(await problemsOf({ Name: name.slice(0, lengthMax) }), [])
  assert.notDeepEqual(await problemsOf({ Name: name.slice(0, lengthMax + 1) }), [])
})

test('a text of several lines is wrapped, and too long only beyond its last line', async () => {
  const motto = 'Wherever the road may lead'
  assert.deepEqual(await problemsOf({ Name: 'A', Motto: motto }), [])
  const [problem] = (await problemsOf({ Name: 'A', Motto: `${motto} ${motto}` })) as [[string, string, number]]
  assert.deepEqual(problem.slice(0, 2), ['Motto', 'too_long'])
  assert.ok(problem[2] >= motto.length, String(problem[2]))
})

test('a word wider than its field is too long, although it could be broken over the lines', async () => {
  const [problem] = (await problemsOf({ Name: 'A', Motto: 'Rindfleischetikettierung' })) as [[string, string, number]]
  assert.deepEqual(problem.slice(0, 2), ['Motto', 'too_long'])
})

test('line breaks in a field of one line count as spaces', async () => {
  assert.deepEqual(await problemsOf({ Name: 'Avery\n Stone' }), [])
  assert.match((await readPdf(await rendered({ Name: 'Avery\n Stone' }))).pages[1]!.text, /Avery Stone/)
})

test('missing values, values off the list, characters without a glyph and links too long for a code are told, one each', async () => {
  const link = `https://example.com/${'a'.repeat(400)}`
  const found = (await problemsOf({ Name: ' ', Motto: 'x \u{13000}', Tone: 'warm', Link: link })) as [
    string,
    string,
    unknown,
  ][]
  assert.deepEqual(found.map(([name, kind]) => [name, kind]).toSorted(), [
    ['Link', 'too_long'],
    ['Motto', 'no_glyphs'],
    ['Name', 'missing'],
    ['Tone', 'not_listed'],
  ])
  assert.equal(found.find(([name]) => name === 'Motto')![2], '\u{13000}')
  assert.deepEqual(await problemsOf({}), [['Name', 'missing', null]])
})

test('a link that a code can just hold is drawn, one letter more is not', async () => {
  const link = `https://example.com/${'a'.repeat(400)}`
  const [[, , lengthMax]] = (await problemsOf({ Name: 'A', Link: link })) as [[string, string, number]]
  assert.deepEqual(await problemsOf({ Name: 'A', Link: link.slice(0, lengthMax) }), [])
  assert.notDeepEqual(await problemsOf({ Name: 'A', Link: link.slice(0, lengthMax + 1) }), [])
})

test('a value of a hundred thousand characters is answered like any other that is too long', async () => {
  const [problem] = (await problemsOf({ Name: 'x'.repeat(100_000) })) as [[string, string, number]]
  assert.deepEqual(problem.slice(0, 2), ['Name', 'too_long'])
  assert.ok(problem[2] < 25, String(problem[2]))
})

test('a document with a picture is drawn with its inks, and the picture is read once', async () => {
  const pdf = (await rendered({}, 'postcard')).toString('latin1')
  assert.match(pdf, /\/Subtype \/Image/)
  assert.match(pdf, /\/DeviceCMYK/)
  assert.doesNotMatch(pdf, /\/DeviceRGB/)
  const before = picturesRead
  await rendered({}, 'postcard')
  assert.equal(picturesRead, before)
})

test('a document that cannot be drawn is answered 500, and the next is drawn', async () => {
  await assert.rejects(vendor.render('strange', {}), { name: 'Outage', message: 'the template vendor answered 500' })
  await rendered({ Name: 'Avery' })
})

test('nothing is drawn for who has gone while others were drawn', async (t) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const read: string[] = []
  const pictured = (name: string): [string, Design] => [name, { ...postcard, pictures: [name], pages: [[]] }]
  const busy = createEmbeddedVendor({
    documents: new Map([pictured('slow'), pictured('unwanted'), pictured('last')]),
    pictureOf: async (name) => {
      read.push(name)
      if (name === 'slow') await held
      return cmykJpeg(pictureOf('meridian', 30))
    },
    outputIntent,
  })
  t.after(() => busy.close())
  busy.listen(0, '127.0.0.1')
  await once(busy, 'listening')
  const address = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`
  const own = httpTemplateVendor(egress, address)
  const slow = own.render('slow', {})
  await once(busy, 'request')
  const leaving = new AbortController()
  const unwanted = egress.request(`${address}/documents/unwanted/renderings`, {
    method: 'POST',
    body: Buffer.from('{"variables":{}}'),
    timeoutMilliseconds: 60_000,
    responseBytesMax: 1,
    signal: leaving.signal,
  })
  const [, response] = (await once(busy, 'request')) as [unknown, ServerResponse]
  leaving.abort(new Error('not needed any more'))
  await assert.rejects(unwanted, /not needed/)
  await once(response, 'close')
  release()
  assert.ok((await slow) && (await own.render('last', {})))
  assert.deepEqual(read, ['slow', 'last'])
})

test('a vendor over a wrong document does not start', () => {
  const unsafe: Art = { draw: 'texts', area: [0, 0, 10, 10], texts: [line('x', 5)] }
  const documents = new Map([['a card', { ...card, pages: [front, [unsafe]] }]])
  assert.throws(
    () => createEmbeddedVendor({ documents, pictureOf: () => assert.fail(), outputIntent }),
    /the document a card is wrong/,
  )
})
