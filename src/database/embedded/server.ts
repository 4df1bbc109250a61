/**
 * The PostgreSQL server that the service brings along, for machines without one: made, started, kept running and stopped
 * here, in a folder of its own. It owns that folder and the server's process. It does not create databases or
 * connections, and does not keep a second service from the same folder: that is for a lock in the database.
 */
import { existsSync } from 'node:fs'
import { access, constants, mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type BinariesPackage, findBinariesPackage, prepareBinaries } from './binaries.ts'
import { checkCluster, clusterIn, handOver, makeCluster, readOrMakePassword, removeDrafts, role } from './cluster.ts'
import { type PostmasterFile, holderOf, readPostmasterFile, removePostmasterFile } from './postmaster-file.ts'
import {
  type Postmaster,
  adoptPostmaster,
  chooseFreePort,
  endPostmaster,
  knock,
  launchPostmaster,
  saysReady,
} from './postmaster.ts'
import { EmbeddedServerRefused, refusalOf, tellsOfFullDisk, waysOut } from './refused.ts'
import { type RunAs, chooseRunAs } from './run-as.ts'

export { EmbeddedServerRefused } from './refused.ts'

export type EmbeddedServer = {
  /** Connection string, password included, for a database on this server. It holds until `stop`, restarts included. */
  url(database: string): string
  /** True when a server surviving from a killed service was taken over. */
  adopted: boolean
  /** Fast shutdown; resolves when the server process is gone. */
  stop(): Promise<void>
  /** Stops watching and leaves the server running: for when another living service turns out to use it. */
  release(): Promise<void>
}

/** What does not change between the starts of one server. */
type Premises = {
  folder: string
  cluster: string
  password: string
  binariesPackage: BinariesPackage
  runAs: RunAs | undefined
  log: (line: string) => void
}

/** The server process as last started or taken over, ready or not. */
type Held = { postmaster?: Postmaster }

const readySecondsMax = 60

/**
 * Starts the server on `folder`, which is made when missing, or takes over the one that still runs on it. Resolves when
 * it accepts connections, which after a crash waits for the recovery. If the server ends unexpectedly it is started
 * again on the same port, for ever. If this process dies the server lives on, for the next start to take over.
 * `log` gets whole lines for people, without secrets. `packageFolder` replaces the installed package of binaries.
 * Rejects with EmbeddedServerRefused when something expected is in the way.
 */
export async function startEmbeddedServer(options: {
  folder: string
  log: (line: string) => void
  packageFolder?: string
}): Promise<EmbeddedServer> {
  const folder = resolve(options.folder)
  try {
    const premises = await prepare(folder, options.log, options.packageFolder)
    const held: Held = {}
    const first = await bringUp(premises, held, undefined, new AbortController().signal)
    return keepRunning(premises, held, first)
  } catch (error) {
    throw refusalOf(error, folder)
  }
}

async function prepare(given: string, log: Premises['log'], packageFolder: string | undefined): Promise<Premises> {
  const binariesPackage = await findBinariesPackage(packageFolder)
  // Started by root, the server runs as another user, who passes through this folder to the cluster.
  await mkdir(given, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const folder = await realpath(given)
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  const cluster = clusterIn(folder)
  const runAs = await chooseRunAs(cluster)
  const password = await readOrMakePassword(folder)
  if (!(await checkCluster(folder, binariesPackage.major))) {
    log(`making a new PostgreSQL ${binariesPackage.major} cluster in ${cluster}`)
    const binaries = await prepareBinaries(binariesPackage, folder, runAs)
    await makeCluster({ folder, binaries, runAs, password })
  }
  await removeDrafts(folder)
  await handOver(cluster, runAs)
  return { folder, cluster, password, binariesPackage, runAs, log }
}

/** Starts the server again whenever it ends, until told to stop or to release it. */
function keepRunning(premises: Premises, held: Held, { port, adopted }: Postmaster): EmbeddedServer {
  const { password, log } = premises
  const host = encodeURIComponent(socketFolder(premises.cluster, port) ?? '127.0.0.1')
  const ended = new AbortController()
  const watching = watch()
  let ending: Promise<void> | undefined

  async function watch(): Promise<void> {
    const whenEnded = new Promise<void>((done) => ended.signal.addEventListener('abort', () => done(), { once: true }))
    let pauseMs = 100
    for (;;) {
      await Promise.race([held.postmaster?.gone, whenEnded])
      await delay(pauseMs, undefined, { signal: ended.signal }).catch(() => {})
      if (ended.signal.aborted) return
      try {
        log(`PostgreSQL ended unexpectedly; starting it again on port ${port}`)
        await bringUp(premises, held, port, ended.signal)
        log(`PostgreSQL runs again on port ${port}`)
        pauseMs = 100
      } catch (error) {
        if (ended.signal.aborted) return
        log(`PostgreSQL could not be started again: ${(error as Error).message}`)
        pauseMs = Math.min(pauseMs * 2, 5_000)
      }
    }
  }

  async function end(dispose: (postmaster: Postmaster) => Promise<void> | void): Promise<void> {
    ended.abort()
    await watching
    if (held.postmaster) await dispose(held.postmaster)
    held.postmaster?.forget()
  }

  return {
    url: (database) => `postgres://${role}:${password}@${host}:${port}/${encodeURIComponent(database)}`,
    adopted,
    stop: () => (ending ??= end(endPostmaster)),
    release: () => (ending ??= end(() => {})),
  }
}

/** Where the server's socket file is, which costs less than the loopback; undefined where it cannot be reached by its path. */
function socketFolder(cluster: string, port: number): string | undefined {
  const file = join(cluster, `.s.PGSQL.${port}`)
  return Buffer.byteLength(file) <= socketPathBytesMax && existsSync(file) ? cluster : undefined
}

/** Of macOS; Linux allows a few more. */
const socketPathBytesMax = 103

/**
 * Takes over the server that runs on the cluster, or starts one, and waits until it accepts connections. A server that
 * is still recovering when patience runs out is left to go on, so that the next attempt does not begin anew.
 */
async function bringUp(
  premises: Premises,
  held: Held,
  portBefore: number | undefined,
  ended: AbortSignal,
): Promise<Postmaster> {
  const { folder, cluster, runAs, binariesPackage, log } = premises
  const patience = AbortSignal.any([ended, AbortSignal.timeout(readySecondsMax * 1_000)])
  let waitedSeconds = 0
  const progress = setInterval(() => log(`PostgreSQL is not ready after ${(waitedSeconds += 5)} s, waiting`), 5_000)
  let obstacle = 'it is still recovering from its last end'
  try {
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
      const survivor = await findSurvivor(premises, patience)
      if (survivor) {
        if (portBefore !== undefined && survivor.port !== portBefore) {
          throw new EmbeddedServerRefused(`Another process started the server of ${folder} on port ${survivor.port}.`)
        }
        log(`took over the PostgreSQL server that runs on port ${survivor.port} (process ${survivor.pid})`)
        return (held.postmaster = adoptPostmaster(survivor.pid, survivor.port, cluster))
      }
      const binaries = await prepareBinaries(binariesPackage, folder, runAs)
      const port = portBefore ?? (await chooseFreePort())
      const { postmaster, readStartLog } = await launchPostmaster({ folder, binaries, runAs, port })
      held.postmaster = postmaster
      if (await becomesReady(postmaster, premises, patience)) return postmaster
      obstacle = obstacleIn(await readStartLog(), folder)
      await delay(pauseMs, undefined, { signal: patience })
    }
  } catch (error) {
    if (!patience.aborted) throw error
    throw new EmbeddedServerRefused(
      `PostgreSQL did not become ready in ${folder} within ${readySecondsMax} s (${obstacle}): start the service again to go on waiting, or ${waysOut}.`,
    )
  } finally {
    clearInterval(progress)
  }
}

