import { paired, type Handlers, type Paired } from '../../contract/operation.ts'
import { createSandboxClient, revokeSandboxClient } from './clients.ts'
import { advanceSandboxClock, getSandboxClock } from './clock.ts'
import { control } from './contract.ts'
import { streamEvents } from './events.ts'
import { getGoLive } from './go-live.ts'
import { listScenarios, resetSandbox, takeOrderStep } from './orders.ts'
import type { ControlParts } from './parts.ts'
import { receiverHandlers } from './receivers.ts'
import { answerWebhookCheck, startWebhookCheck } from './webhook-checks.ts'

/** Every operation of the control API with its handler, in the contract's order. */
export function controlOperations(parts: ControlParts): Paired[] {
  return paired(control, handlers(parts))
}

function handlers(parts: ControlParts): Handlers<typeof control> {
  return {
    getSandboxClock: getSandboxClock(parts),
    advanceSandboxClock: advanceSandboxClock(parts),
    listScenarios: listScenarios(),
    takeOrderStep: takeOrderStep(parts),
    resetSandbox: resetSandbox(parts),
    ...receiverHandlers(parts),
    streamEvents: streamEvents(parts),
    startWebhookCheck: startWebhookCheck(parts),
    answerWebhookCheck: answerWebhookCheck(parts),
    createSandboxClient: createSandboxClient(parts),
    revokeSandboxClient: revokeSandboxClient(parts),
    getGoLive: getGoLive(parts),
  }
}
