import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jpegFrame, jpxFrame, profileHeader } from '../../../../test/artwork/jpegs.ts'
import { has, inspectedPage, of, type Options } from '../../../../test/artwork/inspected.ts'
import type { Finding } from '../../../vocabulary/artwork.ts'

/** The findings of a card with an area, and resources for its content. */
const painted = (content: string, resources = '', options: Options = {}): Finding[] =>
  inspectedPage({ content: `${content} 50 50 20 20 re f`, resources }, options)

const state = (entries: string): string => `/ExtGState << /S << ${entries} >> >>`
const spaces = (entries: string): string => `/ColorSpace << ${entries} >>`

test('RGB is told by where it is used; white is none', () => {
  const findings = inspectedPage({
    resources: '/Font << /F1 << /Subtype /Type1 /BaseFont /Helvetica >> >>',
    content: '1 0 0 rg 0 0 1 RG 50 50 20 20 re B BT /F1 9 Tf 90 90 Td (a) Tj ET',
  })
  assert.deepEqual(of('rgb_used', findings), [
    { severity: 'warning', page: 1, subject: 'areas and lines', count: 2 },
    { severity: 'warning', page: 1, subject: 'text' },
  ])
  assert.equal(has('rgb_used', painted('1 1 1 rg')), false)
  assert.equal(has('rgb_used', painted('0 0 0 1 k')), false)
  assert.deepEqual(of('rgb_used', painted('1 0 0 rg', '', { profile: { inkPercentMax: null } })), [
    { severity: 'info', page: 1, subject: 'areas and lines' },
  ])
})

test('RGB is found behind profiles, indexes, patterns and gradients', () => {
  const table = '(\\377\\000\\000)'
  const profile = (n: number) =>
    inspectedPage((file) => ({
      resources: spaces(`/P [/ICCBased ${file.deflated(`/N ${n}`, profileHeader(n === 3 ? 'RGB ' : 'CMYK'))}]`),
      content: '/P cs 0 0 0 0 scn 50 50 20 20 re f',
    }))
  assert.deepEqual([has('rgb_used', profile(3)), has('rgb_used', profile(4))], [true, false])
  assert.ok(has('rgb_used', painted('/I cs 0 scn', spaces(`/I [/Indexed /DeviceRGB 0 ${table}]`))))
  const gradient = '<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 1 1] /Function << >> >>'
  assert.deepEqual(
    of('rgb_used', painted('/Pattern cs /G scn', `/Pattern << /G << /PatternType 2 /Shading ${gradient} >> >>`)),
    [{ severity: 'warning', page: 1, subject: 'gradients' }],
  )
  assert.ok(has('rgb_used', painted('/G sh', `/Shading << /G ${gradient} >>`)))
  const tiles = inspectedPage((file) => {
    const tile = '/PatternType 1 /PaintType 2 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << >>'
    return {
      resources: `/Pattern << /P ${file.stream(tile, '0 0 5 5 re f')} >> ${spaces('/U [/Pattern /DeviceRGB]')}`,
      content: '/U cs 1 0 0 /P scn 50 50 20 20 re f',
    }
  })
  assert.ok(has('rgb_used', tiles))
})

test('images are judged by their colour space, also where only they know it', () => {
  const image = (entries: string, data: Uint8Array) =>
    of(
      'rgb_used',
      inspectedPage((file) => ({
        resources: `/XObject << /I ${file.stream(`/Subtype /Image /Width 300 /Height 300 /BitsPerComponent 8 ${entries}`, data)} >>`,
        content: 'q 72 0 0 72 50 50 cm /I Do Q',
      })),
    )
  const told = [{ severity: 'warning', page: 1, subject: 'images' }]
  assert.deepEqual(image('/ColorSpace /DeviceRGB /Filter /DCTDecode', jpegFrame(300, 300, 3)), told)
  assert.deepEqual(image('/ColorSpace /DeviceCMYK /Filter /DCTDecode', jpegFrame(300, 300, 4)), [])
  assert.deepEqual(image('/Filter /JPXDecode', jpxFrame(300, 300, 3)), told)
  assert.deepEqual(image('/Filter /JPXDecode', jpxFrame(300, 300, 1)), [])
})

test('spot colours are told by name; process inks under their own names are none', () => {
  const spots = (space: string, content: string) => of('spot_colours', painted(content, spaces(`/S ${space}`)))
  const told = (...subjects: string[]) => subjects.map((subject) => ({ severity: 'sign_off', page: 1, subject }))
  assert.deepEqual(spots('[/Separation /PANTONE#20185#20C /DeviceCMYK << >>]', '/S cs 1 scn'), told('PANTONE 185 C'))
  assert.deepEqual(
    spots('[/DeviceN [/Black /Gold /Varnish] /DeviceCMYK << >>]', '/S cs 0 1 1 scn'),
    told('Gold', 'Varnish'),
  )
  assert.deepEqual(spots('[/DeviceN [/Cyan /Magenta /None] /DeviceCMYK << >>]', '/S cs 0 1 1 scn'), [])
  assert.deepEqual(spots('[/Separation /Black /DeviceCMYK << >>]', '/S cs 1 scn'), [])
  assert.deepEqual(spots('[/Indexed [/Separation /Gold /DeviceCMYK << >>] 0 <ff>]', '/S cs 0 scn'), told('Gold'))
})

test('the registration colour is told within the art, not in printers’ marks beside it', () => {
  const all = spaces('/All [/Separation /All /DeviceCMYK << >>]')
  assert.deepEqual(of('registration_colour', painted('/All cs 1 scn', all)), [{ severity: 'error', page: 1 }])
  assert.equal(has('registration_colour', painted('/All cs 0 scn', all)), false)
  const marks = {
    media: [-30, -30, 300, 192],
    resources: all,
    content: '/All CS 1 SCN 9 -20 m 9 -10 l S',
  }
  assert.equal(has('registration_colour', inspectedPage(marks)), false)
})

