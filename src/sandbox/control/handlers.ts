import type { AnyHandler, Handler, Operation } from '../../contract/operation.ts'
import { advanceSandboxClock, getSandboxClock } from './clock.ts'
import { control } from './contract.ts'
import { listScenarios, resetSandbox, takeOrderStep } from './orders.ts'
import type { ControlParts } from './parts.ts'
import { receiverHandlers } from './receivers.ts'

type Handlers = { [Id in keyof typeof control]: Handler<(typeof control)[Id]> }

/** Every operation of the control API with its handler, in the contract's order. */
export function controlHandlers(parts: ControlParts): [Operation, AnyHandler][] {
  const handlers: Handlers = {
    getSandboxClock: getSandboxClock(parts),
    advanceSandboxClock: advanceSandboxClock(parts),
    listScenarios: listScenarios(),
    takeOrderStep: takeOrderStep(parts),
    resetSandbox: resetSandbox(parts),
    ...receiverHandlers(parts),
  }
  const ids = Object.keys(control) as (keyof typeof control)[]
  return ids.map((id) => [control[id], handlers[id] as unknown as AnyHandler])
}
