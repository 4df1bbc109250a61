import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { commandInTerminal, type Home } from '../../clients/cli/test/world/program.ts'

/** A shell in a terminal, as somebody uses it who follows a guide. Its prompt tells how the last command ended. */
export type Shell = {
  /** types commands, one line each, and waits until they have ended well; answers what they have written */
  type: (commands: string) => Promise<string>
  /** types a command that ends only when it is told to, and waits until it has written this */
  begin: (command: string, wanted: RegExp) => Promise<RegExpExecArray>
  /** waits until the command that was begun has written this */
  shows: (wanted: RegExp) => Promise<RegExpExecArray>
  /** ends with Ctrl-C what was begun */
  interrupt: () => Promise<void>
  /** all that the terminal has shown */
  recorded: () => string
}

/** What takes longer has got stuck. */
const waitMilliseconds = 60_000

/** No line that is typed or told is wider. */
const columns = 400

export async function openShell(t: TestContext, home: Home): Promise<Shell> {
  const environment = { ...home.environment, PROMPT_COMMAND: 'PS1="[$?] $ "' }
  // Without line editing the terminal itself echoes what is typed.
  const shell = ['bash', '--norc', '--noprofile', '--noediting', '-i']
  const terminal = commandInTerminal(t, { ...home, environment }, shell, columns)
  const { shown } = terminal
  const awaited = async (wanted: RegExp): Promise<RegExpExecArray> => {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error(`${wanted} was not shown: ${shown()}`)), waitMilliseconds)
    return Promise.race([terminal.shows(wanted), late.promise]).finally(() => clearTimeout(timer))
  }
  /** Waits for the next prompt behind what was shown then. Answers what came before it, and how the command ended. */
  const prompt = async (from: number): Promise<readonly [written: string, code: number]> => {
    const [, written, code] = await awaited(new RegExp(`^[^]{${from}}([^]*?)\\[(\\d+)\\] \\$ $`))
    return [written!, Number(code)]
  }
  await prompt(0)
  let begunAt = 0
  const shows = (wanted: RegExp) => awaited(new RegExp(`(?<=^[^]{${begunAt}}[^]*)${wanted.source}`))
  return {
    type: async (commands) => {
      const from = shown().length
      for (const command of commands.split('\n')) {
        const before = shown().length
        terminal.type(`${command}\n`)
        const [written, code] = await prompt(before)
        assert.equal(code, 0, `${command}:${written}`)
      }
      return shown().slice(from)
    },
    begin: (command, wanted) => {
      begunAt = shown().length + command.length
      terminal.type(`${command}\n`)
      return shows(wanted)
    },
    shows,
    interrupt: async () => {
      const from = shown().length
      terminal.type('\u0003')
      await prompt(from)
    },
    recorded: () => shown().replaceAll(/[^\n]*\r(?!\n)/g, ''),
  }
}
