import type { Handler } from '../../contract/operation.ts'
import { earn } from '../go-live/go-live.ts'
import { seen } from '../go-live/items.ts'
import { checkMinutes, judge, makeCheck, readCheck } from '../go-live/webhook-check.ts'
import type { control } from './contract.ts'
import { streamSecretsOf } from './events.ts'
import type { ControlParts } from './parts.ts'

/** In real time: receivers compare the time of signatures with their own clocks. */
type Parts = Pick<ControlParts, 'database' | 'eventStreamKeys' | 'webhookCheckKeys' | 'realClock'>

export function startWebhookCheck(parts: Parts): Handler<typeof control.startWebhookCheck> {
  const { database, eventStreamKeys, webhookCheckKeys: keys, realClock } = parts
  return async ({ caller }) => {
    const { partnerId } = caller
    const secrets = streamSecretsOf(eventStreamKeys, caller)
    const made = await makeCheck({ reads: database.longReads, keys, now: realClock() }, { partnerId, secrets })
    return { status: 200, body: made }
  }
}

export function answerWebhookCheck(parts: Parts): Handler<typeof control.answerWebhookCheck> {
  const { database, webhookCheckKeys, realClock } = parts
  return async ({ caller: { partnerId }, body: { check, answers }, change, refuse }) => {
    const now = realClock()
    const handed = readCheck(webhookCheckKeys, check, partnerId, now)
    if (!handed) {
      const detail = `The check is not one of yours, or was started more than ${checkMinutes} minutes ago: start another.`
      throw refuse('invalid_request', detail)
    }
    const items = judge(handed, answers)
    const on = now.toISOString()
    const passed = items.filter((item) => item.passed)
    const evidence = passed.map(({ key, says }) => [key, seen(says, on, { requestId: change.requestId })] as const)
    await earn(database.statements, partnerId, new Map(evidence))
    return { status: 200, body: { items } }
  }
}
