import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { layOut } from './lay-out.ts'

/** By font: a text in its script. */
const samples: Readonly<Record<string, string>> = {
  NotoSans: 'Καλημέρα, Привет, Chào',
  NotoSansArabic: 'بطاقات عمل',
  NotoSansHebrew: 'כרטיסי ביקור',
  NotoSansDevanagari: 'विज़िटिंग कार्ड',
  NotoSansBengali: 'ভিজিটিং কার্ড',
  NotoSansTamil: 'வணிக அட்டை',
  NotoSansThai: 'นามบัตร',
  NotoSansGeorgian: 'სავიზიტო ბარათი',
  NotoSansArmenian: 'Այցեքարտ',
  NotoSansGujarati: 'વિઝિટિંગ કાર્ડ',
  NotoSansGurmukhi: 'ਵਿਜ਼ਿਟਿੰਗ ਕਾਰਡ',
  NotoSansTelugu: 'వ్యాపార కార్డు',
  NotoSansKannada: 'ವ್ಯಾಪಾರ ಕಾರ್ಡ್',
  NotoSansMalayalam: 'ബിസിനസ് കാർഡ്',
  NotoSansOriya: 'ବ୍ୟବସାୟ କାର୍ଡ',
  NotoSansSinhala: 'ව්‍යාපාරික කාඩ්පත',
  NotoSansKhmer: 'នាមប័ណ្ណ',
  NotoSansLao: 'ນາມບັດ',
  NotoSansMyanmar: 'လုပ်ငန်းကတ်',
  NotoSansEthiopic: 'የንግድ ካርድ',
  NotoSerifTibetan: 'མིང་བྱང་།',
  NotoSansJavanese: 'ꦏꦂꦠꦸꦤꦩ',
  NotoSansBalinese: 'ᬓᬃᬢᬸᬦᬫ',
  NotoSansMongolian: 'ᠨᠡᠷ᠎ᠡ ᠶᠢᠨ ᠬᠠᠭᠤᠳᠠᠰᠤ',
  NotoSansCherokee: 'ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ',
  NotoSansThaana: 'ދިވެހި ކާޑު',
  NotoSansSyriac: 'ܫܠܡܐ ܥܠܝܟܘܢ',
  NotoSansNKo: 'ߒߞߏ ߛߓߍ',
  NotoSansAdlam: '𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤𞤢𞤪',
  NotoSansTifinagh: 'ⵜⴰⴽⴰⵔⴹⴰ',
  NotoSansCanadianAboriginal: 'ᐃᓄᒃᑎᑐᑦ ᑎᑎᕋᖅ',
  NotoSansOlChiki: 'ᱥᱟᱱᱛᱟᱲᱤ',
  NotoSansMeeteiMayek: 'ꯃꯤꯇꯩ ꯂꯣꯟ',
  NotoSansYi: 'ꆈꌠꁱꂷ',
  NotoSansJP: '名刺の印刷',
  NotoSansSC: '设计名片',
  'NotoSansSC-More': '龥',
  NotoSansTC: '設計有限公司',
  NotoSansKR: '명함 인쇄',
  NotoEmoji: '🎉👩‍👩‍👧',
}

test('every shipped font has the text of its script', () => {
  for (const [name, sample] of Object.entries(samples)) {
    const laid = layOut(sample, { size: 10 })
    assert.deepEqual(laid.missing, [], name)
    const [line, ...others] = laid.lines
    assert.deepEqual(others, [])
    const expected = name.includes('-') ? name : `${name}-Regular`
    for (const { font, glyphs } of line!.runs) {
      assert.equal(font?.name, expected)
      assert.ok(
        glyphs.every(({ id }) => id > 0),
        `${name} has a glyph for each character`,
      )
    }
  }
})

test('every shipped font has a sample here and its licence beside it', () => {
  const files = readdirSync(new URL('../fonts/', import.meta.url))
  const fonts = files
    .filter((file) => file.endsWith('.ttf.br'))
    .map((file) => file.replace(/(-Regular)?\.ttf\.br$/, ''))
  assert.deepEqual(fonts.filter((font) => font !== 'NotoSans-Bold').toSorted(), Object.keys(samples).toSorted())
  for (const font of fonts) assert.ok(files.includes(`${font.split('-')[0]}.OFL.txt`), font)
})
