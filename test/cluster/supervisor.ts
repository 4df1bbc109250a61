import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { killAll, namespaceOf, type Machine } from './network.ts'

/**
 * Keeps the programs of a machine running, as systemd does with `Restart=always` and `RestartSec=1`: one that ends is
 * started again after a second.
 */
export type Program = {
  name: string
  command: readonly string[]
  environment?: Readonly<Record<string, string>>
  /** the user that it runs as; root by default */
  user?: string
}

export type Supervisor = {
  start: (program: Program) => void
  /** the process id of a program that runs */
  pid: (name: string) => number
  /** kills a program with SIGKILL; it is started again like any other that ends */
  kill: (name: string) => void
  /** kills everything on the machine, and starts nothing again until it is powered on */
  powerOff: () => Promise<void>
  powerOn: () => void
}

const restartMilliseconds = 1_000

/** @param folder gets a log file for each program */
export function supervise(machine: Machine, folder: string): Supervisor {
  const programs = new Map<string, { program: Program; child?: ChildProcess }>()
  let isOn = true

  function launch({ program }: { program: Program }): void {
    const { name, command, environment = {}, user } = program
    const log = createWriteStream(join(folder, `${machine}-${name}.log`), { flags: 'a' })
    const asUser = user === undefined ? [] : [`--reuid=${user}`, `--regid=${user}`, '--clear-groups']
    // Programs end with this process, whatever happens to it.
    const words = ['netns', 'exec', namespaceOf(machine), 'setpriv', ...asUser, '--pdeathsig=KILL', ...command]
    const child = spawn('ip', words, {
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.pipe(log, { end: false })
    child.stderr.pipe(log, { end: false })
    programs.set(name, { program, child })
    child.once('exit', (code, signal) => {
      log.end(`ended with ${signal ?? code}\n`)
      programs.set(name, { program })
      setTimeout(() => {
        if (isOn && programs.get(name)?.child === undefined) launch({ program })
      }, restartMilliseconds)
    })
  }

  function childOf(name: string): ChildProcess {
    const child = programs.get(name)?.child
    if (!child) throw new Error(`${name} does not run on ${machine}`)
    return child
  }

  return {
    start: (program) => launch({ program }),
    pid: (name) => childOf(name).pid!,
    kill: (name) => void childOf(name).kill('SIGKILL'),
    powerOff: async () => {
      isOn = false
      while ((await killAll(machine)) > 0);
    },
    powerOn: () => {
      isOn = true
      for (const each of programs.values()) if (each.child === undefined) launch(each)
    },
  }
}
