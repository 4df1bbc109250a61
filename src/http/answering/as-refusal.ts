import type { Logger } from 'pino'
import { Refusal } from '../../contract/refusal.ts'
import { Outage } from '../../vocabulary/outage.ts'

/**
 * What a caller is told when anything is thrown. A refusal passes through and an outage is 503. Everything else is a
 * bug: a fixed 500, with the cause in the log only (ERR-71).
 */
export function asRefusal(error: unknown, requestId: string, operation: string, log: Logger): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof Outage) {
    log.warn(
      { requestId, operation, outage: error.message, cause: (error.cause as Error | undefined)?.message },
      'outage',
    )
    return new Refusal(error.of === 'audit' ? 'audit_unavailable' : 'service_unavailable')
  }
  log.error({ requestId, operation, err: error }, 'bug')
  return new Refusal('internal_error')
}
