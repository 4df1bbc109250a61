import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardRules } from '../../../../test/artwork/profiles.ts'
import { codesOf, has, inspectedFile, inspectedPage, type Options, of } from '../../../../test/artwork/inspected.ts'
import { profileHeader } from '../../../../test/artwork/jpegs.ts'
import { cardBoxes, PdfMaker } from '../../../../test/artwork/pdf-maker.ts'
import { inspectPdf } from '../inspect-pdf.ts'

test('an encrypted file is told and not looked into', () => {
  const file = new PdfMaker()
  file.page(cardBoxes)
  const encryption = file.add('<< /Filter /Standard >>')
  const inspection = inspectPdf(file.bytes({ trailer: `/Encrypt ${encryption}` }), cardRules)
  assert.deepEqual([codesOf(inspection.findings), inspection.pages, inspection.readable], [['encrypted'], [], false])
})

test('a file without pages is told', () => {
  const inspection = inspectPdf(new PdfMaker().bytes(), cardRules)
  assert.deepEqual([codesOf(inspection.findings), inspection.readable], [['no_pages'], false])
})

test('a damaged file is told and read', () => {
  const file = new PdfMaker()
  file.page(cardBoxes)
  const whole = file.bytes()
  const inspection = inspectPdf(whole.subarray(0, whole.lastIndexOf('startxref')), cardRules)
  assert.deepEqual(of('damaged_structure', inspection.findings), [{ severity: 'warning' }])
  assert.deepEqual(inspection.pages, inspectPdf(whole, cardRules).pages)
})

test('a file that asks for too much is told, beside what is known by then', () => {
  const inspection = inspectedPage({ content: '['.repeat(100), trim: [9, 9, 200, 153] })
  assert.deepEqual(codesOf(inspection).slice(0, 2), ['too_complex', 'page_size_wrong'])
})

test('scripts and other actions are told by their kind, wherever they hang', () => {
  const active = (options: Options, more = '') =>
    of(
      'active_content',
      inspectedFile((file) => file.page({ ...cardBoxes, more }), options),
    )
  const told = (subject: string, count = 1) => [{ severity: 'warning', subject, ...(count > 1 ? { count } : {}) }]
  assert.deepEqual(active({ catalog: '/OpenAction << /S /JavaScript /JS (x) >>' }), told('JavaScript'))
  assert.deepEqual(active({ catalog: '/Names << /JavaScript << /Names [] >> >>' }), told('JavaScript'))
  assert.deepEqual(active({ catalog: '/AA << /WC << /S /Launch >> >>' }), told('Launch'))
  assert.deepEqual(active({ catalog: '/OpenAction << /S /GoTo /Next << /S /SubmitForm >> >>' }), told('SubmitForm'))
  assert.deepEqual(active({}, '/AA << /O << /S /JavaScript >> >>'), told('JavaScript'))
  assert.deepEqual(active({}, '/Annots [<< /Subtype /Link /A << /S /ImportData >> >>]'), told('ImportData'))
  assert.deepEqual(active({ catalog: '/OpenAction [0 /Fit]' }, '/Annots [<< /Subtype /Link /A << /S /URI >> >>]'), [])
})

test('a chain of actions that comes back to itself ends', () => {
  const findings = inspectedFile((file) => {
    const action = file.reserve()
    file.set(action, `<< /S /Named /Next ${action} 0 R >>`)
    file.page({ ...cardBoxes, more: `/AA << /O ${action} 0 R >>` })
  })
  assert.equal(has('active_content', findings), false)
})

test('files inside the file are counted', () => {
  const embedded = (options: Options, more = '') =>
    of(
      'embedded_files',
      inspectedFile((file) => file.page({ ...cardBoxes, more }), options),
    )
  const names = '/Names << /EmbeddedFiles << /Names [(a) << >> (b) << >>] >> >>'
  assert.deepEqual(embedded({ catalog: names }), [{ severity: 'warning', count: 2 }])
  assert.deepEqual(embedded({}, '/Annots [<< /Subtype /FileAttachment >>]'), [{ severity: 'warning' }])
  assert.deepEqual(embedded({}), [])
})

