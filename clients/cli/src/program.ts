import { Option, type Command } from 'commander'
import { command } from './command.ts'
import { artworkCommand } from './commands/artwork.ts'
import { clockCommand } from './commands/clock.ts'
import { completionCommand } from './commands/completion.ts'
import { deliveriesCommand } from './commands/deliveries.ts'
import { doctorCommand } from './commands/doctor.ts'
import { goLiveCommand } from './commands/go-live.ts'
import { listenCommand } from './commands/listen.ts'
import { loginCommand, logoutCommand } from './commands/login.ts'
import { logsCommand } from './commands/logs.ts'
import { ordersCommand } from './commands/orders.ts'
import { productsCommand } from './commands/products.ts'
import { proofsCommand } from './commands/proofs.ts'
import { sitesCommand } from './commands/sites.ts'
import { triggerCommand } from './commands/trigger.ts'
import { whoamiCommand } from './commands/whoami.ts'
import { exitCodes } from './exit-codes.ts'
import { bold, red } from './terminal/pieces.ts'
import type { Terminal } from './terminal/terminal.ts'
import { version } from './version.ts'
import type { World } from './world.ts'

/** Runs the command that the words of the command line name. */
export async function runProgram(world: World, words: readonly string[]): Promise<void> {
  const [first = '', topic] = words
  if (['-h', '--help', 'help'].includes(first) && topic === 'exit-codes') return world.terminal.own(exitCodesHelp)
  await program(world).parseAsync(words, { from: 'user' })
}

/** The whole tree of commands. Parsing, help and completion are made from it. */
function program(world: World): Command {
  const { terminal } = world
  const root = command('partner-commerce', 'The command line of Partner Commerce.', [
    'login --url https://sandbox.example.com',
    'doctor',
    'listen --forward-to http://localhost:3000/hooks',
    'trigger proof',
  ])
    .usage('<command> [options]')
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help; --help exit-codes says what the program exits with')
    .helpCommand('help [command]', 'show the help of a command')
    .option('--profile <NAME>', 'use this profile')
    .option('--url <ADDRESS>', 'use the profile of the host at this address')
    .addOption(new Option('--sandbox', 'use the sandbox, and nothing else').conflicts('production'))
    .addOption(new Option('--production', 'use production, and nothing else').conflicts('sandbox'))
    .option('--json', 'print JSON and nothing else on stdout')
    .addHelpText('after', () => environmentHelp)
  for (const make of [
    loginCommand,
    logoutCommand,
    whoamiCommand,
    doctorCommand,
    sitesCommand,
    productsCommand,
    ordersCommand,
    artworkCommand,
    proofsCommand,
    listenCommand,
    triggerCommand,
    clockCommand,
    deliveriesCommand,
    logsCommand,
    goLiveCommand,
  ]) {
    root.addCommand(make(world))
  }
  root.addCommand(completionCommand(world, root))
  setUp(root, terminal)
  return root
}

/** Each command tells its errors as all others are told. */
function setUp(each: Command, terminal: Terminal): void {
  each
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: terminal.own,
      writeErr: terminal.ownTold,
      outputError: (text) => {
        const [what = '', ...more] = text
          .replace(/^error: /, '')
          .trim()
          .split('\n')
        terminal.say(red('✗ '), bold(`${what[0]?.toUpperCase()}${what.slice(1)}`))
        for (const line of more) terminal.say('  ', line.replace(/^\((.*)\)$/, '$1'))
        terminal.say('  ', `\`${pathOf(each)} --help\` shows what it takes.`)
      },
    })
  for (const below of each.commands) setUp(below, terminal)
}

function pathOf(each: Command): string {
  return each.parent ? `${pathOf(each.parent)} ${each.name()}` : each.name()
}

const environmentHelp = `
Environment:
  PARTNER_COMMERCE_URL, PARTNER_COMMERCE_CLIENT_ID, PARTNER_COMMERCE_CLIENT_SECRET
                            a credential that is used without being kept
  PARTNER_COMMERCE_PROFILE  the profile to use
  NO_COLOR                  no colour
`

const exitCodesHelp = `Exit codes:
${Object.values(exitCodes)
  .map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`)
  .join('\n')}
`
