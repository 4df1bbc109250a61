import type { GoLive } from '@partner-commerce/client'
import type { Command } from 'commander'
import { command, runs } from '../command.ts'
import { Failure } from '../failure.ts'
import { guideAt } from '../guides.ts'
import { openSession } from '../session.ts'
import { bold, cyan, dim, green, red, textOf, type Piece } from '../terminal/pieces.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { when } from '../terminal/words.ts'
import type { World } from '../world.ts'

type Item = GoLive['items'][number]

export function goLiveCommand(world: World): Command {
  const made = command('go-live', 'Show what your integration has shown in the sandbox, and what is still to be seen', [
    'go-live',
    'go-live --json',
  ]).addHelpText('after', '\nIt exits with 1 until everything is done.')
  return runs(made, world, async ({ flags }) => {
    const { client } = await openSession(world, flags, { sandbox: true })
    const { data: goLive, response } = await client.getGoLive({}, { signal: world.stop }).withResponse()
    const { terminal } = world
    const done = goLive.items.filter(({ state }) => state === 'done').length
    if (flags.json) terminal.json(goLive)
    else for (const item of goLive.items) show(terminal, item, guideAt(response.headers, item.guide))
    if (!goLive.ready) {
      throw new Failure(
        'failed',
        `${done} of ${goLive.items.length} are done.`,
        'Each of the others says how to make it happen.',
      )
    }
    if (!flags.json) terminal.print(green('✓ '), bold('Your integration is ready to go live.'))
  })
}

const marks: Readonly<Record<string, Piece>> = { done: green('✓ '), failed: red('✗ ') }

function show(terminal: Terminal, { title, state, evidence, toDo }: Item, guide: string): void {
  terminal.print(marks[state] ?? dim('○ '), bold(title))
  if (evidence) terminal.print('  ', evidence.says, dim(`  ${textOf(when(evidence.on))}`))
  if (state === 'done') return
  terminal.print('  ', cyan(toDo))
  // On a line of its own it stays whole, and can be opened from the terminal.
  terminal.print('  ', dim(guide))
}
