import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { processorTime } from '../../test/world/own-time.ts'
import {
  foldForUniqueness,
  isEmailForm,
  isMediaType,
  isName,
  isPlainFileName,
  isPrintableAscii,
  isUsername,
  urlSafeFileName,
} from './text.ts'

const anyText = fc.string({ unit: 'binary' })
/** Texts of the characters that matter to the forms, so that both accepted and refused ones are frequent. */
const textOf = (...units: string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 12 })

function assertEach(predicate: (text: string) => boolean, expected: boolean, texts: readonly string[]) {
  for (const text of texts) assert.equal(predicate(text), expected, JSON.stringify(text.slice(0, 80)))
}

test('SUB-30 SUB-46 printable ASCII is U+0020 to U+007E and not blank', () => {
  const every = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index))
  assertEach(isPrintableAscii, true, [...every.slice(1), every.join(''), 'PO-1', ' a', 'a ', ' a b '])
  assertEach(isPrintableAscii, false, ['', ' ', '    ', '\t', 'a\tb', 'a\n', '\na', '\u0000', '\u001f', 'a\u007f'])
  assertEach(isPrintableAscii, false, ['\u0080', 'a\u00a0', 'é', '–', '😀', '\ud800', '\u2028', 'Ａ'])
})

test('SUB-30 a text is printable ASCII exactly when all its characters are', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, textOf(' ', '~', '!', '\u007f', '\u001f', 'é')), (text) => {
      const every = [...text].every((character) => character >= ' ' && character <= '~')
      assert.equal(isPrintableAscii(text), every && text.trim() !== '')
    }),
  )
})

test('ERR-62 names that differ only in case, in normalisation or by what does not show fold to the same', () => {
  for (const [one, other] of [
    ['anna', ' anna\u00a0'],
    ['an\u200bna', 'anna'], // zero-width space
    ['straße', 'STRASSE'],
    ['\u1e9e', 'ss'],
    ['ı', 'i'],
    ['ａ', 'a'], // full width
    ['ﬁ', 'fi'], // ligature
    ['1', '¹'],
    ['NE', 'Ｎe\u2003'],
    ['Anna', 'aNNA'],
    ['ÅSA', 'åsa'],
    ['A\u030asa', '\u00c5SA'],
    ['\u212bsa', 'åsa'], // Ångström sign
    ['ÉMILE', 'e\u0301mile'],
    ['J\u030c', '\u01f0'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['Σ.Α', 'ς.α'],
    ['ИВАН', 'иван'],
    ['\u1e9e', 'ß'],
    ['\u212a', 'k'], // Kelvin sign
    ['ＡＢ', 'ａｂ'],
    ['\u{10400}', '\u{10428}'], // Deseret, beyond the basic plane
  ] as const) {
    assert.equal(foldForUniqueness(one), foldForUniqueness(other), `${one} and ${other}`)
  }
})

test('ERR-62 names that differ in more than case and normalisation stay distinct', () => {
  for (const [one, other] of [
    ['anna', 'hanna'],
    ['anna', 'an na'],
    ['a', 'å'],
    ['İ', 'I'],
    ['а', 'a'], // Cyrillic
  ] as const) {
    assert.notEqual(foldForUniqueness(one), foldForUniqueness(other), `${one} and ${other}`)
  }
})

test('ERR-62 folding is stable, and ignores lower-casing and canonical decomposition', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'aAjJßẞiIİıσςΣåÅ\u212b\u212akKǰﬁŉΐ\u030a\u030c\u0307\u0345\u0301 .'),
  })
  fc.assert(
    fc.property(fc.oneof(anyText, letters), (text) => {
      const folded = foldForUniqueness(text)
      assert.equal(foldForUniqueness(folded), folded)
      assert.equal(foldForUniqueness(text.normalize('NFC').toLowerCase()), folded)
      assert.equal(foldForUniqueness(text.normalize('NFD')), folded)
      assert.equal(foldForUniqueness(text.normalize('NFC')), folded)
    }),
    { numRuns: 2000 },
  )
})

test('ERR-62 every letter folds like its own upper case', () => {
  let letters = 0
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue
    const upper = String.fromCodePoint(codePoint)
    const lower = upper.toLowerCase()
    if (lower === upper) continue
    assert.equal(foldForUniqueness(upper), foldForUniqueness(lower), `U+${codePoint.toString(16)}`)
    letters++
  }
  assert.ok(letters > 1000)
})

