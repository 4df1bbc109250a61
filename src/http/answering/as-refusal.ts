import type { Logger } from 'pino'
import { Refusal } from '../../contract/refusal.ts'
import { Outage } from '../../vocabulary/outage.ts'

/**
 * What a caller is told when anything is thrown. A refusal passes through and an outage is 503 with `Retry-After`. Everything else is a
 * bug: a fixed 500, with the cause in the log only (ERR-71).
 */
export function asRefusal(error: unknown, requestId: string, operation: string, log: Logger): Refusal {
  if (error instanceof Refusal) return isOutage(error) ? withWait(error) : error
  if (error instanceof Outage) {
    log.warn(
      { requestId, operation, outage: error.message, cause: (error.cause as Error | undefined)?.message },
      'outage',
    )
    return withWait(new Refusal(error.of === 'audit' ? 'audit_unavailable' : 'service_unavailable'))
  }
  log.error({ requestId, operation, err: error }, 'bug')
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
