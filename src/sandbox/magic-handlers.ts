import type { AnyHandler } from '../contract/operation.ts'
import { Refusal } from '../contract/refusal.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { Outage } from '../vocabulary/outage.ts'
import type { OrderRequest } from '../platform/ordering/order-request.ts'
import { forcedRefusal, interceptSubmission, magicInputs } from './magic-inputs.ts'

/** Wraps a handler of the partner API so that magic inputs take effect. Other calls pass unchanged. */
export function withMagic(database: Database, id: string, handler: AnyHandler): AnyHandler {
  if (id === 'getProof') return withoutLinks(database, handler)
  if (id === 'getProductTemplate') return duringOutage(database, handler)
  return async (call) => {
    switch (forcedRefusal(call.body)) {
      case 'too-many-requests':
        throw new Refusal('rate_limit_exceeded', 'The request asked the sandbox for this answer.', {
          'retry-after': '1',
        })
      case 'unavailable':
        throw new Refusal('service_unavailable', 'The request asked the sandbox for this answer.')
      default:
        if (id === 'quoteOrder') refuseLikeSubmission(call.body as unknown as OrderRequest)
        return handler(call)
    }
  }
}

/** A quote tells the problems of a submission that the sandbox was asked to reject. */
function refuseLikeSubmission(body: OrderRequest): void {
  const intercepted = interceptSubmission({ body, claims: 1 })
  if (!intercepted || !('problems' in intercepted)) return
  const errors = intercepted.problems.map(({ field = '', reason, detail }) => ({ path: field, rule: reason, detail }))
  throw new Refusal('quote_invalid', errors[0]!.detail, undefined, errors)
}

function jobNameOf(name: (typeof magicInputs)[number]['name']): string {
  return String(magicInputs.find((input) => input.name === name)!.value)
}

function withoutLinks(database: Database, handler: AnyHandler): AnyHandler {
  return async (call) => {
    const answer = await handler(call)
    const { orderNumber, itemNumber } = call.path as { orderNumber: number; itemNumber: number }
    const named = await database.reads.row(sql`
      select from order_line
      where order_number = ${orderNumber} and item_number = ${itemNumber} and job_name = ${jobNameOf('no-link')}`)
    if (!named) return answer
    const proof = answer.body as { files: { link: string | null }[] }
    return {
      ...answer,
      body: { ...proof, files: proof.files.map((file) => ({ ...file, link: null })), visualUrl: null },
      picture: () => Promise.resolve(undefined),
    }
  }
}

/** Whether a submission of the partner makes the vendor unavailable now. */
function duringOutage(database: Database, handler: AnyHandler): AnyHandler {
  return async (call) => {
    const lines = JSON.stringify([{ jobName: jobNameOf('template-outage') }])
    const waiting = await database.reads.row(sql`
      select from submission
      where partner_id = ${call.caller.partnerId} and status in ('queued', 'processing')
        and body -> 'lines' @> ${lines}::jsonb
      limit 1`)
    if (waiting) throw new Outage('the template vendor, as the sandbox was asked')
    return handler(call)
  }
}
