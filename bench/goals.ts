import type { Part } from './results.ts'

/**
 * What each figure shall reach, and why one misses its goal. The reason is a person's sentence after looking into it; it is
 * printed only under a table in which the figure misses.
 */
export type Goal = ({ atLeast: number } | { atMost: number }) & { unit: string; why?: string }

const everyRequest =
  'node works longer on a request than the floor’s does, as the columns of CPU show: it checks the credential, limits, tenancy and parameters, and notes the call, which the floor leaves out.'

const timesOfMedusa = { atLeast: 50, unit: ' ×' }
const timesOfVendure = { atLeast: 30, unit: ' ×' }
const reads = ['product page of 50', 'one product', 'order list of 50', 'one order', 'orders of two lines placed']
const ofEach = (peer: string, goal: Goal): Record<string, Goal> =>
  Object.fromEntries(reads.map((read) => [`${peer}: ${read}`, goal]))

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
      why: 'node loads some 1,500 modules, while an empty node loads none; their compiled code is kept from start to start.',
    },
    'first start': {
      atMost: 6,
      unit: ' ×',
      why: 'it makes a cluster, migrates two databases, and makes and inserts thousands of products and orders.',
    },
    'memory after load': {
      atMost: 220,
      unit: ' MB',
      why: 'about 150 MB are the loaded modules; new objects get 48 MB, which a fifth less processor time for each read is worth.',
    },
  },
  webhooks: {
    'delivered a second': { atLeast: 1_500, unit: '/s' },
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
      why: 'the staff search for a word of every second customer finds all of them in the index of words. Any other read in bold is not looked into yet.',
    },
    'disk of an order': {
      atMost: 4,
      unit: ' KB',
      why: 'a third of it are the four audit records with their indexes; lines, the order itself and shipments are most of the rest.',
    },
    'WAL of an order': {
      atMost: 12,
      unit: ' KB',
      why: 'after a checkpoint the first change of a page writes the whole page, and the more data there is, the more pages are changed once only.',
    },
    'audit records sealed': { atLeast: 5_000, unit: '/s' },
  },
  soak: {
    'resident, under load': { atMost: 220, unit: ' MB' },
    'resident, beside hostile callers': { atMost: 400, unit: ' MB' },
    'tests that failed': { atMost: 0, unit: '' },
  },
  power: {
    'losses it did not outlive whole': { atMost: 0, unit: '' },
    'lost by the control': { atLeast: 1, unit: '' },
  },
  crash: { 'kills it did not outlive whole': { atMost: 0, unit: '' } },
  peers: { ...ofEach('Medusa', timesOfMedusa), ...ofEach('Vendure', timesOfVendure) },
}
