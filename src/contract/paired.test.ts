import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { api } from '../resources/api.ts'
import type { control } from '../sandbox/control/contract.ts'
import type { staffSubjects } from '../staff/api.ts'
import type { StaffCall, StaffHandlers } from '../staff/operation.ts'
import { text } from './fields.ts'
import { operation, paired, type Call, type Handler, type Handlers } from './operation.ts'

// `npm run types` fails if a line compiles although it is expected not to.

const answers = async () => ({ status: 200, body: '' }) as const

const operations = {
  first: operation({ id: 'first', at: 'GET /v1/first', scope: null, answers: { 200: text }, refuses: [], says: '1.' }),
  second: operation({
    id: 'second',
    at: 'GET /v1/second',
    scope: null,
    answers: { 200: text },
    refuses: [],
    says: '2.',
  }),
}

test('operations are paired with their handlers in the order of the contract', () => {
  const [first, second] = [async () => answers(), async () => answers()]
  const pairs = paired(operations, { second, first })
  assert.deepEqual(
    pairs.map(({ entry }) => entry.id),
    ['first', 'second'],
  )
  assert.deepEqual(
    pairs.map(({ handler }) => handler),
    [first, second],
  )
})

test('an operation without its handler does not compile', () => {
  // @ts-expect-error the second has none
  paired(operations, { first: answers })
  // @ts-expect-error nor has it here
  const listed: Handlers<typeof operations> = { first: answers }
  const { ping, ...fewerOfPartners } = {} as Handlers<typeof api>
  // @ts-expect-error ping has none
  const partners: Handlers<typeof api> = fewerOfPartners
  const { resetSandbox, ...fewerOfControl } = {} as Handlers<typeof control>
  // @ts-expect-error resetSandbox has none
  const sandbox: Handlers<typeof control> = fewerOfControl
  const { signIn, ...fewerOfStaff } = {} as StaffHandlers<typeof staffSubjects.session>
  // @ts-expect-error signIn has none
  const staff: StaffHandlers<typeof staffSubjects.session> = fewerOfStaff
  assert.ok([ping, resetSandbox, signIn, listed, partners, sandbox, staff])
})

test('a handler without its operation does not compile', () => {
  // @ts-expect-error there is no third
  paired(operations, { first: answers, second: answers, third: answers })
  // @ts-expect-error nor is there here
  const listed: Handlers<typeof operations> = { first: answers, second: answers, third: answers }
  // @ts-expect-error pong is no operation of partners
  const partners: Handlers<typeof api> = { ...({} as Handlers<typeof api>), pong: answers }
  // @ts-expect-error nor of the control API
  const sandbox: Handlers<typeof control> = { ...({} as Handlers<typeof control>), pong: answers }
  type OfSession = StaffHandlers<typeof staffSubjects.session>
  // @ts-expect-error nor of a subject of staff
  const staff: OfSession = { ...({} as OfSession), pong: answers }
  assert.ok([listed, partners, sandbox, staff])
})

test('a handler of another operation does not compile', () => {
  const { getUser } = {} as Handlers<typeof api>
  // @ts-expect-error an order is no user
  const getOrder: Handler<typeof api.getOrder> = getUser
  assert.equal(getOrder, undefined)
})

test('the call of an open operation has no caller', () => {
  const partner = {} as Call<typeof api.ping>
  // @ts-expect-error there is none
  assert.equal(partner.caller, undefined)
  const person = {} as StaffCall<typeof staffSubjects.session.operations.signIn>
  // @ts-expect-error there is none
  assert.equal(person.session, undefined)
})