/** The server that an earlier process left running on the cluster, once it accepts connections. */
async function findSurvivor(
  { cluster, password, log }: Premises,
  patience: AbortSignal,
): Promise<PostmasterFile | undefined> {
  for (let looks = 1; ; looks += 1) {
    const file = await readPostmasterFile(cluster)
    if (file === undefined) return undefined
    if (file === 'unreadable') {
      // Either a server is just writing it, or a power cut left it so; with the latter PostgreSQL would never start.
      if (looks < 20) {
        await delay(100, undefined, { signal: patience })
        continue
      }
      log('removing an empty postmaster.pid, which no running server wrote')
      await removePostmasterFile(cluster)
      return undefined
    }
    const holder = await holderOf(file.pid, cluster)
    // PostgreSQL sees this for itself and recovers.
    if (holder === 'nobody') return undefined
    const isPostgres = holder === 'postmaster' || holder === 'postgres'
    const answer = isPostgres ? await knock(file.port, password) : 'silence'
    if (answer === 'welcome') return file
    if (holder !== 'postmaster' && answer !== 'not yet') {
      log(`removing a stale postmaster.pid: process ${file.pid} is not the server of this folder`)
      await removePostmasterFile(cluster)
      return undefined
    }
    if (answer === 'wrong password') throw wrongPassword(cluster)
    await delay(100, undefined, { signal: patience })
  }
}

/** False when the process ended instead. */
async function becomesReady(
  postmaster: Postmaster,
  { cluster, password }: Premises,
  patience: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const hasEnded = await Promise.race([postmaster.gone.then(() => true), delay(20, false, { signal: patience })])
    if (hasEnded) return false
    if (!(await saysReady(postmaster, cluster))) continue
    const answer = await knock(postmaster.port, password)
    if (answer === 'welcome') return true
    if (answer === 'wrong password') {
      await endPostmaster(postmaster)
      throw wrongPassword(cluster)
    }
  }
}

function wrongPassword(cluster: string): EmbeddedServerRefused {
  return new EmbeddedServerRefused(
    `The database in ${cluster} does not open with the password kept beside it: restore that file, or ${waysOut}.`,
  )
}

/** Why the server did not start, from what it wrote: an obstacle that passes is returned, any other is a refusal. */
function obstacleIn(startLog: string, folder: string): string {
  const fatal = startLog.match(/(?:FATAL|PANIC): +(.*)/)?.[1] ?? 'it ended at once without saying why'
  if (passing.test(startLog)) return fatal
  const reason = tellsOfFullDisk.test(startLog) ? 'the disk is full' : fatal
  throw new EmbeddedServerRefused(`PostgreSQL could not start in ${folder} (${reason}): ${waysOut}.`)
}

/** Another process took the port or is starting a server here, or a killed server's last processes are still ending. */
const passing =
  /could not bind|could not create any TCP\/IP sockets|lock file .* already exists|lock file .* is empty|shared memory block/
