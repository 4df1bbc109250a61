import { Type } from 'typebox'
import {
  bodyObject,
  described,
  instant,
  int32,
  longNumber,
  nullable,
  oneOf,
  pageOf,
  record,
  text,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { paged } from '../../contract/parameters.ts'
import {
  advanceBody,
  AdvancedSandboxClock,
  SandboxClock,
  SandboxReset,
  SandboxScenarios,
} from '../../sandbox/control/contract.ts'
import { GoLive } from '../../sandbox/control/go-live-contract.ts'
import { stepNames, steps } from '../../sandbox/steps.ts'
import type { JsonObject } from '../../vocabulary/json.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const SandboxPartner = record('SandboxPartner', {
  partnerId: uuid,
  name: text,
  now: described(instant, "the partner's clock"),
  aheadSeconds: described(whole, 'how far it is ahead of the sandbox clock'),
  orders: described(whole, 'orders that the simulator moves'),
})

const TakenStep = record('TakenSandboxStep', {
  orderNumber: longNumber,
  lineNumber: nullable(described(int32, 'null = a step of the whole order')),
  step: oneOf(stepNames),
  orderStatus: described(text, "the order's new status"),
})

function checkStep({ step, lineNumber }: JsonObject): string | undefined {
  const known = stepNames.find((name) => name === step)
  if (known === undefined) return undefined
  const { ofLine } = steps[known]
  if (ofLine && lineNumber === undefined) return `The field lineNumber is required for the step ${known}.`
  return !ofLine && lineNumber !== undefined ? `The field lineNumber is not accepted for the step ${known}.` : undefined
}

export const sandbox = staffSubject({
  name: 'Sandbox',
  says: 'What partners do with the control API of the sandbox, done for them: their clocks, steps with their orders, and the reset of their part. Only in the environment `sandbox`.',
  problems: {
    only_in_sandbox: [409, 'Only the sandbox has this. Production has no clocks of partners, no steps and no reset.'],
    partner_not_found: [404, 'No such partner.'],
    order_not_found: [404, 'No such order.'],
    line_not_found: [404, 'The order has no such line.'],
    clock_too_far_ahead: [409, 'The clock would be more than ten years ahead.'],
    step_not_possible: [409, "The order's status does not allow this step."],
  },
  operations: {
    listSandboxPartners: staffOperation({
      id: 'listSandboxPartners',
      at: 'GET /staff/v1/{environment}/sandbox-partners',
      permission: 'partners:read',
      query: paged({ default: 50, max: 200 }),
      collection: 'partners',
      answers: { 200: pageOf('SandboxPartnerPage', 'partners', SandboxPartner) },
      refuses: ['only_in_sandbox'],
      says: 'Lists the partners of the sandbox with their clocks, by name.',
    }),
    readSandboxClock: staffOperation({
      id: 'readSandboxClock',
      at: 'GET /staff/v1/{environment}/partners/{partnerId}/sandbox-clock',
      permission: 'partners:read',
      answers: { 200: SandboxClock },
      refuses: ['only_in_sandbox', 'partner_not_found'],
      says: "Shows a partner's clock.",
    }),
    advancePartnerClock: staffOperation({
      id: 'advancePartnerClock',
      at: 'POST /staff/v1/{environment}/partners/{partnerId}/sandbox-clock/advance',
      permission: 'partners:write',
      body: { schema: advanceBody },
      answers: { 200: AdvancedSandboxClock },
      takesTime: true,
      refuses: ['only_in_sandbox', 'partner_not_found', 'clock_too_far_ahead'],
      says: "Advances a partner's clock by the sum of the fields, and waits a while for everything that becomes due.",
    }),
    readSandboxScenarios: staffOperation({
      id: 'readSandboxScenarios',
      at: 'GET /staff/v1/{environment}/sandbox-scenarios',
      permission: 'partners:read',
      answers: { 200: SandboxScenarios },
      refuses: ['only_in_sandbox'],
      says: 'Lists what can be made to happen (steps, magic inputs, misbehaviours) and what happens by itself.',
    }),
    takeSandboxStep: staffOperation({
      id: 'takeSandboxStep',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/sandbox-steps',
      permission: 'partners:write',
      body: {
        schema: bodyObject({ step: oneOf(stepNames), lineNumber: Type.Optional(int32) }),
        check: checkStep,
      },
      answers: { 200: TakenStep },
      // A step that publishes a proof draws it.
      takesTime: true,
      refuses: ['only_in_sandbox', 'order_not_found', 'line_not_found', 'step_not_possible'],
      says: 'Takes a step with an order of the sandbox at once, also one that partners take.',
    }),
    getGoLive: staffOperation({
      id: 'getGoLive',
      at: 'GET /staff/v1/{environment}/partners/{partnerId}/go-live',
      permission: 'partners:read',
      answers: { 200: GoLive },
      refuses: ['only_in_sandbox', 'partner_not_found'],
      says: 'Shows what the integration of a partner has shown in the sandbox, and what is still to be seen before it goes live.',
      agentNote: 'The partner sees the same at `GET /sandbox/go-live`.',
    }),
    resetSandboxPartner: staffOperation({
      id: 'resetSandboxPartner',
      at: 'POST /staff/v1/{environment}/partners/{partnerId}/sandbox-reset',
      permission: 'partners:write',
      answers: { 200: SandboxReset },
      refuses: ['only_in_sandbox', 'partner_not_found'],
      says: "Resets a partner's part of the sandbox: removes its orders, submissions, receivers, clock and used limits.",
    }),
  },
})
