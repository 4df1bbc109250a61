import { createHmac } from 'node:crypto'
import type { Caller } from '../../contract/caller.ts'
import type { Handler } from '../../contract/operation.ts'
import { usualEventTypes } from '../../platform/events/events.ts'
import type { control } from './contract.ts'
import type { ControlParts } from './parts.ts'

type Parts = Pick<ControlParts, 'eventStreams' | 'eventStreamKey'>

export function streamEvents({ eventStreams, eventStreamKey }: Parts): Handler<typeof control.streamEvents> {
  return async ({ caller, query, stream }) => {
    const { types = usualEventTypes, seconds } = query
    if (seconds !== undefined) {
      const over = setTimeout(stream.end, seconds * 1_000)
      stream.ending.addEventListener('abort', () => clearTimeout(over))
    }
    const { partnerId } = caller
    const secret = streamSecretOf(eventStreamKey, caller)
    return { status: 200, body: await eventStreams.follow(stream, { partnerId, types, secret }) }
  }
}

/**
 * The same for every stream and check of a credential, so that a receiver on the developer's machine is told it once; another for
 * every other one.
 */
export function streamSecretOf(key: Buffer, { partnerId, clientId, user }: Caller): string {
  const whose = JSON.stringify([partnerId, clientId, user?.userName ?? null])
  return `whsec_${createHmac('sha256', key).update(whose).digest('base64url')}`
}
