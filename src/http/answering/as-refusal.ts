import type { Logger } from 'pino'
import { Refusal } from '../../contract/refusal.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { partsOf, type TraceContext } from '../../vocabulary/trace-context.ts'

/** A request as lines of the log name it. */
export type AskedIn = { requestId: string; traceContext?: TraceContext | undefined }

/** undefined = the request belongs to no trace */
export function traceIdOf({ traceContext }: Pick<AskedIn, 'traceContext'>): string | undefined {
  return traceContext === undefined ? undefined : partsOf(traceContext).traceId
}

/**
 * What a caller is told when anything is thrown. A refusal passes through and an outage is 503 with `Retry-After`. Everything else is a
 * bug: a fixed 500, with the cause in the log only (ERR-71).
 */
export function asRefusal(error: unknown, request: AskedIn, operation: string, log: Logger): Refusal {
  const { requestId } = request
  if (error instanceof Refusal) return isOutage(error) ? withWait(error) : error
  if (error instanceof Outage) {
    log.warn(
      {
        requestId,
        traceId: traceIdOf(request),
        operation,
        outage: error.message,
        cause: (error.cause as Error | undefined)?.message,
      },
      'outage',
    )
    return withWait(new Refusal(error.of === 'audit' ? 'audit_unavailable' : 'service_unavailable'))
  }
  log.error({ requestId, traceId: traceIdOf(request), operation, err: error }, 'bug')
  return new Refusal('internal_error')
}

function isOutage({ code }: Refusal): boolean {
  return code === 'service_unavailable' || code === 'audit_unavailable'
}

/** Most outages end within seconds. Who waits less finds the same one. */
const outageWaitSeconds = 2

/** Every 503 says when to try again. */
function withWait({ code, detail, headers }: Refusal): Refusal {
  return new Refusal(code, detail, { 'retry-after': String(outageWaitSeconds), ...headers })
}
