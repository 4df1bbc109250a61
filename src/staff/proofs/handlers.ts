import { sql } from '../../database/sql.ts'
import * as production from '../../platform/orders/production.ts'
import type { ArtworkSource } from '../../vocabulary/product-kinds.ts'
import type { StaffHandlers } from '../operation.ts'
import { changedOrder, lineVerb, orderChange } from '../orders/change-order.ts'
import type { proofs } from './contract.ts'

export const proofHandlers: StaffHandlers<typeof proofs> = {
  putInProofing: lineVerb(production.putInProofing),
  publishProof: async (call) => {
    const { world, path } = call
    const { database, objectStore } = world
    const change = await orderChange(call)
    return changedOrder(
      call,
      await production.publishProof(database, objectStore, path.orderNumber, path.lineNumber, change),
    )
  },
  publishUploadedProof: async (call) => {
    const { world, path, body } = call
    const { database, objectStore } = world
    const change = await orderChange(call)
    return changedOrder(
      call,
      await production.publishUploadedProof(database, objectStore, path.orderNumber, path.lineNumber, body, change),
    )
  },
  listOfferedDenialReasons: async ({ world, path, refuse }) => {
    const { environment: _, ...line } = path
    const found = await world.database.reads.row<{ artworkSource: ArtworkSource; switchedOff: string[] }>(sql`
      select artwork_source, array(
        select code from denial_reason_switched_off off where off.site_id = order_line.site_id
      ) as switched_off
      from order_line where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}`)
    if (!found) throw refuse('line_not_found')
    const reasons = production.denialReasons(found.artworkSource, found.switchedOff)
    return { status: 200, body: { ...line, reasons } }
  },
  approveProof: async (call) => {
    const { world, path, body } = call
    const decision = { decision: 'approve', ...body } as const
    const change = await orderChange(call)
    const outcome = await production.decideProof(world.database, path.orderNumber, path.lineNumber, decision, change)
    if ('offered' in outcome) throw new Error('an approval was judged by a denial reason')
    return changedOrder(call, outcome)
  },
  declineProof: async (call) => {
    const { world, path, body } = call
    const decision = { decision: 'decline', ...body } as const
    const change = await orderChange(call)
    const outcome = await production.decideProof(world.database, path.orderNumber, path.lineNumber, decision, change)
    return changedOrder(call, outcome, 'offered' in outcome ? offer(outcome.offered) : undefined)
  },
  archiveProofs: lineVerb(production.archiveProofs),
  retrieveProofs: lineVerb(production.retrieveProofs),
}

function offer(codes: readonly string[]): string {
  return codes.length === 0
    ? 'This line offers no reasons to decline.'
    : `The reason is not offered on this line; offered are: ${codes.join(', ')}.`
}