test('a name is one line with something to see', () => {
  const isNameOfTen = (text: string) => isName(text, 10)
  assertEach(isNameOfTen, true, [
    'a',
    ' a ',
    '-',
    '0',
    '中',
    'é',
    'e\u0301',
    '😀'.repeat(10),
    'נתן',
    '👩\u200d🚀',
    '5"',
  ])
  assertEach(isNameOfTen, false, [
    '',
    ' ',
    '\u00a0\u2003',
    '\u0000',
    '\u0007\u001b',
    '\u200b',
    '\ufeff',
    '\u00ad\u2060',
  ])
  assertEach(isNameOfTen, false, ['\u3164', '\u2800', '\u115f', '\u0301', '\ufe0f', '\u{e0041}', '\u202e', '\ue000'])
  assertEach(isNameOfTen, false, ['a\nb', 'a\tb', 'a\u0085', 'a\u2028b', '\u2029a', 'a\u0000', 'x'.repeat(11)])
})

test('a username has no hidden characters and letters of one look-alike alphabet only', () => {
  assertEach(isUsername, true, [
    'dana',
    'José.Straße',
    'dana_01@x',
    'Δανάη',
    'Дана 2',
    'Դանա',
    '山田taro',
    'דנה',
    ' x ',
  ])
  assertEach(isUsername, false, ['', '  ', 'x'.repeat(101), 'dana\u200b', 'da\u00adna', '\ufeffdana', 'dana\u202e'])
  assertEach(isUsername, false, [
    'd\u0430na',
    'Dαna',
    'о\u0072',
    'αд',
    'dana\u0000',
    'da\nna',
    'da\ue000',
    '\u3164',
    'da\u034fna',
  ])
})

test('ART-09 a media type is type/subtype with any parameters', () => {
  assertEach(
    isMediaType,
    true,
    [
      ['application/pdf', 'image/png', 'IMAGE/PNG', 'image/svg+xml', 'application/vnd.ms-excel', 'x/y', 'a.b-c/d_e+f'],
      ["!#$%&'*+-.^_`|~/1", 'image/x*', 'application/postscript;version=3', 'text/plain;charset=utf-8'],
      ['text/plain; charset=utf-8', 'text/plain ;\tcharset=utf-8', 'text/plain; charset="utf-8"', 'text/plain;a=b;c=d'],
      ['a/b;c=""', 'a/b;c="d e;f=g"', 'a/b;c="\\"quoted\\" \\\\"', 'a/b;', 'a/b;;', 'a/b; ;c=d', 'a/b;c=d;'],
    ].flat(),
  )
  assertEach(
    isMediaType,
    false,
    [
      ['', ' ', '/', 'pdf', 'application', 'application/', '/pdf', 'a/b/c', 'a//b', 'a /b', 'a/ b', ' a/b', 'a/b '],
      [
        'a/b\n',
        'a/b\r\nX-Other: 1',
        'a/b,c/d',
        'a/b c',
        'a/b;c',
        'a/b;c=',
        'a/b;=d',
        'a/b;c =d',
        'a/b;c= d',
        'a/b;c=d e',
      ],
      [
        'a/b;c="',
        'a/b;c="d',
        'a/b;c="d"e',
        'a/b;c="\\"',
        'a/b; ',
        'a/b;c=d ',
        'a/b;c="\n"',
        'a/b;c="\u0000"',
        'a/b;c="é"',
      ],
      ['é/b', 'a/é', 'a(b)/c', 'a@b/c', 'a:b/c', 'a/b?c', 'a/[b]', 'a/{b}', 'a/"b"', 'a\\b', 'a/b\u0000', 'a/b\u00a0'],
    ].flat(),
  )
})

test('ART-09 a range of media types is not a media type', () => {
  assertEach(isMediaType, false, ['*/*', 'image/*', '*/png', 'image/*;q=0.5', 'image/* ;q=0.5', '*/*;a=b'])
})

