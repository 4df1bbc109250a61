import * as production from '../../platform/orders/production.ts'
import { money } from '../../vocabulary/money.ts'
import type { StaffHandlers } from '../operation.ts'
import { changedOrder, lineVerb, orderChange } from '../orders/change-order.ts'
import type { linesInProduction } from './contract.ts'

export const productionHandlers: StaffHandlers<typeof linesInProduction> = {
  advanceLine: lineVerb(production.advanceProduction),
  holdLine: lineVerb(production.holdLine),
  releaseLine: lineVerb(production.releaseLine),
  reportProblem: async (call) => {
    const { world, path, body } = call
    const change = await orderChange(call)
    return changedOrder(
      call,
      await production.reportProblem(world.database, path.orderNumber, path.lineNumber, body.problem, change),
    )
  },
  clearProblem: lineVerb(production.clearProblem),
  setDates: async (call) => {
    const { world, path, body } = call
    const dates = {
      ...(body.estimatedShipBy !== undefined && { estimatedShipBy: dateOf(body.estimatedShipBy) }),
      ...(body.shipBy !== undefined && { shipBy: dateOf(body.shipBy) }),
    }
    const change = await orderChange(call)
    return changedOrder(
      call,
      await production.setDates(world.database, path.orderNumber, path.lineNumber, dates, change),
    )
  },
  adjustLine: async (call) => {
    const { world, path, body } = call
    const adjustment = {
      ...(body.quantity !== undefined && { quantity: body.quantity }),
      ...(body.lineTotal !== undefined && { lineTotal: money(body.lineTotal) }),
    }
    const change = await orderChange(call)
    return changedOrder(
      call,
      await production.adjustLine(world.database, path.orderNumber, path.lineNumber, adjustment, change),
    )
  },
  backorderLine: async (call) => {
    const { world, path, body } = call
    const change = await orderChange(call)
    return changedOrder(
      call,
      await production.backorderLine(world.database, path.orderNumber, path.lineNumber, body.pieces, change),
    )
  },
  cancelLine: lineVerb(production.cancelLine),
  reserveLineUpload: async (call) => {
    const { world, path, body, now, refuse } = call
    const { orderNumber, lineNumber } = path
    const contentType = body.contentType ?? null
    const reserved = await production.reserveLineUpload(
      world.database,
      world.objectStore,
      orderNumber,
      lineNumber,
      { fileName: body.fileName, contentType },
      now,
      await orderChange(call),
    )
    if ('refused' in reserved) throw refuse(reserved.refused)
    const { reservationName, uploadUrl, expiresOn } = reserved.done
    return {
      status: 201,
      body: {
        orderNumber,
        lineNumber,
        reservationName,
        uploadUrl,
        contentType,
        expiresOn: expiresOn.toISOString(),
      },
    }
  },
  attachPrintFile: async (call) => {
    const { world, path, body } = call
    const { database, objectStore } = world
    const change = await orderChange(call)
    return changedOrder(
      call,
      await production.attachPrintFile(
        database,
        objectStore,
        path.orderNumber,
        path.lineNumber,
        body.reservationName,
        change,
      ),
    )
  },
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
