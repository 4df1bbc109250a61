import type { LoggedRequest } from './requests.tsx'

/** What quantities and postal codes of the sandbox make fail on purpose: the log does not keep what was asked with. */
const operations = new Set(['submitOrder', 'quoteOrder', 'quoteProduct', 'quoteShipping'])
const answers: Readonly<Record<string, number>> = { rate_limit_exceeded: 429, service_unavailable: 503 }

/** Whether the sandbox may have been asked for this answer. */
export function isMadeToFail({ operation, status, code }: LoggedRequest): boolean {
  return operation !== null && operations.has(operation) && code !== null && answers[code] === status
}
