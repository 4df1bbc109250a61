import type { Handler } from '../../contract/operation.ts'
import type { identity } from './contract.ts'

/** Checks nothing: it shows that the service answers, not that its dependencies work. */
export function ping(): Handler<typeof identity.ping> {
  return async ({ now }) => ({
    status: 200,
    body: { status: 'OK', time: now.toISOString() },
  })
}
