import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { cardRules, noRules } from '../../../test/artwork/profiles.ts'
import { seen, type Seen } from '../../../test/artwork/seen-pictures.ts'
import { inspectSvg } from './inspect-svg.ts'
import { svgBounds } from './parse-svg.ts'

const [red, green, blue] = ['255 0 0', '0 128 0', '0 0 255'] as const

const inspect = (document: string | Uint8Array, rules = cardRules): Promise<Seen> =>
  seen(inspectSvg(Buffer.from(document), rules))

/** A card with its bleed, a millimetre of a point a unit: green all over. */
const card = (inside: string, before = ''): string =>
  `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="270pt" height="162pt" ` +
  `viewBox="0 0 270 162"><rect width="270" height="162" fill="green"/>${inside}</svg>`

const codes = ({ findings }: Seen): string[] =>
  findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, subject }) => (subject ? `${code} ${subject}` : code))

test('a drawing in the shape of the product is shown as a page with its bleed', async () => {
  const shown = await inspect(card('<rect x="135" width="135" height="162" fill="#f00"/>'))
  assert.deepEqual(codes(shown), [])
  const large = await shown.picture(1, 'large')
  assert.deepEqual([large.width, large.height, large.at(0.2, 0.5), large.at(0.8, 0.5)], [1600, 960, green, red])
  assert.deepEqual((await shown.picture(1, 'finished')).width, 1200)
})

