import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { iso31661 } from 'iso-3166/1.js'
import { iso31662 } from 'iso-3166/2.js'
import {
  countryByCode,
  hasSubdivisions,
  postalCodeMatches,
  postalCodeRule,
  stateCodeRule,
  subdivision,
} from './regions.ts'

test('SUB-38 ERR-64 a country is known by its ISO 3166-1 alpha-2 code in upper case', () => {
  assert.deepEqual(countryByCode('US'), { code: 'US', name: 'United States of America' })
  assert.deepEqual(countryByCode('SE'), { code: 'SE', name: 'Sweden' })
  assert.deepEqual(countryByCode('AX'), { code: 'AX', name: 'Åland Islands' })
  assert.equal(iso31661.length, 249)
  for (const { alpha2, name } of iso31661) assert.deepEqual(countryByCode(alpha2), { code: alpha2, name })
})

test('ERR-64 any other code is not a country', () => {
  for (const code of [
    ['', 'us', 'Us', 'uS', 'USA', '840', 'U', ' US', 'US ', 'U S', 'US-CA', 'United States', '\u0000\u0000'],
    ['UK', 'EU', 'XK', 'SU', 'AN', 'IC', 'ZZ', 'XX', 'AA', 'ＵＳ', '__proto__', 'constructor'],
  ].flat()) {
    assert.equal(countryByCode(code), undefined, code)
  }
})

test('SQ-08 the states, the district and the territories of the United States resolve', () => {
  const codes =
    'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA ' +
    'RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR UM VI'
  for (const code of codes.split(' ')) assert.equal(subdivision('US', code)?.code, code)
  assert.deepEqual(subdivision('US', 'CA'), { code: 'CA', name: 'California' })
  assert.deepEqual(subdivision('US', 'DC'), { code: 'DC', name: 'District of Columbia' })
})

test('SQ-08 the provinces of Canada, the states of Australia, and the nations and counties of the United Kingdom resolve', () => {
  for (const [country, codes] of [
    ['CA', 'AB BC MB NB NL NS NT NU ON PE QC SK YT'],
    ['AU', 'ACT NSW NT QLD SA TAS VIC WA'],
    ['GB', 'ENG SCT WLS NIR KEN BFS LND MAN EDH CRF'],
    ['DE', 'BY BE NW'],
    ['MX', 'CMX JAL'],
    ['JP', '13 27'],
    ['FR', 'IDF 75C 2A'],
    ['SG', '01'],
  ] as const) {
    for (const code of codes.split(' ')) assert.equal(subdivision(country, code)?.code, code, `${country}-${code}`)
  }
  assert.deepEqual(subdivision('CA', 'ON'), { code: 'ON', name: 'Ontario' })
  assert.deepEqual(subdivision('GB', 'BFS'), {
    code: 'BFS',
    name: iso31662.find(({ code }) => code === 'GB-BFS')?.name,
  })
})

test('SQ-08 every subdivision on the list resolves within its country', () => {
  assert.ok(iso31662.length > 5000)
  for (const { code, name } of iso31662) {
    const [country, state] = [code.slice(0, 2), code.slice(3)]
    assert.deepEqual(subdivision(country, state), { code: state, name })
    assert.ok(hasSubdivisions(country))
    assert.ok(countryByCode(country))
  }
})

test('ERR-65 a state code of another country, in another case or another form is not resolved', () => {
  for (const [country, state] of [
    ['US', 'ON'],
    ['CA', 'CA'],
    ['US', 'ca'],
    ['us', 'CA'],
    ['US', 'US-CA'],
    ['US', 'California'],
    ['US', ''],
    ['US', 'CA '],
    ['US', 'ZZ'],
    ['U', 'S-CA'],
    ['', 'US-CA'],
    ['US-CA', ''],
    ['GB', 'GB'],
    ['HK', 'HK'],
    ['__proto__', 'CA'],
  ] as const) {
    assert.equal(subdivision(country, state), undefined, `${country} ${state}`)
  }
})

test('SQ-08 the countries that ISO 3166-2 does not divide have no subdivisions', () => {
  for (const country of ['US', 'CA', 'GB', 'AU', 'SG', 'LU', 'MT', 'LI']) assert.equal(hasSubdivisions(country), true)
  const undivided = iso31661.map(({ alpha2 }) => alpha2).filter((country) => !hasSubdivisions(country))
  for (const country of ['HK', 'MO', 'PR', 'GU', 'GI', 'KY', 'AW', 'VA'])
    assert.ok(undivided.includes(country), country)
  for (const country of undivided) assert.ok(!iso31662.some(({ code }) => code.startsWith(`${country}-`)))
  assert.equal(hasSubdivisions('ZZ'), false)
  assert.equal(hasSubdivisions('us'), false)
})

