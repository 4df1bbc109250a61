import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { planning } from '../planning.ts'
import { clusterIn, ownerRole, pathForServer } from './cluster.ts'
import { bareEnvironment } from './command.ts'
import { clusterMark, holderOf, readPostmasterFile } from './postmaster-file.ts'
import type { RunAs } from './run-as.ts'

/** PostgreSQL's main process, the parent of all others, started by this process or an earlier one. */
export type Postmaster = {
  pid: number
  port: number
  adopted: boolean
  /** Resolves when the process is gone. */
  gone: Promise<void>
  /** Stops watching the process without touching it; `gone` then never settles. */
  forget(): void
}

/**
 * Settings for a small machine. Those that make an acknowledged change survive a power cut are set although they are
 * the defaults, so that no file in the cluster can weaken them.
 */
const settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',

  listen_addresses: '127.0.0.1',
  // In the cluster itself, which is the working folder: the socket's path may have only 107 bytes, and there it is
  // short.
  unix_socket_directories: '.',
  // Enough for two environments of a busy service, and for a second service that takes over.
  max_connections: '300',

  shared_buffers: '128MB',
  wal_compression: 'on',
  // Of tools and of migrations, which are no sessions of the service. One query must not take both cores, nor the small
  // /dev/shm of a container.
  ...planning,

  timezone: 'UTC',
  log_timezone: 'UTC',
  // Error details quote stored values, which do not belong in a log.
  log_error_verbosity: 'terse',
}

const logBytesMax = 10_000_000

/** Starts PostgreSQL on the cluster, and gives access to the log it has written since. It is not ready yet. */
export async function launchPostmaster(options: {
  folder: string
  binaries: string
  runAs: RunAs | undefined
  port: number
  /** settings of PostgreSQL beside those above */
  more: Readonly<Record<string, string>>
}): Promise<{ postmaster: Postmaster; readStartLog: () => Promise<string> }> {
  const { folder, binaries, runAs, port, more } = options
  const cluster = clusterIn(folder)
  const parameters = ['-D', await pathForServer(cluster, runAs)]
  for (const [name, value] of Object.entries({ ...settings, ...more })) {
    parameters.push('-c', `${name}=${value}`)
  }
  parameters.push('-c', `port=${port}`, '-c', clusterMark(cluster))

  const logFile = join(folder, 'postgresql.log')
  const logStart = await rotateLog(logFile)
  const log = await open(logFile, 'a', 0o600)
  try {
    const child = spawn(join(binaries, 'bin', 'postgres'), parameters, {
      ...runAs,
      cwd: cluster,
      env: bareEnvironment,
      // In a session of its own, so that the terminal's Ctrl-C reaches only the service, which drains first and then
      // stops the server.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    await once(child, 'spawn')
    // A running server must not keep this process from ending.
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

/**
 * Fast shutdown: open transactions are rolled back and the cluster is left clean. If the server hangs, stronger signals
 * follow.
 */
export async function endPostmaster({ pid, gone }: Postmaster): Promise<void> {
  // After its end, the process id may be another process's.
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

/** The answer of the server's port to this service's role and password. */
type Answer = 'welcome' | 'not yet' | 'wrong password' | 'silence'

/** Connects once to a server on this machine. Only the cluster's own server knows the password. */
export async function knock(port: number, password: string): Promise<Answer> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: ownerRole,
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

/** Whether the cluster's file says that this postmaster accepts connections. */
export async function saysReady({ pid }: Postmaster, cluster: string): Promise<boolean> {
  const file = await readPostmasterFile(cluster)
  return typeof file === 'object' && file.pid === pid && file.status === 'ready'
}

/** Whether the cluster's file says that this postmaster shuts down, fast or once its connections have ended. */
export async function isStopping({ pid }: Postmaster, cluster: string): Promise<boolean> {
  const file = await readPostmasterFile(cluster).catch(() => undefined)
  return typeof file === 'object' && file.pid === pid && file.status === 'stopping'
}

/**
 * A port that is free. It is below the ranges from which systems take ports for outgoing connections, so that it is
 * still free when the server has to restart on it.
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

/** Keeps one older log file, and answers the size of the current one. */
async function rotateLog(file: string): Promise<number> {
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size < logBytesMax) return size
  await rename(file, `${file}.old`)
  return 0
}
