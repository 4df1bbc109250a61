import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { clusterIn, pathForServer, role } from './cluster.ts'
import { bareEnvironment } from './command.ts'
import { clusterMark, holderOf, readPostmasterFile } from './postmaster-file.ts'
import type { RunAs } from './run-as.ts'

/** PostgreSQL's first process, the parent of all others, whether this process started it or an earlier one did. */
export type Postmaster = {
  pid: number
  port: number
  adopted: boolean
  /** Settles when the process is gone. */
  gone: Promise<void>
  /** Forgets the process without touching it; `gone` then never settles. */
  forget(): void
}

/**
 * A small server box. What makes an acknowledged change survive a power cut is named here although it is the default, so
 * that no file in the cluster can weaken it.
 */
const settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',

  listen_addresses: '127.0.0.1',
  // In the cluster itself, which is the working folder: there the file's path, which may have 107 bytes, is short.
  unix_socket_directories: '.',
  // Two environments of a busy service, and room for a second one that takes over.
  max_connections: '300',

  shared_buffers: '128MB',
  random_page_cost: '1.1',
  wal_compression: 'on',
  jit: 'off',
  // One query must not take both cores, nor the small /dev/shm of a container.
  max_parallel_workers_per_gather: '0',

  timezone: 'UTC',
  log_timezone: 'UTC',
  // The detail of an error quotes stored values, which do not belong in a log.
  log_error_verbosity: 'terse',
}

const logBytesMax = 10_000_000

/** Starts PostgreSQL on the cluster, and gives access to what it wrote in the log since; it is not ready yet. */
export async function launchPostmaster(options: {
  folder: string
  binaries: string
  runAs: RunAs | undefined
  port: number
}): Promise<{ postmaster: Postmaster; readStartLog: () => Promise<string> }> {
  const { folder, binaries, runAs, port } = options
  const cluster = clusterIn(folder)
  const parameters = ['-D', await pathForServer(cluster, runAs)]
  for (const [name, value] of Object.entries(settings)) parameters.push('-c', `${name}=${value}`)
  parameters.push('-c', `port=${port}`, '-c', clusterMark(cluster))

  const logFile = join(folder, 'postgresql.log')
  const logStart = await rotateLog(logFile)
  const log = await open(logFile, 'a', 0o600)
  try {
    const child = spawn(join(binaries, 'bin', 'postgres'), parameters, {
      ...runAs,
      cwd: cluster,
      env: bareEnvironment,
      // Its own session: the terminal's Ctrl-C is for the service, which drains first and stops the server after.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    await once(child, 'spawn')
    // A running server must not be what keeps this process from ending.
    child.unref()
    return {
      postmaster: { pid: child.pid!, port, adopted: false, gone, forget: () => child.removeAllListeners('exit') },
      readStartLog: async () => (await readFile(logFile)).subarray(logStart).toString('utf8'),
    }
  } finally {
    await log.close()
  }
}

/** Takes over a server that this process did not start. */
export function adoptPostmaster(pid: number, port: number, cluster: string): Postmaster {
  let look: NodeJS.Timeout
  const gone = new Promise<void>((resolve) => {
    look = setInterval(async () => {
      const holder = await holderOf(pid, cluster)
      if (holder === 'postmaster' || holder === 'postgres') return
      clearInterval(look)
      resolve()
    }, 250).unref()
  })
  return { pid, port, adopted: true, gone, forget: () => clearInterval(look) }
}

/** Fast shutdown: open transactions are rolled back and the cluster is left clean. Each next signal is for one that hangs. */
export async function endPostmaster({ pid, gone }: Postmaster): Promise<void> {
  // Long after its end the number may be another process's.
  if (await Promise.race([gone.then(() => true), delay(0, false)])) return
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!sendSignal(pid, signal)) return
    const patience = new AbortController()
    const isGone = await Promise.race([
      gone.then(() => true),
      delay(10_000, false, { signal: patience.signal }).catch(() => false),
    ])
    patience.abort()
    if (isGone) return
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** What the server's port answers to this service's role and password. */
type Answer = 'welcome' | 'not yet' | 'wrong password' | 'silence'

/** Connects once to a server on this machine. Only the cluster's own server can know the password. */
export async function knock(port: number, password: string): Promise<Answer> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: role,
    password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return 'welcome'
  } catch (error) {
    return answers[(error as { code?: string }).code ?? ''] ?? 'silence'
  } finally {
    await client.end().catch(() => {})
  }
}

const answers: Record<string, Answer | undefined> = {
  '28P01': 'wrong password', // invalid_password
  '28000': 'wrong password', // invalid_authorization_specification
  '57P03': 'not yet', // cannot_connect_now: starting or stopping
  '53300': 'not yet', // too_many_connections
}

/** Whether PostgreSQL itself says in the cluster's file that this postmaster takes connections. */
export async function saysReady({ pid }: Postmaster, cluster: string): Promise<boolean> {
  const file = await readPostmasterFile(cluster)
  return typeof file === 'object' && file.pid === pid && file.status === 'ready'
}

/**
 * A port nobody listens on. It lies below the ranges from which systems take ports for outgoing connections, so that it
 * is still free when the server has to come back on it.
 */
export async function chooseFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const probe = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => probe.close(resolve))
    return port
  }
}

/** Keeps one older log file, and gives the size of the one to go on with. */
async function rotateLog(file: string): Promise<number> {
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size < logBytesMax) return size
  await rename(file, `${file}.old`)
  return 0
}
