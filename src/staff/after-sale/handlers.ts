import { previewRefund, refund } from '../../platform/after-sale/refund.ts'
import { reprintLine } from '../../platform/after-sale/reprint.ts'
import { announceReturn, cancelReturn, closeReturn, receiveReturn } from '../../platform/after-sale/returns.ts'
import type { Refusal } from '../../contract/refusal.ts'
import { permissionsOf } from '../../vocabulary/staff-roles.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import { orderChange } from '../orders/change-order.ts'
import type { afterSale } from './contract.ts'
import { readOrderMoney, readRefund } from './read-order-money.ts'
import { readReprint } from './read-reprint.ts'
import { listReturns, readReturn } from './read-returns.ts'

const returnKey = ({ returnNumber }: { returnNumber: number }) => [returnNumber]

export const afterSaleHandlers: StaffHandlers<typeof afterSale> = {
  readOrderMoney: async ({ environment, path, query, after, page, refuse }) => {
    const afterId = Number(after?.[0] ?? 0)
    const found = await readOrderMoney(environment.database.longReads, path.orderNumber, afterId, query.limit + 1)
    if (!found) throw refuse('order_not_found')
    const { rows, nextCursor } = page(found.movements, ({ movementId }) => [movementId ?? 0])
    return { status: 200, body: { ...found, movements: rows, nextCursor } }
  },
  refundOrder: async (call) => {
    const { environment, path, body } = call
    const change = await orderChange(call)
    const made = await makeChange({ ...call, change }, (tx, dated) => refund(tx, dated, path.orderNumber, body))
    // Refunds are never changed; only a reset of the sandbox removes them.
    const answer = await readRefund(environment.database.reads, made.refundId)
    if (!answer) throw call.refuse('order_not_found')
    return { status: made.repeated ? 200 : 201, body: answer }
  },
  previewRefund: async (call) => {
    const { environment, path, body, refuse } = call
    const change = await orderChange(call)
    const shown = await environment.database.change((tx) => previewRefund(tx, change, path.orderNumber, body))
    // A preview always ends as a refusal, which undoes it.
    if ('done' in shown) throw new Error('a preview of a refund was made')
    if (shown.refused !== 'previewed') throw refuse(shown.refused, 'detail' in shown ? shown.detail : undefined)
    return { status: 200, body: { orderNumber: path.orderNumber, ...shown.preview } }
  },
  reprintLine: async (call) => {
    const { environment, path, body, session } = call
    if (body.charge !== undefined && !permissionsOf(session.roles).has('orders:money')) {
      throw call.refuse('not_permitted', 'A charge needs the permission orders:money too.')
    }
    const change = await orderChange(call)
    const made = await makeChange({ ...call, change }, (tx, dated) =>
      reprintLine(tx, dated, path.orderNumber, path.lineNumber, body),
    )
    const answer = await readReprint(environment.database.reads, path.orderNumber, made.lineNumber)
    if (!answer) throw call.refuse('order_not_found')
    return { status: made.repeated ? 200 : 201, body: answer }
  },
  listReturns: async ({ environment, query, after, page }) => {
    const before = after && Number(after[0])
    const { found, goOn } = await listReturns(environment.database.longReads, query, { before, limit: query.limit + 1 })
    const { rows, nextCursor } = page(found, returnKey, goOn && returnKey(goOn))
    return { status: 200, body: { returns: rows, nextCursor } }
  },
  readReturn: async (call) => ({ status: 200, body: await knownReturn(call) }),
  announceReturn: async (call) => {
    const { environment, path, body } = call
    const change = await orderChange(call)
    const made = await makeChange({ ...call, change }, (tx, dated) => announceReturn(tx, dated, path.orderNumber, body))
    const answer = await readReturn(environment.database.reads, made.returnNumber)
    if (!answer) throw call.refuse('order_not_found')
    return { status: made.repeated ? 200 : 201, body: answer }
  },
  receiveReturn: async (call) => {
    const received = call.body.received.map(({ shelf = null, ...each }) => ({ ...each, shelf }))
    const { orderNumber, returnNumber } = call.path
    const change = await orderChange(call)
    await makeChange({ ...call, change }, (tx, dated) => receiveReturn(tx, dated, orderNumber, returnNumber, received))
    return { status: 200, body: await knownReturn(call) }
  },
  closeReturn: async (call) => {
    const { orderNumber, returnNumber } = call.path
    const change = await orderChange(call)
    await makeChange({ ...call, change }, (tx, dated) => closeReturn(tx, dated, orderNumber, returnNumber))
    return { status: 200, body: await knownReturn(call) }
  },
  cancelReturn: async (call) => {
    const { orderNumber, returnNumber } = call.path
    const change = await orderChange(call)
    await makeChange({ ...call, change }, (tx, dated) => cancelReturn(tx, dated, orderNumber, returnNumber))
    return { status: 200, body: await knownReturn(call) }
  },
}

/** @throws Refusal */
async function knownReturn(call: {
  environment: StaffEnvironment
  path: { returnNumber: number }
  refuse: (code: 'return_not_found') => Refusal<string>
}) {
  const answer = await readReturn(call.environment.database.reads, call.path.returnNumber)
  if (!answer) throw call.refuse('return_not_found')
  return answer
}