test('a drawing keeps its proportions, whatever the units of its size', async () => {
  const rect = '<rect width="10" height="10"/>'
  for (const [size, wanted] of [
    ['width="270" height="162" viewBox="5 5 27 16.2"', []],
    ['viewBox="0 0 1000 600"', []],
    ['width="95.25mm" height="57.15mm"', []],
    ['width="95.25mm" viewBox="0 0 500 300"', []],
    ['width="100%" height="100%" viewBox="0 0 252 144"', ['bleed_missing']],
    ['width="3in" height="3in"', ['shape_differs']],
  ] as const) {
    const shown = await inspect(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${rect}</svg>`)
    assert.deepEqual(
      codes(shown).filter((code) => /^(shape|bleed_missing)/.test(code)),
      wanted,
      size,
    )
  }
})

test('nothing outside the document is read: no file, no address', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svg-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const marker = join(folder, 'marker.png')
  writeFileSync(
    marker,
    await sharp({ create: { width: 10, height: 10, channels: 3, background: '#f00' } })
      .png()
      .toBuffer(),
  )
  writeFileSync(
    join(folder, 'marker.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg"><rect id="r" width="270" height="162" fill="red"/></svg>',
  )
  let asked = 0
  const server = createServer((_, response) => {
    asked++
    response.end()
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((listening) => server.once('listening', listening))
  const web = `http://127.0.0.1:${(server.address() as AddressInfo).port}/marker`
  const place = 'width="270" height="162"'
  const file = pathToFileURL(marker).href
  const outside = pathToFileURL(join(folder, 'marker.svg')).href

  for (const inside of [
    `<image href="${file}" ${place}/>`,
    `<image xlink:href="${marker}" ${place}/>`,
    `<image xmlns:x="http://www.w3.org/1999/xlink" x:href="${web}.png" ${place}/>`,
    `<use href="${outside}#r"/>`,
    `<rect ${place} fill="url(${outside}#r)"/>`,
    `<rect ${place} style="fill:u\\72l('${web}#p')"/>`,
    `<style>@import "${web}.css";</style>`,
    `<style>@font-face { font-family: x; src: url(${web}.woff) }</style>`,
    `<style>rect { filter: url(/* # */"${web}#f") }</style>`,
    `<filter id="f"><feImage href="${file}"/></filter><rect ${place} fill="none" filter="url(#f)"/>`,
  ]) {
    const shown = await inspect(card(inside))
    assert.match(codes(shown).join(), /^external_reference (file|http|\/)/, inside)
    assert.equal((await shown.picture(1, 'large')).at(0.5, 0.5), green, inside)
  }
  const sheet = await inspect(card('', `<?xml-stylesheet href="${web}.css"?>`))
  assert.deepEqual(codes(sheet), [`external_reference ${web}.css`])
  assert.equal(asked, 0)
})

test('parts of the document and pictures inside it are drawn', async () => {
  const picture = await sharp({ create: { width: 1200, height: 700, channels: 3, background: '#00f' } })
    .png()
    .toBuffer()
  const shown = await inspect(
    card(
      '<defs><rect id="r" width="90" height="162"/><linearGradient id="g"><stop stop-color="#f00"/></linearGradient></defs>' +
        '<use xlink:href="#r" fill="url(#g)"/>' +
        `<image x="180" width="90" height="162" preserveAspectRatio="none" href="data:image/png;base64,${picture.toString('base64')}"/>`,
    ),
  )
  assert.deepEqual(codes(shown), [])
  const large = await shown.picture(1, 'large')
  assert.deepEqual([large.at(0.1, 0.5), large.at(0.5, 0.5)], [red, green])
  assert.match(large.at(0.9, 0.5), /^0 0 25[45]$/)
})

test('pictures inside with too few pixels for their size, or broken ones, are told', async () => {
  const inside = async (width: number): Promise<string> => {
    const picture = await sharp({ create: { width, height: width, channels: 3, background: '#00f' } })
      .jpeg()
      .toBuffer()
    return `<g transform="scale(2)"><image width="36" height="36" href="data:image/jpeg;base64,${picture.toString('base64')}"/></g>`
  }
  const { findings } = await inspect(card(await inside(100)))
  const low = findings.find(({ code }) => code === 'image_resolution_low')
  assert.deepEqual([low?.severity, low?.found, low?.wanted], ['error', '100', '150'])
  assert.deepEqual(codes(await inspect(card(await inside(300)))), [])
  assert.deepEqual(codes(await inspect(card('<image width="9" height="9" href="data:image/png;base64,AAAA"/>'))), [
    'image_broken',
  ])
})

test('active content is told, and not in what is drawn', async () => {
  for (const inside of [
    '<script>alert(1)</script>',
    '<rect width="1" height="1" onload="alert(1)"/>',
    '<a href="javascript:alert(1)"><rect width="1" height="1"/></a>',
    '<foreignObject width="9" height="9"><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>',
  ]) {
    const shown = await inspect(card(inside))
    assert.match(codes(shown).join(), /^active_content (scripts|foreign objects)$/, inside)
  }
  const link = await inspect(card('<a href="https://example.com/"><rect width="270" height="162" fill="#00f"/></a>'))
  assert.deepEqual([codes(link), (await link.picture(1, 'large')).at(0.5, 0.5)], [[], blue], 'a link draws nothing')
})

test('live text is told, and no font of this machine is used for it', async () => {
  const letters = await inspect(card('<text x="10" y="100" font-size="90" font-family="Arial">III</text>'))
  const others = await inspect(card('<text x="10" y="100" font-size="90" font-family="Courier">III</text>'))
  assert.deepEqual(codes(letters), ['text_not_outlined'])
  assert.deepEqual(
    letters.pictures.map(({ png }) => png.toString('base64')),
    others.pictures.map(({ png }) => png.toString('base64')),
  )
  assert.deepEqual(codes(await inspect(card('<text> </text>'))), [])
})

test('text that nothing draws is no live text, but where it is used', async () => {
  const text = '<text id="t" x="10" y="100">III</text>'
  const pattern = `<pattern id="p" width="9" height="9">${text}</pattern>`
  for (const [inside, told] of [
    [`<defs>${text}</defs>`, []],
    [`<symbol id="s">${text}</symbol>`, []],
    [`<defs>${pattern}</defs>`, []],
    [`<defs><g>${text}</g></defs><use href="#t"/>`, ['text_not_outlined']],
    [
      `<symbol id="s">${text}</symbol><defs><use id="u" xlink:href="#s"/></defs><use href="#u"/>`,
      ['text_not_outlined'],
    ],
    [`<defs>${pattern}</defs><rect width="9" height="9" style="fill: url('#p')"/>`, ['text_not_outlined']],
    ['<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>', []],
  ] as const)
    assert.deepEqual(codes(await inspect(card(inside))), told, inside)
})

test('what is found stands on the page', async () => {
  const [low, line] = [
    '<image width="99" height="99" href="data:image/png;base64,AAAA"/>',
    'stroke="#000" stroke-width="0.1"',
  ]
  const { findings } = await inspect(
    card(`${low}<path d="M20 20h90" ${line}/><text>x</text><use href="https://example.com/a.svg#r"/><script/>`),
  )
  const codesAt = (page: number | null): string[] =>
    findings
      .filter((each) => each.page === page && String(each.box) === String(page && [0, 0, 270, 162]))
      .map(({ code }) => code)
      .toSorted()
  assert.deepEqual(codesAt(1), ['external_reference', 'hairline', 'image_broken', 'text_not_outlined'])
  assert.ok(codesAt(null).includes('active_content'))
})

test('lines too thin for the product are told as they come out, by attribute, style and class', async () => {
  const line = (more: string, around = '<g>'): string =>
    card(`${around}<path d="M20 20h90" stroke="#000" ${more}/></g>`)
  for (const [document, found] of [
    [line('stroke-width="0.1"'), '0.1'],
    [line('style="stroke-width: .1px"'), '0.1'],
    [line('class="thin"', '<g><style>.fat,.thin { stroke-width: 0.2 }</style>'), '0.2'],
    [line('', '<g stroke-width="2" transform="scale(0.1)">'), '0.2'],
    [line('stroke-width="2"'), undefined],
    [line('stroke-width="0.1" display="none"'), undefined],
    [card('<path d="M20 20h90" stroke-width="0.1"/>'), undefined],
  ] as const) {
    const { findings } = await inspect(document)
    assert.equal(findings.find(({ code }) => code === 'hairline')?.found, found, document)
  }
})

test('transparency is mentioned', async () => {
  for (const inside of ['<g opacity=".5"/>', '<g style="mix-blend-mode:multiply"/>', '<g fill-opacity="50%"/>']) {
    const { findings } = await inspect(card(inside))
    assert.ok(
      findings.some(({ code }) => code === 'transparency'),
      inside,
    )
  }
  const { findings } = await inspect(card('<g opacity="1" filter="none"/>'))
  assert.ok(!findings.some(({ code }) => code === 'transparency'))
})

test('entities are not expanded, but for the addresses of namespaces that Illustrator declares', async () => {
  const illustrator =
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [' +
    '<!ENTITY ns_svg "http://www.w3.org/2000/svg"> <!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">]>' +
    '<svg xmlns="&ns_svg;" xmlns:i="&ns_ai;" width="270pt" height="162pt"><switch>' +
    '<foreignObject requiredExtensions="&ns_ai;"><i:pgf/></foreignObject>' +
    '<g><rect width="360" height="216" fill="#f00"/></g></switch></svg>'
  const shown = await inspect(illustrator)
  assert.deepEqual([codes(shown), (await shown.picture(1, 'large')).at(0.5, 0.5)], [[], red])

  for (const doctype of [
    '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>',
    '<!DOCTYPE svg [<!ENTITY b SYSTEM "file:///etc/hostname">]>',
    '<!DOCTYPE svg [<!ENTITY b "https://&a;">]>',
    '',
  ])
    assert.deepEqual(codes(await inspect(card('<text>&b;</text>', doctype))), ['not_readable'], doctype)
})

test('what is no SVG is not readable, and what is too much is told', async () => {
  const svg = (inside: string): string => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`
  for (const document of ['', 'no', '<html/>', '<svg><g></svg>', Buffer.from([0xff, 0xff, 0x3c])])
    assert.deepEqual(codes(await inspect(document)), ['not_readable'])
  for (const document of [
    svg('<g>'.repeat(svgBounds.depth) + '</g>'.repeat(svgBounds.depth)),
    svg('<g/>'.repeat(svgBounds.elements)),
    Buffer.alloc(svgBounds.bytes + 1, 0x20),
  ])
    assert.deepEqual(codes(await inspect(document)), ['too_complex'])
})

test('a drawing is read in the encoding that it says', async () => {
  const twoBytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(card(''), 'utf16le')])
  assert.deepEqual(codes(await inspect(twoBytes)), [])
  const latin = Buffer.from(card('<title>é</title>', '<?xml version="1.0" encoding="iso-8859-1"?>'), 'latin1')
  assert.deepEqual(codes(await inspect(latin)), [])
})

test('rules that a product does not have are not applied', async () => {
  const shown = await inspect(card('<path d="M20 20h90" stroke="#000" stroke-width="0.01"/>'), noRules)
  assert.deepEqual(codes(shown), [])
})
