import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Outage } from '../../vocabulary/outage.ts'
import { engineVersion } from '../engine-version.ts'
import { type Frame, createFrameReader, frameOf } from './frames.ts'
import { type Isolation, isolations } from './isolation.ts'
import { commandOf, filesOf, type Program } from './program.ts'
import type { Order } from './serve-file.ts'

/** A child process that has said that it is ready. */
export type Child = {
  pid: number
  /** Resolves when the pipe has taken it, or when the child is gone. */
  tell(order: Order, bytes?: Uint8Array): Promise<void>
  /** The next that it says; undefined once it is gone. @throws if it is no frame */
  next(): Promise<Frame | undefined>
  /** Whether the service stays up for its sake. */
  hold(on: boolean): void
  /** At once, with all that it may have started. What it has said and nobody has read is lost. */
  kill(): void
  gone: Promise<Ending>
}

export type Ending = { code: number | null; signal: NodeJS.Signals | null }

export type Launcher = {
  /** @throws Outage */
  start(program: Program): Promise<Child>
}

/** The last of what a child that fails to start may say about it. */
const complaintBytes = 4_096

/**
 * Starts children in the strongest isolation that works here. The first start finds out; later ones are started in it or
 * not at all.
 */
export function createLauncher(log: (line: string) => void, ways: readonly Isolation[] = isolations()): Launcher {
  let way: Promise<Isolation> | undefined

  async function firstThatWorks(program: Program): Promise<Isolation> {
    let complaint: unknown
    for (const each of ways) {
      try {
        const child = await launch(each, program)
        child.kill()
        await child.gone
        log(`artwork is inspected in processes of their own, with Node's permissions and: ${each.layers.join(', ')}`)
        return each
      } catch (error) {
        complaint = error
      }
    }
    throw complaint
  }

  return {
    start: async (program) => {
      way ??= firstThatWorks(program)
      try {
        return await launch(await way, program)
      } catch (error) {
        if (
          await way.then(
            () => false,
            () => true,
          )
        )
          way = undefined
        throw new Outage((error as Error).message, error)
      }
    },
  }
}

async function launch(isolation: Isolation, program: Program): Promise<Child> {
  const [file, ...parameters] = isolation.around(commandOf(program), filesOf(program))
  // A process group of its own, which is killed as one. No variable of the service's environment reaches the child.
  const child = spawn(file!, parameters, { detached: true, env: {}, cwd: '/', stdio: 'pipe' })
  const gone = new Promise<Ending>((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  let complaint = ''
  child.stderr.on('data', (piece: Buffer) => (complaint = (complaint + piece.toString()).slice(-complaintBytes)))
  const running = handleOf(child as Piped, gone)
  const ready = await running.next().catch(() => undefined)
  const { kind, version } = Object(ready?.head) as { kind?: unknown; version?: unknown }
  if (kind === 'ready' && version === engineVersion) return running
  running.kill()
  await gone
  if (kind === 'ready') throw new Error('the program on disk is another than the one that runs; start it again')
  throw new Error(`a process that inspects artwork could not start: ${complaint.trim()}`)
}

/** The pipes of a child are sockets to Node. */
type Piped = ChildProcess & { stdin: Socket; stdout: Socket; stderr: Socket }

function handleOf(child: Piped, gone: Promise<Ending>): Child {
  const frames = framesOf(child.stdout)
  let isKilled = false
  let isGone = false
  void gone.then(() => (isGone = true))
  // Writing to a child that is gone fails; reading from it tells.
  child.stdin.on('error', () => {})
  return {
    pid: child.pid!,
    tell: async (order, bytes) => {
      for (const part of frameOf(order, bytes)) child.stdin.write(part)
      if (child.stdin.writableNeedDrain) await Promise.race([once(child.stdin, 'drain').catch(() => {}), gone])
    },
    next: async () => {
      try {
        return (await frames.next()).value ?? undefined
      } catch (error) {
        if (isKilled) return undefined
        throw error
      }
    },
    hold: (on) => {
      const method = on ? 'ref' : 'unref'
      child[method]()
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe[method]()
    },
    kill: () => {
      isKilled = true
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy()
      // Later its id may be another's.
      if (isGone || child.pid === undefined) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // it has just ended
      }
    },
    gone,
  }
}

/** At most this many bytes of JSON, and of a picture, in a frame. */
const reportBounds = { head: 8 * 1_024 * 1_024, bytes: 32 * 1_024 * 1_024 }

async function* framesOf(stdout: Socket): AsyncGenerator<Frame, undefined> {
  const read = createFrameReader(reportBounds)
  for await (const piece of stdout) yield* read(piece as Buffer)
  return undefined
}
