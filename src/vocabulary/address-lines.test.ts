import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressLines } from './address-lines.ts'

test('the postal code stands before or after the city, as its country writes it', () => {
  const towns = {
    US: ['San Francisco', 'CA', '94105', 'San Francisco, CA 94105'],
    CA: ['Toronto', 'ON', 'M5V 2T6', 'Toronto, ON M5V 2T6'],
    AU: ['Sydney', 'NSW', '2000', 'Sydney, NSW 2000'],
    GB: ['London', null, 'SW1A 1AA', 'London SW1A 1AA'],
    IE: ['Dublin', null, 'D02 X285', 'Dublin D02 X285'],
    NZ: ['Auckland', null, '1010', 'Auckland 1010'],
    IN: ['Mumbai', 'MH', '400001', 'Mumbai, MH 400001'],
    BR: ['São Paulo', 'SP', '01310-100', 'São Paulo, SP 01310-100'],
    JP: ['Shibuya', '13', '150-0001', 'Shibuya, 13 150-0001'],
    DE: ['Berlin', 'BE', '10115', '10115 Berlin'],
    FR: ['Paris', null, '75001', '75001 Paris'],
    IT: ['Roma', 'RM', '00187', '00187 Roma, RM'],
    MX: ['Ciudad de México', 'CMX', '06000', '06000 Ciudad de México, CMX'],
  } as const
  for (const [country, [city, state, postalCode, line]] of Object.entries(towns)) {
    assert.equal(addressLines({ city, state, postalCode, country })[0], line, country)
  }
})

test('an address has a line for each of its parts that is there, and the name of its country', () => {
  const place = {
    name: 'Jana Weiß',
    company: ' ',
    address1: 'Torstraße 1',
    address2: null,
    city: 'Berlin',
    country: 'DE',
  }
  assert.deepEqual(addressLines(place), ['Jana Weiß', 'Torstraße 1', 'Berlin', 'Germany'])
  assert.deepEqual(addressLines({ postalCode: '10115', country: 'Atlantis' }), ['10115', 'Atlantis'])
  assert.deepEqual(addressLines(null), [])
})
