import { adjustLine } from '../../platform/orders/adjust-line.ts'
import { advanceProduction, type Goal } from '../../platform/lines/advance-production.ts'
import { expectStatus } from '../../platform/lines/expect-status.ts'
import { overrideGuards } from '../../platform/lines/override-guards.ts'
import type { Why } from '../../platform/reasons/reasons.ts'
import { backorderLine } from '../../platform/lines/backorder-line.ts'
import { cancelLine } from '../../platform/orders/cancel-line.ts'
import { holdLine, releaseLine } from '../../platform/lines/hold-line.ts'
import { clearProblem, reportProblem } from '../../platform/lines/report-problem.ts'
import { setDates } from '../../platform/lines/set-dates.ts'
import { attachPrintFile } from '../../platform/print-files/attach-print-file.ts'
import { presignUpload } from '../../platform/files/presign-upload.ts'
import { reserveLineUpload } from '../../platform/print-files/reserve-upload.ts'
import { money } from '../../vocabulary/money.ts'
import { permissionsOf } from '../../vocabulary/staff-roles.ts'
import type { ProductionStatus } from '../../vocabulary/statuses.ts'
import type { StaffHandlers } from '../operation.ts'
import { changedOrder, lineVerb, orderChange } from '../orders/change-order.ts'
import type { linesInProduction } from './contract.ts'

const adjusted = lineVerb(adjustLine, ({ quantity, lineTotal }: { quantity?: number; lineTotal?: string }) => ({
  ...(quantity !== undefined && { quantity }),
  ...(lineTotal !== undefined && { lineTotal: money(lineTotal) }),
}))

export const productionHandlers: StaffHandlers<typeof linesInProduction> = {
  advanceLine: lineVerb(
    async (tx, change, orderNumber, lineNumber, { to, expects }: { to?: Goal; expects?: ProductionStatus | null }) =>
      (await expectStatus(tx, orderNumber, lineNumber, expects)) ??
      advanceProduction(tx, change, orderNumber, lineNumber, to),
    (body) => body,
  ),
  overrideGuards: lineVerb(overrideGuards, (why: Why) => why),
  holdLine: lineVerb(holdLine, (why) => why),
  releaseLine: lineVerb(releaseLine),
  reportProblem: lineVerb(reportProblem, problemOf),
  clearProblem: lineVerb(clearProblem),
  setDates: lineVerb(setDates, datesOf),
  adjustLine: (call) => {
    if (call.body.lineTotal !== undefined && !permissionsOf(call.session.roles).has('orders:money')) {
      throw call.refuse('not_permitted', 'A price needs the permission orders:money too.')
    }
    return adjusted(call)
  },
  backorderLine: lineVerb(backorderLine, ({ pieces }) => pieces),
  cancelLine: lineVerb(cancelLine, (why) => why),
  reserveLineUpload: async (call) => {
    const { environment, path, body, now, refuse } = call
    const { orderNumber, lineNumber } = path
    const contentType = body.contentType ?? null
    const upload = await presignUpload(environment.objectStore, { fileName: body.fileName, contentType }, now)
    const change = await orderChange(call)
    const outcome = await environment.database.change((tx) =>
      reserveLineUpload(tx, change, orderNumber, lineNumber, upload),
    )
    if ('refused' in outcome) throw refuse(outcome.refused)
    const { reservationName, uploadUrl, expiresOn } = upload
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
  attachPrintFile: (call) => {
    const { orderNumber, lineNumber } = call.path
    const { reservationName } = call.body
    return changedOrder(call, (change) =>
      attachPrintFile(call.environment, change, orderNumber, lineNumber, reservationName),
    )
  },
}

/** The dates of a body, for the verb. */
export function datesOf({ estimatedShipBy, shipBy }: { estimatedShipBy?: string | null; shipBy?: string | null }) {
  return {
    ...(estimatedShipBy !== undefined && { estimatedShipBy: dateOf(estimatedShipBy) }),
    ...(shipBy !== undefined && { shipBy: dateOf(shipBy) }),
  }
}

/** The problem of a body, for the verb. */
export function problemOf({ problem, reason }: { problem?: string; reason?: string }) {
  return { ...(problem !== undefined && { text: problem }), ...(reason !== undefined && { reason }) }
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
