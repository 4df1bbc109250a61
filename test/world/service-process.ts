import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDatabase, type Database } from '../../src/database/database.ts'
import { clusterIn } from '../../src/database/embedded/cluster.ts'
import { readPostmasterFile } from '../../src/database/embedded/postmaster-file.ts'
import { runningServerUrl } from '../../src/database/embedded/running-server.ts'
import type { Hosts, Manifest } from '../../src/demo/manifest.ts'
import { silent } from './partner-builder.ts'

/**
 * The service as it runs in production: `node src/main.ts`, a separate process with its own PostgreSQL in a data
 * folder. A test can stop it, kill it, and start it again on the same folder.
 */
export type ServiceProcess = {
  pid: number
  hosts: Hosts
  manifest: Manifest
  /** the output so far */
  stdout: () => string
  stderr: () => string
  /** resolves when the process ends, for whatever reason */
  ended: Promise<Ended>
  signal: (signal: NodeJS.Signals) => void
}

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

const everyPortFree = {
  PORT: '0',
  MTLS_PORT: '0',
  SANDBOX_PORT: '0',
  DEVELOPER_PORT: '0',
  CONSOLE_PORT: '0',
  STORAGE_PORT: '0',
  OPS_PORT: '0',
}

/** The file `.env` of whoever runs the tests is not theirs. */
const bare = { PATH: process.env.PATH, ENV_FILE: '/dev/null' }

type Launched = Pick<ServiceProcess, 'pid' | 'stdout' | 'stderr' | 'ended' | 'signal'>

/** `npm`: with `npm start`, in a new process group as in a terminal. `pid` and `signal` refer to npm's process. */
type StartedBy = 'node' | 'npm'

/**
 * Starts the process without waiting. It gets these variables; of this process's environment, only PATH.
 * @param readLog gets the log instead of `stderr`, however long it is
 * @param program the folder of the release; this checkout, where none is named
 */
export function launchService(
  dataDir: string,
  variables: Record<string, string> = {},
  by: StartedBy = 'node',
  readLog?: (text: string) => void,
  program = join(import.meta.dirname, '..', '..'),
): Launched {
  const [command, ...words] = by === 'npm' ? ['npm', 'start'] : [process.execPath, 'src/main.ts']
  const child = spawn(command!, words, {
    cwd: program,
    env: { ...bare, DATA_DIR: dataDir, DEMO: 'cast', LOG_LEVEL: 'warn', ...everyPortFree, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: by === 'npm',
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (readLog ? readLog(text) : (stderr += text)))
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, stdout, stderr }))
  return {
    pid: child.pid!,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    signal: (signal) => void child.kill(signal),
  }
}

/** Starts the service with limits off and waits for its ready line. */
export async function startServiceProcess(
  dataDir: string,
  variables: Record<string, string> = {},
  by: StartedBy = 'node',
  readLog?: (text: string) => void,
  program?: string,
): Promise<ServiceProcess> {
  const launched = launchService(dataDir, { BENCH_LIMITS: 'off', ...variables }, by, readLog, program)
  let isOver = false
  void launched.ended.then(() => (isOver = true))
  for (;;) {
    const ready = /^\{"ready":true.*\}$/m.exec(launched.stdout())
    if (ready) {
      const { ready: _ready, ...hosts } = JSON.parse(ready[0]) as Hosts & { ready: true }
      const manifest = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Manifest
      return { ...launched, hosts, manifest }
    }
    if (isOver) throw new Error(`the service did not start:\n${launched.stderr()}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Creates a data folder. `remove` kills any PostgreSQL that still runs on it, then deletes it. */
export async function freshDataDir(): Promise<{ dataDir: string; remove: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partner-commerce-process-'))
  return {
    dataDir,
    remove: async () => {
      signalAll(await postgresProcesses(dataDir), 'SIGKILL')
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

/** The PostgreSQL processes on the data folder, the postmaster first. Empty if PostgreSQL does not run. */
export async function postgresProcesses(dataDir: string): Promise<number[]> {
  const file = await readPostmasterFile(clusterIn(join(dataDir, 'postgres')))
  if (file === undefined || file === 'unreadable') return []
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,comm='])
  const processes = stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , name]) => name?.includes('postgres'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }))
  if (!processes.some(({ pid }) => pid === file.pid)) return []
  return [file.pid, ...processes.filter(({ parent }) => parent === file.pid).map(({ pid }) => pid)]
}

/** Kills the service abruptly, like a power cut, and optionally its PostgreSQL. Waits until they have ended. */
export async function killService(service: ServiceProcess, dataDir: string, withDatabase: boolean): Promise<void> {
  const database = withDatabase ? await postgresProcesses(dataDir) : []
  signalAll([service.pid, ...database], 'SIGKILL')
  await service.ended
  while (withDatabase && (await postgresProcesses(dataDir)).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 10))
}

/** The connection string of a database on the embedded server of the data folder, for its owner. */
export async function embeddedUrl(dataDir: string, database: 'production' | 'sandbox'): Promise<string> {
  const url = await runningServerUrl(join(dataDir, 'postgres'), database, 'owner')
  if (url === undefined) throw new Error(`no PostgreSQL runs on ${dataDir}`)
  return url
}

/** Opens the production database of the service as its owner while `work` runs. */
export async function withServiceDatabase<Result>(
  dataDir: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(await embeddedUrl(dataDir, 'production'), { log: silent })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Sends the signal to all processes without a pause in between. Ignores those that have ended. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
