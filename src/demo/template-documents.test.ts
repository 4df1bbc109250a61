import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPdf } from '../../test/world/read-pdf.ts'
import { inspectPdf } from '../artwork/pdf/inspect-pdf.ts'
import { designFaults } from '../outside/template-vendor/design/design-faults.ts'
import { draw } from '../outside/template-vendor/design/draw-design.ts'
import type { Design } from '../outside/template-vendor/design/design.ts'
import { supportedVendor } from '../outside/template-vendor/template-vendor.ts'
import { castCatalog } from './cast/catalog.ts'
import { crowdCatalog } from './crowd/catalog.ts'
import { templateStock } from './template-documents.ts'

const { documents, pictureOf, outputIntent } = templateStock
const now = new Date()
const segmentIds = new Map(Array.from({ length: 10 }, (_, index) => [index + 1, [1, 2, 3]] as const))

async function picturesOf({ pictures = [] }: Design): Promise<Record<string, Uint8Array>> {
  return Object.fromEntries(await Promise.all(pictures.map(async (name) => [name, await pictureOf(name)] as const)))
}

const usual: Readonly<Record<string, string>> = {
  Email: 'dana.whitfield@meridian.example',
  Phone: '+1 617 555 0142',
  qr_link: 'https://meridian.example/people/dana.whitfield',
  Headline: 'Summer starts on paper',
  Message: 'Dear neighbours,\nour new shop opens on the first of June. Come and see us.',
}

/** Values for what the document asks, with the turn-th item of every list. */
function valuesFor(design: Design, person: Readonly<Record<string, string>>, turn: number): Record<string, string> {
  return Object.fromEntries(
    design.variables.flatMap(({ name, listItems }) => {
      const value = listItems ? listItems[turn % listItems.length] : (person[name] ?? usual[name])
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

const people: readonly Readonly<Record<string, string>>[] = [
  { Name: 'Dana Whitfield', Title: 'Office manager' },
  { Name: '渡辺 美智子', Title: '営業部長', Headline: '紙から始まる夏' },
  { Name: 'نور الدين الخطيب', Title: 'مديرة المبيعات', Message: 'شكرا جزيلا لكم' },
  { Name: 'Bartholomew Featherstone-Haugh', Title: 'Vice president of regional partnerships' },
]

const templated = [...Object.values(castCatalog(now)), ...crowdCatalog(now, segmentIds)].filter(
  ({ templateId, templateVendor }) => templateId !== undefined && templateVendor === supportedVendor,
)

test('the document of every templated demo product has the size and the pages that the product wants', () => {
  assert.equal(new Set(templated.map(({ templateId }) => templateId)).size, documents.size)
  for (const { templateId, artworkProfile: profile } of templated) {
    const { trim, bleed, safe, pages } = documents.get(templateId!)!
    assert.deepEqual(
      [trim.width, trim.height, bleed, safe],
      [profile!.trimWidth, profile!.trimHeight, profile!.bleed, profile!.safe],
      templateId!,
    )
    const { pagesMin, pagesMax, pagesMultiple } = profile!
    const isWanted = pages.length >= pagesMin! && pages.length <= pagesMax! && pages.length % (pagesMultiple ?? 1) === 0
    assert.ok(isWanted, `${templateId} has ${pages.length} pages`)
  }
})

for (const [id, design] of documents) {
  test(`the demo document ${id} is drawn with every choice, for people of any script`, async () => {
    assert.deepEqual(designFaults(design), [])
    const pictures = await picturesOf(design)
    const profile = templated.find(({ templateId }) => templateId === id)!.artworkProfile
    const { problems } = draw({ design, values: { Name: 'Bo' }, pictures, outputIntent, drawn: true })
    assert.deepEqual(problems, [], 'all but the name may be left out')
    for (const [turn, person] of people.entries()) {
      const values = valuesFor(design, person, turn)
      const drawn = draw({ design, values, pictures, outputIntent, drawn: true })
      assert.deepEqual(drawn.problems, [], JSON.stringify(values))
      const { pages } = await readPdf(drawn.pdf!)
      assert.equal(pages.length, design.pages.length)
      const { findings } = inspectPdf(drawn.pdf!, profile!)
      const found = findings.map(({ code, page, subject }) => [code, page, subject])
      // They do not claim to be PDF/X.
      assert.deepEqual(found, [['not_pdfx', null, null]])
      const said = pages
        .map(({ text }) => text)
        .join(' ')
        .replace(/\s+/gu, ' ')
      if (/^\p{Script=Latin}/u.test(person.Name!)) assert.ok(said.includes(person.Name!), said)
      const long = { ...values, Name: 'Wolfeschlegelsteinhausenbergerdorff '.repeat(3) }
      assert.deepEqual(
        draw({ design, values: long, pictures, outputIntent, drawn: true }).problems.map(({ variable, kind }) => [
          variable,
          kind,
        ]),
        [['Name', 'too_long']],
      )
    }
  })
}
