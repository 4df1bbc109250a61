import { test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { partner } from '../world/partner.ts'
import { testService } from '../world/service.ts'
import { accountCommands } from './account-commands.ts'
import { catalogCommands } from './catalog-commands.ts'
import type { Command } from './command.ts'
import { modelWorld } from './model-world.ts'

/**
 * Runs random sequences of writes and reads against the service over HTTP and against a small in-memory model. A failure
 * prints its seed and the shortest failing sequence found. MODEL_SEED repeats it; MODEL_RUNS sets the number of sequences.
 */
const runs = Number(process.env.MODEL_RUNS ?? 25)
const seed = process.env.MODEL_SEED === undefined ? Date.now() % 1_000_000_000 : Number(process.env.MODEL_SEED)
const commandsMax = 30

const service = await testService()
const primary = await partner(service, 'primary')

test('CAT-07 CAT-08 CAT-09 CAT-17 CAT-27 CAT-29 CAT-32 ERR-35 ERR-37 in any sequence of catalog writes, every answer matches the model', async (context) => {
  await follow(context, catalogCommands)
})

test('USR-05 USR-06 USR-07 USR-15 USR-24 ERR-59 ERR-62 DIV-03 DIV-04 LIM-29 GAP-41 in any sequence of user and division writes, every answer matches the model', async (context) => {
  await follow(context, accountCommands)
})

async function follow(context: TestContext, commands: fc.Arbitrary<Command>[]): Promise<void> {
  context.diagnostic(`MODEL_SEED=${seed} MODEL_RUNS=${runs}`)
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: commandsMax, size: '+1' }), async (sequence) => {
      const model = await modelWorld(service)
      await fc.asyncModelRun(() => ({ model, real: primary }), sequence)
    }),
    { numRuns: runs, seed },
  )
}
