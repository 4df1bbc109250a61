import type { Handler } from '../../contract/operation.ts'
import type { identity } from './contract.ts'

/** Looks at nothing: it tells that the service answers, not that all it needs is well. */
export function ping(): Handler<typeof identity.ping> {
  return async ({ now }) => ({
    status: 200,
    body: { status: 'OK', time: now.toISOString() },
    headers: { 'cache-control': 'no-store' },
  })
}
