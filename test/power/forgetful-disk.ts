import { execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { signalAll } from '../world/service-process.ts'

const run = promisify(execFile)

/** What a loss of power takes: all that was not synced, or a random part of it. */
export type Loss = 'all' | 'some'

/** How much a loss took: pages of 4,096 bytes, sizes of files, and names in folders. */
export type Forgotten = { pages: number; sizes: number; names: number }

/** A mounted file system that forgets what was not synced when its power fails; see `forgetful-fs.c`. */
export type ForgetfulDisk = {
  folder: string
  /** Takes the power away, and ends every process that works in the folder. */
  powerOff: (loss: Loss, seed: number) => Promise<Forgotten>
  powerOn: () => Promise<void>
  /** For the control: from now on no sync does anything. */
  ignoreSyncs: () => Promise<void>
  unmount: () => Promise<void>
}

/** Why there can be no such disk here; undefined if there can. */
export function whyNoDisk(): string | undefined {
  if (process.getuid?.() !== 0) return 'Only root may mount a disk that other users reach'
  if (!existsSync('/dev/fuse')) return 'There is no /dev/fuse'
  const missing = ['/usr/bin/gcc', '/usr/bin/pkg-config', '/usr/include/fuse3/fuse.h', '/usr/bin/fusermount3']
    .filter((path) => !existsSync(path))
    .join(', ')
  return missing === ''
    ? undefined
    : `${missing} is missing: Debian's packages gcc, pkg-config, fuse3 and libfuse3-dev have it`
}

export async function mountForgetfulDisk(): Promise<ForgetfulDisk> {
  const home = await mkdtemp(join(tmpdir(), 'partner-commerce-power-'))
  const program = join(home, 'forgetful-fs')
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-disk-'))
  const { stdout } = await run('pkg-config', ['--cflags', '--libs', 'fuse3'])
  const source = join(import.meta.dirname, 'forgetful-fs.c')
  await run('gcc', ['-O2', '-Wall', '-Wextra', '-Werror', '-o', program, source, ...stdout.trim().split(/\s+/)])
  const serving = spawn(program, [folder, '-f', '-s', '-o', 'allow_other,default_permissions'], { stdio: 'inherit' })
  const commands = join(folder, '.power')
  while (!existsSync(commands)) {
    if (serving.exitCode !== null) throw new Error(`the file system ended with ${serving.exitCode}`)
    await pause(10)
  }
  const command = (text: string) => writeFile(commands, text, { flag: 'r+' })
  return {
    folder,
    powerOff: async (loss, seed) => {
      await command(loss === 'all' ? 'off all' : `off some ${seed}`)
      await endAllIn(folder)
      return JSON.parse(await readFile(commands, 'utf8')) as Forgotten
    },
    powerOn: () => command('on'),
    ignoreSyncs: () => command('ignore syncs'),
    unmount: async () => {
      await endAllIn(folder)
      await run('fusermount3', ['-u', '-z', folder])
      await rm(folder, { recursive: true, force: true })
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Kills the processes that work in the folder or were told of it, until there is none. */
async function endAllIn(folder: string): Promise<void> {
  for (let pids = processesIn(folder); pids.length > 0; pids = processesIn(folder)) {
    signalAll(pids, 'SIGKILL')
    await pause(10)
  }
}

function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        if (readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) return false
        if (readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)) return true
        const told = readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8')
        return told.includes(`${folder}/`)
      } catch {
        // It ended meanwhile.
        return false
      }
    })
}
