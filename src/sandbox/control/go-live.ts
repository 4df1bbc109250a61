import type { Handler } from '../../contract/operation.ts'
import { goLiveOf } from '../go-live/go-live.ts'
import type { control } from './contract.ts'
import type { ControlParts } from './parts.ts'

export function getGoLive({ database }: Pick<ControlParts, 'database'>): Handler<typeof control.getGoLive> {
  const { longReads: reads, statements } = database
  return async ({ caller }) => ({ status: 200, body: await goLiveOf({ reads, statements }, caller.partnerId) })
}
