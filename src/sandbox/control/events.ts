import type { Caller } from '../../contract/caller.ts'
import type { Handler } from '../../contract/operation.ts'
import { usualEventTypes } from '../../platform/events/events.ts'
import type { control } from './contract.ts'
import type { ControlParts } from './parts.ts'
import { type KeyRing, mac, ofEach } from '../../vocabulary/keys.ts'

type Parts = Pick<ControlParts, 'eventStreams' | 'eventStreamKeys'>

export function streamEvents({ eventStreams, eventStreamKeys }: Parts): Handler<typeof control.streamEvents> {
  return async ({ caller, query, stream }) => {
    const { types = usualEventTypes, seconds } = query
    if (seconds !== undefined) {
      const over = setTimeout(stream.end, seconds * 1_000)
      stream.ending.addEventListener('abort', () => clearTimeout(over))
    }
    const { partnerId } = caller
    const secrets = streamSecretsOf(eventStreamKeys, caller)
    return { status: 200, body: await eventStreams.follow(stream, { partnerId, types, secrets }) }
  }
}

/**
 * The same for every stream and check of a credential, so that a receiver on the developer's machine is told it once; another for
 * every other one. The first is the one to use; receivers may still have one of the others.
 */
export function streamSecretsOf(keys: KeyRing, { partnerId, clientId, user }: Caller): readonly [string, ...string[]] {
  const whose = JSON.stringify([partnerId, clientId, user?.userName ?? null])
  return ofEach(keys, (key) => `whsec_${mac([key], whose).toString('base64url')}`)
}