test('inks add up to no more than the product takes', () => {
  const ink = (content: string, resources?: string, options?: Options) =>
    of('ink_coverage_high', painted(content, resources, options))
  const told = (found: string) => [{ severity: 'warning', page: 1, found, wanted: '300', unit: '%' }]
  assert.deepEqual(ink('1 1 0.6 0.4 k'), [])
  assert.deepEqual(ink('1 1 0.6 0.45 k'), told('305'))
  assert.deepEqual(
    ink('/S cs 1 1 1 0.3 scn', spaces('/S [/DeviceN [/Cyan /Magenta /Gold /Black] /DeviceCMYK << >>]')),
    told('330'),
  )
  assert.deepEqual(ink('/S cs 1 scn', spaces('/S [/Indexed /DeviceCMYK 1 <00000000ffffff80>]')), told('350.2'))
  assert.deepEqual(ink('1 1 1 1 k', '', { profile: { inkPercentMax: null } }), [])
  assert.deepEqual(ink('1 1 1 rg'), [])
})

test('white that overprints would vanish', () => {
  const white = (content: string, entries: string, resources = '') =>
    of('white_overprints', painted(`/S gs ${content}`, `${state(entries)} ${resources}`))
  const told = [{ severity: 'error', page: 1, subject: 'art' }]
  assert.deepEqual(white('0 0 0 0 k', '/op true /OPM 1'), told)
  assert.deepEqual(white('0 0 0 0 k', '/OP true /OPM 1'), told)
  assert.deepEqual(white('1 g', '/op true'), told)
  assert.deepEqual(white('/Sep cs 0 scn', '/op true', spaces('/Sep [/Separation /Gold /DeviceCMYK << >>]')), told)
  assert.deepEqual(white('0 0 0 0 k', '/op true /OPM 0'), [])
  assert.deepEqual(white('0 0 0 0 k', '/OP true /op false /OPM 1'), [])
  assert.deepEqual(white('0 0 0 0.1 k', '/op true /OPM 1'), [])
  assert.deepEqual(white('1 1 1 rg', '/op true /OPM 1'), [])
  assert.deepEqual(white('q Q 0 0 0 0 k q /T gs Q', '/op false /OPM 1', ''), [])
})

test('transparency of every kind is told once for a page', () => {
  const transparent = (entries: string) => of('transparency', painted('/S gs', state(entries)))
  const told = [{ severity: 'info', page: 1 }]
  for (const entries of ['/ca 0.5', '/BM /Multiply', '/BM [/Darken /Normal]', '/SMask << /S /Alpha >>'])
    assert.deepEqual(transparent(entries), told, entries)
  for (const entries of ['/ca 1', '/CA 0.5', '/BM /Normal', '/BM /Compatible', '/SMask /None'])
    assert.deepEqual(transparent(entries), [], entries)
  const masked = inspectedPage((file) => {
    const mask = file.stream('/Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray', 'x')
    const image = file.stream(
      `/Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /SMask ${mask}`,
      'x',
    )
    return { resources: `/XObject << /I ${image} >>`, content: 'q 9 0 0 9 50 50 cm /I Do Q' }
  })
  assert.deepEqual(of('transparency', masked), told)
})

test('RGB as blend space is told where something is blended', () => {
  const blended = (entries: string, group: string, options?: Options) =>
    of(
      'blend_space_rgb',
      inspectedPage(
        {
          content: '/S gs 50 50 20 20 re f',
          resources: state(entries),
          more: `/Group << /S /Transparency /CS ${group} >>`,
        },
        options,
      ),
    )
  assert.deepEqual(blended('/ca 0.5', '/DeviceRGB'), [{ severity: 'warning', page: 1 }])
  assert.deepEqual(blended('/ca 0.5', '/DeviceCMYK'), [])
  assert.deepEqual(blended('/ca 1', '/DeviceRGB'), [])
  assert.deepEqual(blended('/ca 0.5', '/DeviceRGB', { profile: { inkPercentMax: null } }), [
    { severity: 'info', page: 1 },
  ])
  const form = inspectedPage((file) => ({
    resources: `${state('/ca 0.5')} /XObject << /F ${file.stream('/Subtype /Form /BBox [0 0 99 99] /Group << /S /Transparency /CS /DeviceRGB >>', '0 0 9 9 re f')} >>`,
    content: '/S gs /F Do',
  }))
  assert.ok(has('blend_space_rgb', form))
})

test('lines are as wide as the product asks, on the page; lines of no width are told without a rule, too', () => {
  const lines = (content: string, options?: Options) =>
    of('hairline', inspectedPage({ content: `${content} 50 50 m 90 90 l S` }, options))
  const told = (found: string, wanted = '0.25') => [{ severity: 'warning', page: 1, found, wanted, unit: 'pt' }]
  assert.deepEqual(lines('0.25 w'), [])
  assert.deepEqual(lines('0.2 w'), told('0.2'))
  assert.deepEqual(lines('2 w 0.1 0 0 0.1 0 0 cm'), told('0.2'))
  assert.deepEqual(lines('1 w 1 0 0 0.2 0 0 cm'), told('0.2'))
  assert.deepEqual(lines('0.2 w', { profile: { linePointsMin: null } }), [])
  assert.deepEqual(lines('0 w', { profile: { linePointsMin: null } }), told('0', '0.125'))
})

test('what is saved is restored', () => {
  assert.equal(has('rgb_used', painted('q 1 0 0 rg Q')), false)
  assert.equal(has('hairline', inspectedPage({ content: 'q 0 w Q 50 50 m 90 90 l S' })), false)
})