/** RFC 9110 §8.3.1, read character by character, as a second opinion. */
function isMediaTypeByGrammar(text: string): boolean {
  let at = 0
  const run = (accepts: RegExp) => {
    const start = at
    while (at < text.length && accepts.test(text[at]!)) at++
    return text.slice(start, at)
  }
  const token = () => run(/[!#$%&'*+.^_`|~0-9A-Za-z-]/)
  const [type, slash, subtype] = [token(), text[at++], token()]
  if (type === '' || slash !== '/' || subtype === '' || type === '*' || subtype === '*') return false
  while (at < text.length) {
    run(/[ \t]/)
    if (text[at++] !== ';') return false
    const resume = at
    run(/[ \t]/)
    if (token() === '') {
      at = resume
      continue
    }
    if (text[at++] !== '=') return false
    if (text[at] === '"') {
      at++
      while (at < text.length && text[at] !== '"') {
        if (text[at] === '\\') at++
        if (!/[\t -~]/.test(text[at] ?? '')) return false
        at++
      }
      if (text[at++] !== '"') return false
    } else if (token() === '') return false
  }
  return true
}

test('ART-09 any text is a media type exactly when the grammar says so', () => {
  const tail = textOf(';', ' ', '\t', 'a', '=', '"', '\\', '*', '/', 'é')
  fc.assert(
    fc.property(fc.constantFrom('', 'a/b', 'a/b;c=', 'a/b; c="', '*/b'), tail, (head, rest) => {
      assert.equal(isMediaType(head + rest), isMediaTypeByGrammar(head + rest))
    }),
    { numRuns: 5000 },
  )
})

test('ART-08 a plain file name is any name without a folder', () => {
  assertEach(
    isPlainFileName,
    true,
    [
      ['card.pdf', 'a', '...', '.hidden', 'no extension', 'front & back (2).PDF', '100%.pdf', 'a:b', 'a*b?.pdf', '~'],
      ['naïve.pdf', '写真.jpg', '😀.png', 'A\u030a.ai', ' a', '"quoted".pdf', '<script>.svg'],
    ].flat(),
  )
  assertEach(
    isPlainFileName,
    false,
    [
      ['', ' ', '\u00a0', '.', '..', '/', 'a/b', '/a', 'a/', '../a', '..\\a', 'a\\b', 'C:\\a', '\\'],
      ['a\u0000', '\u0001a', 'a\nb', 'a\rb', 'a\tb', 'a\u001f', 'a\u007f', 'a\u0080b', 'a\u0085', 'a\u009f'],
      ['\ud800', 'a\udc00.pdf', '\udc00\ud800'],
    ].flat(),
  )
})

test('ART-08 LIM-27 a plain file name has at most 255 characters, counted as people count them', () => {
  assertEach(isPlainFileName, true, ['a'.repeat(255), '😀'.repeat(255), `${'a'.repeat(251)}.pdf`])
  assertEach(isPlainFileName, false, ['a'.repeat(256), '😀'.repeat(256), `${'a'.repeat(252)}.pdf`, 'a'.repeat(200_000)])
})

test('ART-08 a file name has no control character and no slash', () => {
  for (let codePoint = 0; codePoint <= 0x2100; codePoint++) {
    const isBad =
      codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0) || codePoint === 0x2f || codePoint === 0x5c
    assert.equal(isPlainFileName(`a${String.fromCodePoint(codePoint)}b`), !isBad, `U+${codePoint.toString(16)}`)
  }
})

test('ART-17 a stored name is readable and URL-safe, and keeps the extension', () => {
  for (const [text, stored] of [
    ['card.pdf', 'card.pdf'],
    ['Card_2-final.PDF', 'Card_2-final.PDF'],
    ['front & back (2).pdf', 'front-back-2.pdf'],
    ['naïve Å.jpeg', 'naive-A.jpeg'],
    ['写真.jpg', 'file.jpg'],
    ['写真', 'file'],
    ['😀', 'file'],
    ['\ud800.pdf', 'file.pdf'],
    ['', 'file'],
    ['.', 'file'],
    ['..', 'file'],
    ['---', 'file'],
    ['.pdf', 'file.pdf'],
    ['.hidden', 'file.hidden'],
    ['name.', 'name'],
    ['name. pdf', 'name.pdf'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['a..b...pdf', 'a.b.pdf'],
    ['../../etc/passwd', 'file.etc-passwd'],
    ['a.写', 'a'],
    ['100%25.pdf', '100-25.pdf'],
    ['a?b#c&d=e+f.pdf', 'a-b-c-d-e-f.pdf'],
    ['<script>alert(1)</script>.svg', 'script-alert-1-script.svg'],
    ['ﬁne ①.pdf', 'fine-1.pdf'],
    ['Straße.pdf', 'Stra-e.pdf'],
  ] as const) {
    assert.equal(urlSafeFileName(text), stored, JSON.stringify(text))
  }
})

test('ART-17 a long stored name is cut before its extension', () => {
  assert.equal(urlSafeFileName(`${'a'.repeat(300)}.pdf`), `${'a'.repeat(116)}.pdf`)
  assert.equal(urlSafeFileName(`${'a'.repeat(115)}-${'b'.repeat(9)}.pdf`), `${'a'.repeat(115)}.pdf`)
  assert.equal(urlSafeFileName('a'.repeat(300)), 'a'.repeat(120))
  assert.equal(urlSafeFileName(`a.${'x'.repeat(16)}`), `a.${'x'.repeat(16)}`)
  assert.equal(urlSafeFileName(`a.${'x'.repeat(300)}`), `a.${'x'.repeat(118)}`)
})

test('ART-17 any text gives a stored name of the specified form, and a stored name stays the same', () => {
  const names = fc.string({
    unit: fc.constantFrom('a', 'B', '9', '.', '-', '_', ' ', '/', 'é', '写', '😀'),
    maxLength: 200,
  })
  fc.assert(
    fc.property(fc.oneof(anyText, names), (text) => {
      const stored = urlSafeFileName(text)
      assert.match(stored, /^[A-Za-z0-9_][A-Za-z0-9._-]*$/)
      assert.doesNotMatch(stored, /\.\.|[.-]$/)
      assert.ok(stored.length <= 120)
      assert.ok(isPlainFileName(stored))
      assert.equal(encodeURIComponent(stored), stored)
      assert.equal(urlSafeFileName(stored), stored)
    }),
    { numRuns: 1000 },
  )
})

test('an e-mail address in an ordinary form is accepted', () => {
  assertEach(
    isEmailForm,
    true,
    [
      ['anna@example.com', 'A.B@Example.CO.UK', 'a+tag@example.com', "o'neil@example.ie", 'a_b-c@sub.example.com'],
      [
        "!#$%&'*+/=?^_`{|}~-@example.com",
        '1@2.com',
        'a@1and1.com',
        'a@x.io',
        'a@xn--bcher-kva.example',
        'a@b.xn--p1ai',
      ],
      [`${'a'.repeat(64)}@example.com`, `a@${'b'.repeat(63)}.com`, `a@${'b.'.repeat(100)}com`],
    ].flat(),
  )
})

test('an e-mail address of an undeliverable form is refused', () => {
  assertEach(
    isEmailForm,
    false,
    [
      [
        '',
        ' ',
        '@',
        'a',
        'a@',
        '@example.com',
        'a@@example.com',
        'a@example.com@',
        'a@example.com@b',
        'a@b@example.com',
        'a@b',
        'a@localhost',
        'a example.com',
      ],
      ['.a@example.com', 'a.@example.com', 'a..b@example.com', 'a b@example.com', 'a@example com', ' a@example.com'],
      [
        'a@example.com ',
        'a@example.com\n',
        'a\n@example.com',
        'a@example.com\r\nBcc: b@example.com',
        'a\u0000@example.com',
      ],
      [
        '"a b"@example.com',
        '"a"@example.com',
        'a(comment)@example.com',
        'a@(comment)example.com',
        'Anna <a@example.com>',
      ],
      ['a@[127.0.0.1]', 'a@127.0.0.1', 'a@example.123', 'a@.com', 'a@example.', 'a@example..com', 'a@-example.com'],
      [
        'a@example-.com',
        'a@example.-com',
        'a@example.com-',
        'a@exa_mple.com',
        'a@example.c',
        'a,b@example.com',
        'a;b@x.com',
      ],
      [
        'é@example.com',
        'a@éxample.com',
        'a@example.рф',
        'a@example.com\u00a0',
        'a\\b@example.com',
        'mailto:a@example.com',
      ],
    ].flat(),
  )
})

const addressOfLength = (length: number) => `${'a'.repeat(64)}@${'b.'.repeat(100).slice(0, length - 68)}com`

test('an e-mail address has at most 64 characters before the @, 63 in a label and 254 in all', () => {
  assertEach(isEmailForm, false, [`${'a'.repeat(65)}@example.com`, `a@${'b'.repeat(64)}.com`, `a@b.${'c'.repeat(64)}`])
  assert.equal(addressOfLength(254).length, 254)
  assertEach(isEmailForm, true, [addressOfLength(254)])
  assertEach(isEmailForm, false, [addressOfLength(255), addressOfLength(256)])
})

test('any common e-mail address is accepted', () => {
  fc.assert(fc.property(fc.emailAddress(), (address) => assert.ok(isEmailForm(address), address)))
})

test('every check takes linear time on a hostile text', () => {
  const pieces = [' ', 'a', ';', '; ', ';a=b', '\t;', '"', '\\', '.', '-', '.-', 'a.', '@', 'a@', '*', '\u0301', ';a="']
  for (const piece of pieces) {
    for (const head of ['', 'a/b', 'a/b;c="', 'a@', 'a@b.']) {
      const text = `${head}${piece.repeat(100_000 / piece.length)}\n`
      const taken = processorTime(() => {
        isPrintableAscii(text)
        isMediaType(text)
        isPlainFileName(text)
        isEmailForm(text)
        urlSafeFileName(text)
        foldForUniqueness(text)
      })
      // All six together take a few milliseconds; a single one in quadratic time takes several seconds.
      assert.ok(taken < 1_000, JSON.stringify(text.slice(0, 20)))
    }
  }
})
