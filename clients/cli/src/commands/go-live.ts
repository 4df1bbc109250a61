import type { Command } from 'commander'
import { command, runs } from '../command.ts'
import { openSession } from '../session.ts'
import type { World } from '../world.ts'

export function goLiveCommand(world: World): Command {
  const made = command('go-live', 'Show what is still to be seen in your sandbox before you go live', ['go-live'])
  return runs(made, world, async ({ flags }) => {
    const { client } = await openSession(world, flags, { sandbox: true })
    world.terminal.json(await client.getGoLive({}, { signal: world.stop }))
  })
}