test('XFA forms are told; those that only show themselves on a screen are errors', () => {
  const xfa = (catalog: string) =>
    of(
      'xfa_form',
      inspectedFile((file) => file.page(cardBoxes), { catalog }),
    )
  assert.deepEqual(xfa('/AcroForm << /XFA (x) >> /NeedsRendering true'), [{ severity: 'error' }])
  assert.deepEqual(xfa('/AcroForm << /XFA [(a) (b)] >>'), [{ severity: 'warning' }])
  assert.deepEqual(xfa('/AcroForm << /Fields [] >>'), [])
})

test('hidden layers are told by name, and what is on them does not count', () => {
  const layered = (usual: string, content: string) =>
    inspectedFile(
      (file) => {
        const [shown, hidden] = [file.add('<< /Type /OCG /Name (Text) >>'), file.add('<< /Type /OCG /Name (Notes) >>')]
        const both = file.add(`<< /Type /OCMD /OCGs [${shown} ${hidden}] >>`)
        const form = file.stream(`/Subtype /Form /BBox [0 0 99 99] /OC ${hidden}`, '0 w 50 50 m 90 90 l S')
        const layers = file.add(
          `<< /OCGs [${shown} ${hidden}] /D << ${usual.replace('HIDDEN', `[${hidden}]`).replace('SHOWN', `[${shown}]`)} >> >>`,
        )
        file.page({
          ...cardBoxes,
          content,
          resources: `/Properties << /Shown ${shown} /Hidden ${hidden} /Both ${both} >> /XObject << /F ${form} >>`,
        })
        const catalog = file.add('null')
        file.set(Number.parseInt(catalog, 10), layers)
      },
      { catalog: '/OCProperties 7 0 R' },
    )
  const line = '0 w 50 50 m 90 90 l S'
  const on = (layer: string, usual = '/OFF HIDDEN') => has('hairline', layered(usual, `/OC /${layer} BDC ${line} EMC`))
  assert.deepEqual(of('hidden_layers', layered('/OFF HIDDEN', '')), [{ severity: 'sign_off', subject: 'Notes' }])
  assert.deepEqual(of('hidden_layers', layered('/BaseState /OFF /ON SHOWN', '')), [
    { severity: 'sign_off', subject: 'Notes' },
  ])
  assert.deepEqual(of('hidden_layers', layered('', '')), [])
  assert.deepEqual([on('Shown'), on('Hidden'), on('Both'), on('Hidden', '')], [true, false, true, true])
  assert.equal(has('hairline', layered('/OFF HIDDEN', '/F Do')), false)
  assert.equal(has('hairline', layered('', '/F Do')), true)
  assert.equal(has('hairline', layered('/OFF HIDDEN', `/OC /Hidden BDC /Span BMC EMC EMC ${line}`)), true)
})

test('the printing condition is CMYK, if the file tells one', () => {
  const intent = (colours?: 'CMYK' | 'RGB ', options: Options = {}) =>
    inspectedFile(
      (file) => {
        file.page(cardBoxes)
        const profile =
          colours === undefined ? '' : `/DestOutputProfile ${file.deflated('/N 4', profileHeader(colours))}`
        file.add(`<< /S /GTS_PDFX ${profile} >>`)
      },
      { catalog: `/OutputIntents [${colours === undefined ? 5 : 6} 0 R]`, ...options },
    )
  for (const findings of [intent('CMYK'), intent()])
    assert.deepEqual([has('no_output_intent', findings), has('output_intent_not_cmyk', findings)], [false, false])
  assert.deepEqual(of('output_intent_not_cmyk', intent('RGB ')), [
    { severity: 'warning', found: 'RGB', wanted: 'CMYK' },
  ])
  assert.deepEqual(of('output_intent_not_cmyk', intent('RGB ', { profile: { inkPercentMax: null } })), [
    { severity: 'info', found: 'RGB', wanted: 'CMYK' },
  ])
  assert.deepEqual(of('no_output_intent', inspectedPage({})), [{ severity: 'info' }])
})

test('a claim to be PDF/X is found in the information and in the metadata', () => {
  assert.deepEqual(of('not_pdfx', inspectedPage({})), [{ severity: 'info' }])
  const informed = inspectedFile((file) => file.page(cardBoxes), { trailer: '/Info << /GTS_PDFXVersion (PDF/X-4) >>' })
  const described = inspectedFile(
    (file) => {
      file.page(cardBoxes)
      file.deflated('', '<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>')
    },
    { catalog: '/Metadata 5 0 R' },
  )
  assert.deepEqual([has('not_pdfx', informed), has('not_pdfx', described)], [false, false])
})
