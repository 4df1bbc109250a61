import { Type } from 'typebox'
import { bodyObject, described, flag, instant, longNumber, oneOf, record, text, whole } from '../../contract/fields.ts'
import { operation, type Chapter } from '../../contract/operation.ts'
import type { JsonObject } from '../../vocabulary/json.ts'
import { magicInputs } from '../magic-inputs.ts'
import { misbehaviours } from '../misbehaviour.ts'
import { plan } from '../plan.ts'
import { stepNames, steps } from '../steps.ts'
import { clients } from './clients-contract.ts'
import { events } from './events-contract.ts'
import { goLive } from './go-live-contract.ts'
import { receivers } from './receivers-contract.ts'
import { webhookChecks } from './webhook-checks-contract.ts'

/**
 * The control API of the sandbox: lets a partner change its test data by more than the partner API. It
 * exists only on the sandbox host. What changes orders needs `orders:write`, the rest a token and no scope; receivers and
 * credentials are not for the applications that people let act for them.
 */

const aheadSeconds = described(whole, 'how far your clock is ahead of the sandbox clock')

export const SandboxClock = record('SandboxClock', {
  now: described(instant, 'your clock'),
  worldNow: described(instant, 'the sandbox clock'),
  aheadSeconds,
})

export const AdvancedSandboxClock = record('AdvancedSandboxClock', {
  now: described(instant, 'your clock'),
  worldNow: described(instant, 'the sandbox clock'),
  aheadSeconds,
  settled: described(flag, 'everything that is due has happened; false = the simulator is still working'),
})

export const SandboxReset = record('SandboxReset', {
  orders: described(whole, 'orders removed, with their submissions, proofs and files'),
  submissions: described(whole, 'submissions removed, including failed ones'),
  receivers: described(whole, 'receivers removed, with their deliveries'),
})

const upTo = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }))

export const advanceBody = Type.Object(
  { days: upTo(3_650), hours: upTo(87_600), minutes: upTo(5_256_000) },
  { additionalProperties: false, minProperties: 1 },
)

const SandboxStep = record('SandboxStep', {
  orderNumber: longNumber,
  itemNumber: Type.Union([longNumber, Type.Null()]),
  step: oneOf(stepNames),
  orderStatus: described(text, "the order's new status"),
})

export const SandboxScenarios = record('SandboxScenarios', {
  steps: Type.Array(
    record('SandboxScenarioStep', {
      step: oneOf(stepNames),
      ofLine: described(flag, 'true = needs `itemNumber`'),
      says: text,
    }),
  ),
  plan: described(
    Type.Array(
      record('SandboxPlannedStep', {
        step: oneOf(plan.map((planned) => planned.step)),
        afterMinutes: whole,
        when: text,
      }),
    ),
    'what the simulator does by itself, and after how many minutes',
  ),
  magicInputs: Type.Array(
    record('SandboxMagicInput', {
      field: oneOf([...new Set(magicInputs.map(({ field }) => field))]),
      value: described(Type.Union([text, whole]), 'as sent in the request'),
      effect: text,
    }),
  ),
  misbehaviours: Type.Array(
    record('SandboxMisbehaviour', {
      misbehaviour: oneOf(misbehaviours.map((each) => each.misbehaviour)),
      effect: text,
    }),
  ),
})

function checkStep({ step, itemNumber }: JsonObject): string | undefined {
  const known = stepNames.find((name) => name === step)
  if (known === undefined) return undefined
  const { ofLine } = steps[known]
  if (ofLine && itemNumber === undefined) return `The field itemNumber is required for the step ${known}.`
  return !ofLine && itemNumber !== undefined ? `The field itemNumber is not accepted for the step ${known}.` : undefined
}

const clockAndOrders = {
  getSandboxClock: operation({
    id: 'getSandboxClock',
    at: 'GET /sandbox/clock',
    scope: null,
    answers: { 200: SandboxClock },
    refuses: [],
    says: 'Shows your clock.',
  }),
  advanceSandboxClock: operation({
    id: 'advanceSandboxClock',
    at: 'POST /sandbox/clock/advance',
    scope: 'orders:write',
    body: {
      schema: advanceBody,
      malformed: 'invalid_request',
      example: { days: 2, hours: 6 },
    },
    answers: { 200: AdvancedSandboxClock },
    takesTime: true,
    refuses: ['clock_too_far_ahead', 'audit_unavailable'],
    says: 'Advances your clock by the sum of the fields, and waits a while for everything that becomes due.',
  }),
  listScenarios: operation({
    id: 'listScenarios',
    at: 'GET /sandbox/scenarios',
    scope: null,
    answers: { 200: SandboxScenarios },
    refuses: [],
    says: 'Lists what you can make happen (steps, magic inputs, misbehaviours) and what happens by itself.',
  }),
  takeOrderStep: operation({
    id: 'takeOrderStep',
    at: 'POST /sandbox/orders/{orderNumber}/steps',
    scope: 'orders:write',
    body: {
      schema: bodyObject({ step: oneOf(stepNames), itemNumber: Type.Optional(longNumber) }),
      malformed: 'invalid_request',
      check: checkStep,
      example: { step: 'publish_proof', itemNumber: 5100005 },
    },
    answers: { 200: SandboxStep },
    // A step that publishes a proof draws it.
    takesTime: true,
    refuses: ['order_not_found', 'order_item_not_found', 'step_not_possible', 'audit_unavailable'],
    says: 'Takes a step with an order on your sites at once, as staff would.',
  }),
  resetSandbox: operation({
    id: 'resetSandbox',
    at: 'POST /sandbox/reset',
    scope: 'orders:write',
    answers: { 200: SandboxReset },
    refuses: ['audit_unavailable'],
    says: 'Resets your part of the sandbox: removes orders, submissions, receivers, the clock and used limits.',
  }),
}

export const control = { ...clockAndOrders, ...receivers, ...events, ...webhookChecks, ...clients, ...goLive } as const

export const controlChapters: readonly Chapter[] = [
  {
    name: 'World',
    says:
      'Your clock, your orders, and the reset. Orders that you submit move by themselves, by your clock; changes by a step ' +
      'carry your time too.',
    operations: clockAndOrders,
  },
  {
    name: 'Receivers',
    says: 'Receivers of webhooks. You manage your own here; in production staff do. Deliveries carry the time of the sandbox clock.',
    operations: receivers,
  },
  {
    name: 'Events',
    says: 'Your webhook events over a connection that you open, and a check of the receiver that they go to.',
    operations: { ...events, ...webhookChecks },
  },
  {
    name: 'App clients',
    says: 'Credentials for your developers and their machines, made by yourself. In production staff issue them.',
    operations: clients,
  },
  {
    name: 'Going live',
    says: 'What your integration has shown, scored from real traffic. Staff see the same.',
    operations: goLive,
  },
]
