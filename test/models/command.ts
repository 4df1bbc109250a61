import * as fc from 'fast-check'
import type { Partner } from '../world/partner.ts'
import type { World } from './model-world.ts'

/** One step of a sequence: asks the service and the model the same, and compares what they answer. */
export type Command = fc.AsyncCommand<World, Partner>

export function command(text: string, run: (world: World, partner: Partner) => Promise<void>): Command {
  return { check: () => true, run, toString: () => text }
}

/** Names one of the records there are when the step is taken, or one that is none of the partner's. */
export const index = fc.nat(11)

export function oneOrOutside<Record>(records: readonly Record[], at: number): Record | undefined {
  return records[at % (records.length + 1)]
}
