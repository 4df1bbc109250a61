import type { Handler } from '../../contract/operation.ts'
import { clockView, millisecondsOf, settle } from '../clock-view.ts'
import { advanceClock } from '../partner-clock.ts'
import type { control } from './contract.ts'
import type { ControlParts } from './parts.ts'

type Parts = Pick<ControlParts, 'database' | 'realClock' | 'partnerTime'>

export function getSandboxClock({ realClock, partnerTime }: Parts): Handler<typeof control.getSandboxClock> {
  return async ({ caller }) => {
    // One reading for both clocks, so that the duration of the call does not count as a difference.
    const realNow = realClock()
    return { status: 200, body: clockView(await partnerTime(caller.partnerId, realNow), realNow) }
  }
}

export function advanceSandboxClock({ database, realClock }: Parts): Handler<typeof control.advanceSandboxClock> {
  return async ({ caller, body, change, inTime, refuse }) => {
    const { partnerId } = caller
    const advanced = await inTime(database.change((tx) => advanceClock(tx, change, partnerId, millisecondsOf(body))))
    if ('refused' in advanced) throw refuse(advanced.refused)
    const settled = await settle(database, partnerId, realClock)
    const realNow = realClock()
    const ownNow = new Date(realNow.getTime() + advanced.done.aheadMilliseconds)
    return { status: 200, body: { ...clockView(ownNow, realNow), settled } }
  }
}
