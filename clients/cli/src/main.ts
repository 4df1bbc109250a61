import { profilesFile } from './credentials/profiles.ts'
import { exitCodeOf } from './exit-codes.ts'
import { runProgram } from './program.ts'
import { report } from './report.ts'
import { openTerminal } from './terminal/terminal.ts'
import type { World } from './world.ts'

/** The program: runs the command that the command line names, and exits with the code that says how it went. */
const stop = new AbortController()
const terminal = openTerminal(process.stdout, process.stderr, process.env)
const world: World = {
  terminal,
  environment: process.env,
  stdin: process.stdin,
  stop: stop.signal,
  credentialsFile: profilesFile(process.env),
  now: () => new Date(),
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Whoever asks twice does not want to wait for what is under way.
    if (stop.signal.aborted) process.exit(exitCodeOf('interrupted'))
    stop.abort()
  })
}
// The reader of a pipe that has enough goes away: `… | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCodeOf('ok') : exitCodeOf('failed'))
})

let code = exitCodeOf('ok')
try {
  await runProgram(world, process.argv.slice(2))
  if (stop.signal.aborted) code = exitCodeOf('interrupted')
} catch (error) {
  code = report(error, world)
}
terminal.progress(undefined)
// What waits in a pipe is written before the end. Connections that are kept open would hold it up.
process.exitCode = code
process.stdin.destroy()
await new Promise<void>((resolve) => process.stdout.write('', () => resolve()))
process.exit(code)