/** Real codes in common spellings, and near misses, for the countries that most goods go to. */
const postalCodes: readonly (readonly [country: string, good: readonly string[], bad: readonly string[]])[] = [
  [
    'US',
    ['90210', '00501', '90210-1234', '902101234', '90210 1234'],
    [
      '9021',
      '902101',
      '90210-',
      '90210-123',
      '90210-12345',
      '902-10',
      '9-0-2-1-0',
      'ABCDE',
      '9021O',
      '٩٠٢١٠',
      '９０２１０',
    ],
  ],
  ['PR', ['00901', '00901-1234'], ['901', 'PR 00901']],
  ['AS', ['96799', '96799-1234'], ['9679']],
  [
    'CA',
    ['K1A 0B1', 'K1A0B1', 'k1a 0b1', 'K1A-0B1', 'V6B 4Y8'],
    [
      'K1A',
      'K1A 0B',
      'K1A  0B1',
      'K1A0B12',
      'KIA 0B1',
      'D1A 0B1',
      'W1A 0B1',
      'K1O 0B1',
      'K-1A0B1',
      'K1A\t0B1',
      'K1A\n0B1',
      '90210',
    ],
  ],
  [
    'GB',
    [
      'SW1A 1AA',
      'SW1A1AA',
      'sw1a 1aa',
      'M1 1AE',
      'B33 8TH',
      'CR2 6XH',
      'DN55 1PT',
      'W1A 0AX',
      'EC1A 1BB',
      'BF1 3AA',
      'BT1 5GS',
      'GIR 0AA',
    ],
    [
      'SW1A',
      '1AA',
      'SW1A 1A',
      'SW1A 1AAA',
      'SW1A-1AA',
      'S W1A1AA',
      'SW1A  1AA',
      'SW1A 1CA',
      '90210',
      'SW1A 1AA SW1A 1AA',
      'XGIR 0AA',
    ],
  ],
  ['IE', ['D02 AF30', 'D02AF30', 'A65 F4E2', 'D6W 1234'], ['D02', 'D02 AF3', 'Dublin 2']],
  ['DE', ['10115', '01067'], ['1011', '101155', 'D-10115', '1011A']],
  ['FR', ['75001', '20000'], ['7500', '750011', 'F-75001']],
  ['IT', ['00118'], ['118', '0011A']],
  ['ES', ['28001'], ['2800', '280011']],
  ['PT', ['1000-001'], ['1000', '1000-01', '1000-0011']],
  ['NL', ['1012 AB', '1012AB', '1012ab'], ['1012', '0012 AB', '1012 SS', '1012 ABC']],
  ['BE', ['1000'], ['100', '10000']],
  ['LU', ['1111', 'L-1111'], ['111', 'X-1111']],
  ['CH', ['8001'], ['801', '80011']],
  ['AT', ['1010'], ['101', '10100']],
  ['SE', ['111 22', '11122'], ['1112', '111 222']],
  ['NO', ['0150'], ['150', '01500']],
  ['DK', ['1050', 'DK-1050'], ['105', 'SE-1050']],
  ['FI', ['00100'], ['0010', '001000']],
  ['IS', ['101'], ['10', '1010']],
  ['PL', ['00-001'], ['00001', '00-01', '000-01']],
  ['CZ', ['110 00', '11000'], ['1100', '110 000']],
  ['SK', ['811 01'], ['8110']],
  ['HU', ['1011'], ['101']],
  ['RO', ['010011'], ['01001']],
  ['GR', ['104 31', '10431'], ['1043']],
  ['LV', ['LV-1010', '1010'], ['LV-101', 'LT-1010']],
  ['LT', ['LT-01100', '01100'], ['LT-0110']],
  ['TR', ['34000'], ['3400']],
  ['UA', ['01001'], ['0100']],
  ['RU', ['101000'], ['10100']],
  ['KZ', ['050000', 'A05A0A1'], ['05000', 'A05A0A']],
  ['AU', ['2000', '0800'], ['200', '20000', 'NSW 2000']],
  ['NZ', ['6011'], ['601', '60111']],
  ['JP', ['100-0001', '1000001'], ['100-001', '10000011']],
  ['CN', ['100000'], ['10000', '1000000']],
  ['KR', ['03187'], ['0318', '031877']],
  ['TW', ['100', '10001', '100001', '100-01', '100-001'], ['10', '1000', '1000001']],
  ['SG', ['018956'], ['18956', 'S018956']],
  ['MY', ['50000'], ['5000']],
  ['TH', ['10110'], ['1011']],
  ['VN', ['10000', '700000'], ['7000', '7000000']],
  ['KH', ['12000', '120101'], ['1200']],
  ['ID', ['10110'], ['1011']],
  ['PH', ['1000'], ['100', '10000']],
  ['IN', ['110001', '110 001'], ['11001', '1100011']],
  ['IL', ['9100001', '91000'], ['910000', '9100', '91000011']],
  ['SA', ['11564'], ['1156']],
  ['EG', ['11511'], ['1151']],
  ['ZA', ['0001'], ['001', '00001']],
  ['NG', ['100001'], ['10000']],
  ['KE', ['00100'], ['0010']],
  ['MX', ['01000'], ['1000', '010000']],
  ['BR', ['01310-100', '01310100'], ['01310', '01310-10', '01310-1000']],
  ['AR', ['1425', 'C1425ABC', 'c1425abc'], ['142', 'C1425', 'C1425AB', 'I1425ABC']],
  ['CL', ['8320000', '832-0000'], ['832000', '83200000']],
  ['CO', ['110111'], ['11011']],
  ['PE', ['15001'], ['1500']],
  ['CR', ['10101'], ['1010']],
  ['HT', ['6110', 'HT6110', 'HT-6110'], ['611']],
  ['KY', ['KY1-1001'], ['KY1', '1001']],
  ['FO', ['100', 'FO-100'], ['1000']],
  ['GG', ['GY1 1AA', 'GY10 1AB'], ['GG1 1AA']],
  ['JE', ['JE2 3AB'], ['JE2']],
  ['IM', ['IM1 1AG'], ['IM1']],
  ['SH', ['STHL 1ZZ', 'ASCN 1ZZ', 'TDCU 1ZZ'], ['STHL 2ZZ']],
]

