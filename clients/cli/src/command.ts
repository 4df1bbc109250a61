import { Command, InvalidArgumentError } from 'commander'
import { usage } from './failure.ts'
import type { Flags, World } from './world.ts'

/** What commands are made of. The tree of commands is also what help and completion are made from. */

/**
 * @param name with its arguments: `get <order>`
 * @param examples without the name of the program, unless they begin with something else: `$ …`
 */
export function command(name: string, says: string, examples: readonly string[] = []): Command {
  const made = new Command(name).description(says).helpOption('-h, --help', 'show help').helpCommand(false)
  if (examples.length > 0) {
    const lines = examples.map((example) =>
      example.startsWith('$ ') ? `  ${example}` : `  $ partner-commerce ${example}`,
    )
    made.addHelpText('after', `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${lines.join('\n')}`)
  }
  return made
}

/** A command that only has others below it: alone it shows its help, and that is an error. */
export function group(name: string, says: string, commands: readonly Command[]): Command {
  const made = command(name, says)
  for (const each of commands) made.addCommand(each)
  return made
}

export type Call<Options> = { flags: Flags; options: Options; world: World }

/** Makes `run` what the command does. It gets the words of the command line in the order of the arguments. */
export function runs<Options extends object = object>(
  made: Command,
  world: World,
  run: (call: Call<Options>, ...words: string[]) => Promise<void>,
): Command {
  return made.action(async (...given: unknown[]) => {
    const self = given.at(-1) as Command
    const words = given.slice(0, -2).flat() as string[]
    const options = self.optsWithGlobals<Options & Flags>()
    await run({ flags: options, options, world }, ...words)
  })
}

/** The parser of an option: a whole number of at least `min`. */
export function wholeFrom(min: number, max = Number.MAX_SAFE_INTEGER): (written: string) => number {
  return (written) => {
    const value = Number(written)
    if (/^\d+$/.test(written) && value >= min && value <= max) return value
    throw new InvalidArgumentError(
      max === Number.MAX_SAFE_INTEGER
        ? `It must be a whole number of at least ${min}.`
        : `It must be a whole number from ${min} to ${max}.`,
    )
  }
}

/** The number of an order or of a line, as an argument. */
export function numberOf(what: 'order' | 'line', written: string): number {
  const value = Number(written)
  if (/^\d{1,15}$/.test(written) && value > 0) return value
  throw usage(
    `"${written}" is not the number of ${what === 'order' ? 'an order' : 'a line'}.`,
    what === 'order'
      ? '`partner-commerce orders list` shows the numbers of your orders.'
      : '`partner-commerce orders get ORDER` shows the numbers of its lines.',
  )
}

/** A command about a line of an order; its first two words are for `lineOf`. */
export function ofLine(name: string, says: string, examples: readonly string[]): Command {
  return command(name, says, examples)
    .argument('<ORDER>', 'the order number')
    .argument('<ITEM>', 'the number of the line')
}

export type Line = { orderNumber: number; itemNumber: number }

export function lineOf(order: string, item: string): Line {
  return { orderNumber: numberOf('order', order), itemNumber: numberOf('line', item) }
}
