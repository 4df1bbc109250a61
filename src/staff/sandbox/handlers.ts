import type { Refusal } from '../../contract/refusal.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { forgetQuotasOf } from '../../gateway/throttle/forget-quotas.ts'
import { readPartner } from '../../partners/partner-records.ts'
import { askStep } from '../../sandbox/ask-step.ts'
import { clockView, millisecondsOf, settle } from '../../sandbox/clock-view.ts'
import { goLiveOf } from '../../sandbox/go-live/go-live.ts'
import { advanceClock } from '../../sandbox/partner-clock.ts'
import { resetPartner } from '../../sandbox/reset-partner.ts'
import { scenarios } from '../../sandbox/scenarios.ts'
import type { PartnerTime } from '../../vocabulary/clock.ts'
import { staffProblems } from '../api.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { sandbox } from './contract.ts'

export const sandboxHandlers: StaffHandlers<typeof sandbox> = {
  listSandboxPartners: async (call) => {
    const { environment, query, after, page, now } = call
    sandboxTime(call)
    const found = await environment.database.longReads.rows<ListedPartner>(sql`
      select partner_id, name, coalesce(ahead_milliseconds, 0) as ahead_milliseconds, (
        select count(*)::int from sandbox_order where sandbox_order.partner_id = partner.partner_id
      ) as orders
      from partner left join sandbox_clock using (partner_id)
      ${after ? sqlText`where (name, partner_id) > (${after[0]}::text, ${after[1]}::uuid)` : nothing}
      order by name, partner_id
      limit ${query.limit + 1}`)
    const { rows, nextCursor } = page(found, ({ name, partnerId }) => [name, partnerId])
    const partners = rows.map(({ partnerId, name, aheadMilliseconds, orders }) => {
      const clock = clockView(new Date(now.getTime() + aheadMilliseconds), now)
      return { partnerId, name, now: clock.now, aheadSeconds: clock.aheadSeconds, orders }
    })
    return { status: 200, body: { partners, nextCursor } }
  },
  readSandboxClock: async (call) => {
    const { path, now } = call
    const partnerTime = sandboxTime(call)
    await mustExist(call)
    return { status: 200, body: clockView(await partnerTime(path.partnerId, now), now) }
  },
  advancePartnerClock: async (call) => {
    const { environment, path, body, now, inTime } = call
    const { partnerId } = path
    sandboxTime(call)
    await inTime(mustExist(call))
    const { aheadMilliseconds } = await inTime(
      makeChange(call, (tx, change) => advanceClock(tx, change, partnerId, millisecondsOf(body))),
    )
    const settled = await settle(environment.database, partnerId, () => now)
    return { status: 200, body: { ...clockView(new Date(now.getTime() + aheadMilliseconds), now), settled } }
  },
  readSandboxScenarios: async (call) => {
    sandboxTime(call)
    return { status: 200, body: scenarios }
  },
  takeSandboxStep: async (call) => {
    const { environment, path, body, change, inTime, refuse } = call
    sandboxTime(call)
    const { orderNumber } = path
    const { step, lineNumber = null } = body
    const { database, objectStore } = environment
    const meaningOf = (code: string) => staffProblems[code]?.[1]
    const asked = { orderNumber, step, lineNumber }
    const outcome = await askStep({ database, objectStore, meaningOf }, asked, change, inTime)
    if ('refused' in outcome) throw refuse(outcome.refused, 'detail' in outcome ? outcome.detail : undefined)
    return { status: 200, body: { orderNumber, lineNumber, step, ...outcome.done } }
  },
  getGoLive: async (call) => {
    sandboxTime(call)
    await mustExist(call)
    const { longReads: reads, statements } = call.environment.database
    return { status: 200, body: await goLiveOf({ reads, statements }, call.path.partnerId) }
  },
  resetSandboxPartner: async (call) => {
    sandboxTime(call)
    await mustExist(call)
    const { partnerId } = call.path
    return {
      status: 200,
      body: await makeChange(call, (tx, change) => resetPartner(tx, change, partnerId, forgetQuotasOf)),
    }
  },
}

type ListedPartner = { partnerId: string; name: string; aheadMilliseconds: number; orders: number }

/** The clocks of partners. @throws Refusal in production, which has none */
function sandboxTime(call: {
  environment: StaffEnvironment
  refuse: (code: 'only_in_sandbox') => Refusal<string>
}): PartnerTime {
  const { partnerTime } = call.environment
  if (!partnerTime) throw call.refuse('only_in_sandbox')
  return partnerTime
}

/** @throws Refusal */
async function mustExist(call: {
  environment: StaffEnvironment
  path: { partnerId: string }
  refuse: (code: 'partner_not_found') => Refusal<string>
}): Promise<void> {
  if (!(await readPartner(call.environment.database.reads, call.path.partnerId))) throw call.refuse('partner_not_found')
}