test('SQ-11 for the countries that most goods go to, postal codes pass and malformed ones do not', () => {
  for (const [country, good, bad] of postalCodes) {
    for (const code of good) assert.equal(postalCodeMatches(country, code), true, `${country} ${JSON.stringify(code)}`)
    for (const code of bad) assert.equal(postalCodeMatches(country, code), false, `${country} ${JSON.stringify(code)}`)
  }
})

test('SQ-11 spaces around a code, more than one separator, and other characters are malformed in every country with a form', () => {
  for (const [country, [code = '']] of postalCodes) {
    for (const bad of [
      ` ${code}`,
      `${code} `,
      `-${code}`,
      `${code}-`,
      `${code}\n`,
      `\t${code}`,
      `${code}\u0000`,
      `${code};`,
    ]) {
      assert.equal(postalCodeMatches(country, bad), false, `${country} ${JSON.stringify(bad)}`)
    }
    assert.equal(postalCodeMatches(country, [...code.replaceAll(/[ -]/g, '')].join('-')), false, country)
  }
})

test('SQ-11 in a country without postal codes, any text of 1 to 20 characters that is not blank passes', () => {
  for (const country of ['AE', 'HK', 'QA', 'BS', 'AO', 'BQ', 'CW', 'SX', 'JM', 'TD', 'TF']) {
    for (const code of ['0', '00000', 'N/A', '-', 'P.O. Box 12', 'x'.repeat(20), 'é']) {
      assert.equal(postalCodeMatches(country, code), true, `${country} ${code}`)
    }
    for (const code of ['', ' ', '\t', '\u00a0', 'x'.repeat(21), 'a\nb', 'a\u0000']) {
      assert.equal(postalCodeMatches(country, code), false, `${country} ${JSON.stringify(code)}`)
    }
  }
})

test('SQ-11 an unknown country has no postal codes', () => {
  for (const country of ['', 'us', 'USA', 'XK', 'AN', 'IC', 'ZZ', '__proto__']) {
    assert.equal(postalCodeMatches(country, '90210'), false, country)
  }
})

test('SQ-11 any text is checked for every country without an error, and never passes when blank or too long', () => {
  const country = fc.constantFrom(...iso31661.map(({ alpha2 }) => alpha2))
  const code = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 25 }),
    fc.string({ unit: fc.constantFrom('0', '9', 'A', 'z', ' ', '-', '?'), maxLength: 25 }),
  )
  fc.assert(
    fc.property(country, code, (alpha2, text) => {
      const matches = postalCodeMatches(alpha2, text)
      assert.equal(typeof matches, 'boolean')
      if (text.trim() === '' || text.length > 20) assert.equal(matches, false)
    }),
    { numRuns: 500 },
  )
})

test('SQ-11 the rule of every country names a postal code that the country takes', () => {
  for (const { alpha2 } of iso31661) {
    const [, example] = postalCodeRule(alpha2, null).match(/such as (.+?)( or .+)?$/) ?? []
    assert.equal(postalCodeMatches(alpha2, example ?? 'any text'), true, `${alpha2} ${example}`)
    if (!hasSubdivisions(alpha2)) continue
    const [, state] = stateCodeRule(alpha2).match(/such as (.+)$/)!
    assert.ok(subdivision(alpha2, state!), `${alpha2} ${state}`)
  }
})
