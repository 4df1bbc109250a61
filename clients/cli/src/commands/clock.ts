import type { Command } from 'commander'
import type { SandboxClock } from '@partner-commerce/client'
import { command, runs } from '../command.ts'
import { readDuration, shownDuration } from '../durations.ts'
import { usage } from '../failure.ts'
import { openSession } from '../session.ts'
import { bold, dim, green, textOf, yellow } from '../terminal/pieces.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { when } from '../terminal/words.ts'
import type { World } from '../world.ts'

export function clockCommand(world: World): Command {
  const made = command('clock', 'Show your clock in the sandbox', ['clock', 'clock advance 3d'])
  made.addCommand(advance(world))
  return runs(made, world, async ({ flags }) => {
    const { client } = await openSession(world, flags, { sandbox: true })
    const clock = await client.getSandboxClock({}, { signal: world.stop })
    if (flags.json) return world.terminal.json(clock)
    show(world.terminal, clock)
  })
}

function show(terminal: Terminal, clock: SandboxClock): void {
  terminal.facts([
    ['Your clock', bold(textOf(when(clock.now)))],
    ['Sandbox clock', when(clock.worldNow)],
    ['Ahead', clock.aheadSeconds === 0 ? dim('not at all') : shownDuration(clock.aheadSeconds)],
  ])
}

function advance(world: World): Command {
  const made = command('advance', 'Advance your clock: everything that becomes due meanwhile happens', [
    'clock advance 3d',
    'clock advance 1d12h',
  ]).argument('<DURATION>', 'days, hours and minutes: 3d, 5h, 90m, 1d12h')
  return runs(made, world, async ({ flags }, written) => {
    const { days, hours, minutes, seconds } = readDuration(written!)
    if (seconds > 0) throw usage('The clock advances by whole minutes.', 'Write 1m instead of seconds.')
    const { client } = await openSession(world, flags, { sandbox: true })
    const { terminal } = world
    terminal.progress('What becomes due is happening …')
    const body = { ...(days && { days }), ...(hours && { hours }), ...(minutes && { minutes }) }
    const clock = await client.advanceSandboxClock({ body }, { signal: world.stop })
    terminal.progress(undefined)
    if (flags.json) return terminal.json(clock)
    show(terminal, clock)
    if (clock.settled) terminal.say(green('✓ '), 'Everything that was due has happened.')
    else terminal.say(yellow('! '), 'The simulator is still working; look again in a moment.')
  })
}
