import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** `signal`: what stopped it, if something did. */
type Ended = { status: number | null; signal?: NodeJS.Signals }

/** Time for PostgreSQL to end by itself. */
const graceMilliseconds = 10_000

/**
 * Runs node with a folder of its own for temporary files. Whatever way it ends, by Ctrl-C too, nothing that it started is left: no
 * process, no PostgreSQL, no mounted disk and no file.
 */
export async function runInOwnFolder(words: readonly string[]): Promise<Ended> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'partner-commerce-bench-'))
  // PostgreSQL and those who read print files are users of their own.
  chmodSync(folder, 0o711)
  const child = spawn(process.execPath, words, { stdio: 'inherit', env: { ...process.env, TMPDIR: folder } })
  let signal: NodeJS.Signals | undefined
  const heard = (one: NodeJS.Signals): void => {
    signal = one
    child.kill(one)
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const one of signals) process.on(one, heard)
  try {
    const status = await new Promise<number | null>((resolve, reject) => child.on('exit', resolve).on('error', reject))
    return { status, signal }
  } finally {
    await endAllOf(folder)
    for (const mount of mountsIn(folder)) spawnSync('umount', ['-l', mount])
    rmSync(folder, { recursive: true, force: true })
    for (const one of signals) process.off(one, heard)
  }
}

/** A server of PostgreSQL works in its data, and frees shared memory as it stops; of all others nothing is kept. */
async function endAllOf(folder: string): Promise<void> {
  const until = performance.now() + graceMilliseconds
  for (let pids = processesOf(folder); pids.length > 0; pids = processesOf(folder)) {
    for (const pid of pids) {
      const mayStop = isIn(folder, pid) && performance.now() < until
      try {
        process.kill(pid, mayStop ? 'SIGINT' : 'SIGKILL')
      } catch {
        // It has ended meanwhile.
      }
    }
    await pause(100)
  }
}

/** Those that work in the folder, and those that were started with it as theirs. */
function processesOf(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => isIn(folder, pid) || environment(pid).includes(`TMPDIR=${folder}`))
}

function isIn(folder: string, pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
  } catch {
    return false
  }
}

function environment(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function mountsIn(folder: string): string[] {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  return mounts.map((line) => line.split(' ')[1] ?? '').filter((mount) => mount.startsWith(`${folder}/`))
}
