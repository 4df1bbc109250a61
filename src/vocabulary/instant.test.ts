import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isDateTime, readInstant } from './instant.ts'

test('GEN-12 a date-time is read as UTC with six fraction digits', () => {
  for (const [text, instant] of [
    ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.000000Z'],
    ['2026-11-20T09:30:00.5Z', '2026-11-20T09:30:00.500000Z'],
    ['2026-11-20T09:30:00.123456Z', '2026-11-20T09:30:00.123456Z'],
    ['2026-11-20T09:30:00.999999+00:00', '2026-11-20T09:30:00.999999Z'],
    ['2026-11-20T09:30:00-00:00', '2026-11-20T09:30:00.000000Z'],
    ['2026-11-20T00:30:00.000001+02:00', '2026-11-19T22:30:00.000001Z'],
    ['2026-12-31T23:59:59.999999-05:30', '2027-01-01T05:29:59.999999Z'],
    ['2026-01-01T00:00:00+23:59', '2025-12-31T00:01:00.000000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000000Z'],
    ['1969-12-31T23:00:00-01:00', '1970-01-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
    ['2026-11-20t09:30:00z', '2026-11-20T09:30:00.000000Z'],
    ['2026-11-20t09:30:00.25+01:00', '2026-11-20T08:30:00.250000Z'],
    ['2026-11-20T09:30:00.123456000Z', '2026-11-20T09:30:00.123456Z'],
    ['2026-11-20T09:30:00.1234561Z', '2026-11-20T09:30:00.123457Z'],
    ['2026-11-20T09:30:00.000000001Z', '2026-11-20T09:30:00.000001Z'],
    ['2026-12-31T23:59:59.999999999Z', '2027-01-01T00:00:00.000000Z'],
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000000Z'],
    ['2000-02-29T12:00:00Z', '2000-02-29T12:00:00.000000Z'],
  ] as const) {
    assert.equal(readInstant(text), instant, text)
  }
})

test('a plain date means its first moment in UTC', () => {
  assert.equal(readInstant('2026-11-20'), '2026-11-20T00:00:00.000000Z')
  assert.equal(readInstant('2024-02-29'), '2024-02-29T00:00:00.000000Z')
  assert.equal(readInstant('1969-12-31'), undefined)
})

test('ERR-19 a day or time that does not exist is refused', () => {
  for (const text of [
    ['2026-02-29', '2026-02-30', '2100-02-29', '2026-04-31', '2026-13-01', '2026-00-01', '2026-01-00', '2026-01-32'],
    ['2026-02-29T00:00:00Z', '2026-06-31T00:00:00+01:00', '2026-11-20T24:00:00Z', '2026-11-20T25:00:00Z'],
    ['2026-11-20T09:60:00Z', '2026-11-20T09:30:60Z', '2016-12-31T23:59:60Z'],
    ['2026-11-20T09:30:00+24:00', '2026-11-20T09:30:00+01:60', '2026-11-20T09:30:00-99:00'],
  ].flat()) {
    assert.equal(readInstant(text), undefined, text)
  }
})

test('ERR-19 an instant outside the years 1970 to 9999 is refused, by its UTC year', () => {
  for (const text of [
    ['1969-12-31T23:59:59.999999Z', '1970-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '10000-01-01'],
    ['9999-12-31T23:59:59.9999999Z'],
    ['0000-01-01', '0070-01-01', '0099-12-31T00:00:00Z', '+010000-01-01T00:00:00Z', '-000001-01-01T00:00:00Z'],
  ].flat()) {
    assert.equal(readInstant(text), undefined, text)
  }
})

test('GEN-12 a date-time in a body has a time and a zone', () => {
  for (const good of ['2026-11-20T09:30:00Z', '2026-11-20t09:30:00.123456789z']) assert.ok(isDateTime(good), good)
  for (const bad of ['2026-11-20', '2026-11-20 09:30:00Z', '2016-12-31T23:59:60Z', '0000-01-01T00:00:00Z', '']) {
    assert.ok(!isDateTime(bad), bad)
  }
})

test('ERR-19 any other form is refused', () => {
  for (const text of [
    [
      '',
      ' ',
      'now',
      'today',
      '0',
      '1700000000',
      '2026',
      '2026-11',
      '20261120',
      '2026-11-20Z',
      '2026-11-20T',
      '2026-W47-5',
    ],
    ['2026-11-20T09:30:00', '2026-11-20T09:30Z', '2026-11-20T09Z', '2026-11-20 09:30:00Z', '2026-11-20_09:30:00Z'],
    ['2026-11-20T09:30:00.z', '2026-11-20T09:30:00.Z', '2026-11-20T09:30:00.1234567890Z', '2026-11-20T09:30:00,5Z'],
    ['2026-11-20T09:30:00+0200', '2026-11-20T09:30:00+02', '2026-11-20T09:30:00+2:00', '2026-11-20T09:30:00 02:00'],
    ['2026-11-20T09:30:00+02:00:00', '2026-11-20T09:30:00ZZ', '2026-11-20T09:30:00 Z', '2026-11-20T9:30:00Z'],
    [' 2026-11-20', '2026-11-20 ', '2026-11-20\n', '2026-11-20T09:30:00Z\n', '26-11-20', '2026-1-2', '20/11/2026'],
    ['２026-11-20', '٢٠٢٦-١١-٢٠', '2026–11–20', '2026-11-20T09:30:00−02:00', 'Fri, 20 Nov 2026 09:30:00 GMT'],
  ].flat()) {
    assert.equal(readInstant(text), undefined, JSON.stringify(text))
  }
})

const anyDate = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

test('any instant is read as the same instant, and reading the result changes nothing', () => {
  fc.assert(
    fc.property(anyDate, fc.integer({ min: 0, max: 999 }), (date, micros) => {
      const text = `${date.toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`
      assert.equal(readInstant(text), text)
      assert.equal(readInstant(date.toISOString()), `${date.toISOString().slice(0, -1)}000Z`)
    }),
  )
})

const twoDigits = (count: number) => String(count).padStart(2, '0')

test('an instant is the same in whatever zone it is written', () => {
  fc.assert(
    fc.property(anyDate, fc.integer({ min: -1439, max: 1439 }), (date, aheadMinutes) => {
      const local = new Date(date.getTime() + aheadMinutes * 60_000)
      fc.pre(local.getUTCFullYear() >= 0 && local.getUTCFullYear() <= 9999)
      const [hours, minutes] = [Math.trunc(Math.abs(aheadMinutes) / 60), Math.abs(aheadMinutes) % 60]
      const zone = `${aheadMinutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(minutes)}`
      assert.equal(readInstant(local.toISOString().replace('Z', zone)), readInstant(date.toISOString()))
    }),
  )
})

test('instants as read sort as text in order of time', () => {
  fc.assert(
    fc.property(anyDate, anyDate, (one, other) => {
      const [first, second] = [readInstant(one.toISOString())!, readInstant(other.toISOString())!]
      assert.equal(first < second, one.getTime() < other.getTime())
    }),
  )
})

test('a day of common, leap and century years is accepted exactly when the calendar has it', () => {
  let days = 0
  for (const year of [1999, 2000, 2023, 2024, 2100]) {
    for (let month = 1; month <= 12; month++) {
      for (let day = 1; day <= 31; day++) {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        const exists = day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
        assert.equal(readInstant(text) !== undefined, exists, text)
        if (exists) days++
      }
    }
  }
  assert.equal(days, 365 * 5 + 2)
})
