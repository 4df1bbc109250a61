import * as fc from 'fast-check'
import type { Partner } from '../world/partner.ts'
import type { World } from './model-world.ts'

/** One step of a sequence: sends the same call to the service and to the model, and compares their answers. */
export type Command = fc.AsyncCommand<World, Partner>

export function command(text: string, run: (world: World, partner: Partner) => Promise<void>): Command {
  return { check: () => true, run, toString: () => text }
}

/** Picks one of the records that exist when the step runs, or one outside the partner's access. */
export const index = fc.nat(11)

export function oneOrOutside<Record>(records: readonly Record[], at: number): Record | undefined {
  return records[at % (records.length + 1)]
}
