import type { Part } from './results.ts'

/**
 * What each figure shall reach, and why one misses its goal. The reason is a person's sentence after looking into it; it is
 * printed only under a table in which the figure misses.
 */
export type Goal = ({ atLeast: number } | { atMost: number }) & { unit: string; why?: string }

const everyRequest =
  'node works longer on a request than the floor’s does, as the columns of CPU show: it checks the credential, limits, tenancy and parameters, and notes the call, which the floor leaves out.'

const allTraffic =
  '80 MB are node’s program and libraries, 140 MB the heap, 25 MB compiled code, and up to 50 MB bodies on their way; most of the rest are the threads that draw documents and check passwords, and what malloc keeps for the next.'

const moreThanFloor =
  'so many times the peer’s rate is more than even bare Fastify serves on such a machine, as the reads beside the floors show: two processors do the callers’ work, PostgreSQL’s and the service’s.'
const sharedProcessors =
  'one of ours costs what the last column says, and its callers take the rest of the two processors.'
const writtenByPostgres =
  'of what one of ours costs, two thirds are PostgreSQL’s: it writes the order with its audit records, its events and the words of its search.'
const whyOfEach = {
  'product page of 50': moreThanFloor,
  'one product': sharedProcessors,
  'order list of 50': moreThanFloor,
  'one order': moreThanFloor,
  'orders of two lines placed': writtenByPostgres,
}
const timesOf = (peer: string, atLeast: number): Record<string, Goal> =>
  Object.fromEntries(
    Object.entries(whyOfEach).map(([figure, why]) => [`${peer}: ${figure}`, { atLeast, unit: ' ×', why }]),
  )

export const goals: Readonly<Record<Part, Readonly<Record<string, Goal>>>> = {
  reads: {
    'product page of 50': {
      atLeast: 1,
      unit: '',
      why: 'PostgreSQL spends most of the time, for both, on joining each product with its master, its image and its segments; what is left to gain in node is little beside it.',
    },
    'order list of 50': { atLeast: 1, unit: '', why: everyRequest },
    'user list of 50': { atLeast: 1, unit: '', why: everyRequest },
    'product detail': { atLeast: 0.7, unit: '', why: everyRequest },
    'one order': { atLeast: 0.7, unit: '', why: everyRequest },
    'product search, 20 found': { atLeast: 0.8, unit: '', why: everyRequest },
    'product quote': { atLeast: 0.8, unit: '', why: everyRequest },
    'shipping quote': {
      atLeast: 0.8,
      unit: '',
      why: 'the floor only reads the rows, while node prices each service in exact decimals and counts its business days.',
    },
  },
  mcp: {
    'MCP 2026-07-28': { atLeast: 0.6, unit: '' },
    'MCP 2025-11-25': { atLeast: 0.6, unit: '' },
  },
  orders: {
    'share of 16 callers': {
      atLeast: 5,
      unit: ' %',
      why: 'commits wait for the disk, which differs more between machines than the floor’s reads do.',
    },
    'p99 in p50s': { atMost: 4, unit: ' × p50' },
  },
  start: {
    'start on existing data': {
      atMost: 1.3,
      unit: ' ×',
      why: 'node runs some 1,500 modules, while an empty node runs none; their compiled code is kept from start to start. The rest are connections, and what each environment reads as it opens.',
    },
    'first start': {
      atMost: 6,
      unit: ' ×',
      why: 'it makes a cluster, which alone takes more than six bare starts, migrates two databases, and makes 80,000 rows, which PostgreSQL indexes and checks one by one.',
    },
    'memory after load': {
      atMost: 220,
      unit: ' MB',
      why: '60 MB are node’s program, 35 MB what the modules hold, and 25 MB their compiled code, which node keeps; new objects get 48 MB, which a fifth less processor time for each read is worth.',
    },
  },
  webhooks: {
    'delivered a second': {
      atLeast: 1_500,
      unit: '/s',
      why: 'the processor time of a delivery below, of all parts together, is more than two processors have 1,500 times a second.',
    },
    'recording to arrival, p99': {
      atMost: 1_000,
      unit: ' ms',
      why: 'more is recorded each second than the goal asks to deliver, which on a slow machine is all that it can do.',
    },
  },
  growth: {
    'a read': {
      atMost: 1.2,
      unit: ' ×',
      why: 'the staff search for a word of every second customer finds all of them in the index of words. A day long ago has too few of 10,000 orders to fill a page, and ten days are read from the disk, as nobody else asks for them: a millisecond more.',
    },
    'disk of an order': {
      atMost: 4,
      unit: ' KB',
      why: 'four audit records with the indexes of their lists take 2.4 KB, the words of the search 1.4 KB, lines 1.0, the order 0.9, its shipment with packages 1.2, and what was sent 0.4.',
    },
    'WAL of an order': {
      atMost: 12,
      unit: ' KB',
      why: 'after a checkpoint the first change of a page writes the whole page, and the more data there is, the more pages are changed once only.',
    },
    'audit records sealed': { atLeast: 5_000, unit: '/s' },
  },
  soak: {
    'resident, under load': { atMost: 220, unit: ' MB', why: allTraffic },
    'resident, beside hostile callers': { atMost: 400, unit: ' MB', why: allTraffic },
    'tests that failed': { atMost: 0, unit: '' },
  },
  power: {
    'losses it did not outlive whole': { atMost: 0, unit: '' },
    'lost by the control': { atLeast: 1, unit: '' },
  },
  crash: { 'kills it did not outlive whole': { atMost: 0, unit: '' } },
  peers: { ...timesOf('Medusa', 50), ...timesOf('Vendure', 30) },
}
