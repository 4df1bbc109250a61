/**
 * The PostgreSQL server that the service brings along, for machines without one. It is made, started, kept running and
 * stopped here, in a folder of its own. This module owns that folder and the server's process. It creates no databases
 * or connections. It does not prevent a second service on the same folder: the service lock does
 * (`../service-lock.ts`).
 */
import { existsSync } from 'node:fs'
import { access, constants, mkdir, realpath, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { archiveCommand, openArchive, restoreCommand, wakeCheckpointer } from './archive.ts'
import { type BinariesPackage, findBinariesPackage, prepareBinaries } from './binaries.ts'
import {
  checkCluster,
  clusterIn,
  handOver,
  makeCluster,
  ownerRole,
  readOrMakePassword,
  removeDrafts,
  servicePassword,
  serviceRole,
} from './cluster.ts'
import { type PostmasterFile, holderOf, readPostmasterFile, removePostmasterFile } from './postmaster-file.ts'
import {
  type Postmaster,
  adoptPostmaster,
  chooseFreePort,
  endPostmaster,
  isStopping,
  knock,
  launchPostmaster,
  saysReady,
} from './postmaster.ts'
import { EmbeddedServerRefused, refusalOf, tellsOfFullDisk, waysOut } from './refused.ts'
import { type RunAs, chooseRunAs } from './run-as.ts'

export { EmbeddedServerRefused } from './refused.ts'

export type EmbeddedServer = {
  /**
   * Connection string (with password) of a database on this server, for the owner of everything in it. It is valid until
   * `stop`, across restarts.
   */
  url(database: string): string
  /** The same for the role with which the service connects; whoever starts the server makes it and gives it rights. */
  serviceUrl(database: string): string
  /** True when the server of a killed service was taken over. */
  adopted: boolean
  /** True when its cluster was made at this start. */
  madeNow: boolean
  /** The archive command that it should run with; an adopted server may have been started with another. */
  archiveCommand: string
  /** Fast shutdown; resolves when the server process is gone. */
  stop(): Promise<void>
  /** Stops watching and leaves the server running, for when another living service turns out to use it. */
  release(): Promise<void>
}

/** Facts that stay the same across restarts of the server. */
type Premises = {
  folder: string
  cluster: string
  password: string
  binariesPackage: BinariesPackage
  runAs: RunAs | undefined
  madeNow: boolean
  /** PostgreSQL's settings for the archive, the recovery or tests */
  more: Readonly<Record<string, string>>
  readySecondsMax: number
  log: ServerLog
}

/** Gets whole lines for people, without secrets. */
type ServerLog = (line: string, level?: 'info' | 'warn') => void

/** What a cluster that was copied from a backup is brought forward by. */
export type Recovery = {
  /** the folder of archived WAL, as seen from the cluster */
  archive: string
  /** the last moment whose changes count; undefined = all that is archived */
  to: Date | undefined
}

/** The server process that was last started or taken over, ready or not. */
type Current = { postmaster?: Postmaster }

const usualReadySecondsMax = 60
/** A recovery reads what was written since the backup: as long as it takes, within a day. */
const recoverySecondsMax = 86_400

/**
 * Starts the server on `folder`, which is made when missing, or takes over the server that still runs on it. Resolves
 * when it accepts connections; after a crash, that is after the recovery. If the server ends unexpectedly, or somebody
 * tells it to stop, it is started again on the same port, without limit. If this process dies, the server keeps running
 * for the next start to take over. `packageFolder` replaces the installed package of binaries. With `backupDir` the
 * server archives its WAL there. With `recovery` it first brings a cluster that was copied from a backup to a moment. A
 * disposable server, for tests, is quicker and may be lost in a power cut. Rejects with EmbeddedServerRefused for an
 * expected obstacle.
 */
export async function startEmbeddedServer(options: StartOptions): Promise<EmbeddedServer> {
  const folder = resolve(options.folder)
  try {
    const premises = await prepare(folder, options)
    const current: Current = {}
    const first = await bringUp(premises, current, undefined, new AbortController().signal, options.whenLaunched)
    return keepRunning(premises, current, first)
  } catch (error) {
    throw refusalOf(error, folder)
  }
}

/** Ends the server that an earlier process left running on `folder`, if there is one. */
export async function endServerOn(folder: string): Promise<void> {
  const cluster = await realpath(clusterIn(folder)).catch(() => undefined)
  const file = cluster === undefined ? undefined : await readPostmasterFile(cluster)
  if (cluster === undefined || file === undefined || file === 'unreadable') return
  if ((await holderOf(file.pid, cluster)) !== 'postmaster') return
  const postmaster = adoptPostmaster(file.pid, file.port, cluster)
  await endPostmaster(postmaster)
  postmaster.forget()
}

type StartOptions = {
  folder: string
  log: ServerLog
  packageFolder?: string
  backupDir?: string | undefined
  /** called once the server's process runs, while it becomes ready; not for a server that is taken over */
  whenLaunched?: (() => void) | undefined
  recovery?: Recovery
  isDisposable?: boolean
}

async function prepare(given: string, options: StartOptions): Promise<Premises> {
  const { log, packageFolder, backupDir, recovery, isDisposable } = options
  const binariesPackage = await findBinariesPackage(packageFolder)
  // When root starts it, the server runs as another user, who passes through this folder to the cluster.
  await mkdir(given, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const folder = await realpath(given)
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  const cluster = clusterIn(folder)
  const runAs = await chooseRunAs(cluster)
  const password = await readOrMakePassword(folder)
  const madeNow = !(await checkCluster(folder, binariesPackage.major))
  if (madeNow) {
    log(`making a new PostgreSQL ${binariesPackage.major} cluster in ${cluster}`)
    const binaries = await prepareBinaries(binariesPackage, folder, runAs)
    await makeCluster({ folder, binaries, runAs, password })
  }
  await removeDrafts(folder)
  const archive = backupDir === undefined ? undefined : await openArchive(backupDir, folder, runAs)
  const more = {
    ...(isDisposable && settingsOfDisposable),
    ...(recovery && settingsOfRecovery(recovery)),
    ...(archive !== undefined && settingsOfArchive(archive)),
  }
  if (recovery) await writeFile(join(cluster, 'recovery.signal'), '')
  return {
    folder,
    cluster,
    password,
    binariesPackage,
    runAs,
    madeNow,
    more,
    log,
    readySecondsMax: recovery ? recoverySecondsMax : usualReadySecondsMax,
  }
}

const settingsOfDisposable: Premises['more'] = { fsync: 'off', full_page_writes: 'off' }

/** So much time may be lost with the disk of the data folder, while little is written. */
export const archiveSeconds = 60

function settingsOfArchive(archive: string): Premises['more'] {
  return {
    archive_mode: 'on',
    archive_command: archiveCommand(archive),
    archive_timeout: `${archiveSeconds}s`,
  }
}

function settingsOfRecovery({ archive, to }: Recovery): Premises['more'] {
  return {
    restore_command: restoreCommand(archive),
    // The WAL of each cluster is of one timeline.
    recovery_target_timeline: 'current',
    ...(to && {
      recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00'),
      recovery_target_action: 'promote',
    }),
    // Nobody is let in before the moment is reached.
    hot_standby: 'off',
  }
}

/** Restarts the server whenever it ends, until told to stop or to release it. */
function keepRunning(premises: Premises, current: Current, { port, adopted }: Postmaster): EmbeddedServer {
  const { cluster, password, log } = premises
  const host = encodeURIComponent(socketFolder(cluster, port) ?? '127.0.0.1')
  const ended = new AbortController()
  const watching = watch()
  let ending: Promise<void> | undefined

  async function watch(): Promise<void> {
    const whenEnded = new Promise<void>((done) => ended.signal.addEventListener('abort', () => done(), { once: true }))
    let pauseMs = 100
    for (;;) {
      const { postmaster } = current
      const looks = new AbortController()
      await Promise.race([postmaster?.gone, postmaster && toldToStop(postmaster, cluster, looks.signal), whenEnded])
      looks.abort()
      await delay(pauseMs, undefined, { signal: ended.signal }).catch(() => {})
      if (ended.signal.aborted) return
      try {
        if (postmaster && (await isStopping(postmaster, cluster))) {
          log(`PostgreSQL was told to stop, though not by this service; starting it again on port ${port}`, 'warn')
          await endPostmaster(postmaster)
        } else log(`PostgreSQL ended unexpectedly; starting it again on port ${port}`, 'warn')
        await bringUp(premises, current, port, ended.signal)
        log(`PostgreSQL runs again on port ${port}`)
        pauseMs = 100
      } catch (error) {
        if (ended.signal.aborted) return
        log(`PostgreSQL could not be started again: ${(error as Error).message}`, 'warn')
        pauseMs = Math.min(pauseMs * 2, 5_000)
      }
    }
  }

  async function end(dispose: (postmaster: Postmaster) => Promise<void> | void): Promise<void> {
    ended.abort()
    await watching
    if (current.postmaster) await dispose(current.postmaster)
    current.postmaster?.forget()
  }

  return {
    url: (database) => `postgres://${ownerRole}:${password}@${host}:${port}/${encodeURIComponent(database)}`,
    serviceUrl: (database) =>
      `postgres://${serviceRole}:${servicePassword(password)}@${host}:${port}/${encodeURIComponent(database)}`,
    adopted,
    madeNow: premises.madeNow,
    archiveCommand: premises.more.archive_command ?? '(disabled)',
    stop: () => (ending ??= end(endPostmaster)),
    release: () => (ending ??= end(() => {})),
  }
}

/**
 * Resolves when somebody else has told the server to stop. After a SIGTERM it turns new connections away and waits for those
 * there are, which this service would keep for ever. Its file tells that, at the cost of no connection.
 */
async function toldToStop(postmaster: Postmaster, cluster: string, looks: AbortSignal): Promise<void> {
  while (!looks.aborted && !(await isStopping(postmaster, cluster)))
    await delay(stopLookMilliseconds, undefined, { signal: looks, ref: false }).catch(() => {})
}

const stopLookMilliseconds = 500

/**
 * The folder of the server's socket, which costs less than loopback; undefined when the socket cannot be reached by its
 * path.
 */
function socketFolder(cluster: string, port: number): string | undefined {
  const file = join(cluster, `.s.PGSQL.${port}`)
  return Buffer.byteLength(file) <= socketPathBytesMax && existsSync(file) ? cluster : undefined
}

/** The limit of macOS; Linux allows a few more. */
const socketPathBytesMax = 103

/**
 * Takes over the server that runs on the cluster, or starts one, and waits until it accepts connections. A server that
 * is still recovering when the wait ends keeps going, so that the next attempt does not begin again.
 */
async function bringUp(
  premises: Premises,
  current: Current,
  portBefore: number | undefined,
  ended: AbortSignal,
  whenLaunched?: () => void,
): Promise<Postmaster> {
  const { folder, cluster, runAs, binariesPackage, more, readySecondsMax, log } = premises
  const patience = AbortSignal.any([ended, AbortSignal.timeout(readySecondsMax * 1_000)])
  let waitedSeconds = 0
  const progress = setInterval(() => log(`PostgreSQL is not ready after ${(waitedSeconds += 5)} s, waiting`), 5_000)
  let obstacle = 'it is still recovering from its last shutdown'
  try {
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
      const survivor = await findSurvivor(premises, patience)
      if (survivor) {
        if (portBefore !== undefined && survivor.port !== portBefore) {
          throw new EmbeddedServerRefused(`Another process started the server of ${folder} on port ${survivor.port}.`)
        }
        return (current.postmaster = adoptPostmaster(survivor.pid, survivor.port, cluster))
      }
      await handOver(cluster, runAs)
      const binaries = await prepareBinaries(binariesPackage, folder, runAs)
      const port = portBefore ?? (await chooseFreePort())
      const { postmaster, readStartLog } = await launchPostmaster({ folder, binaries, runAs, port, more })
      current.postmaster = postmaster
      whenLaunched?.()
      if (await becomesReady(postmaster, premises, patience)) {
        if (more.archive_command !== undefined) await wakeCheckpointer(port, premises.password)
        return postmaster
      }
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
      // Either a server is just writing the file, or a power cut left it incomplete; then PostgreSQL would never start.
      if (looks < 20) {
        await delay(100, undefined, { signal: patience })
        continue
      }
      log('removing an empty postmaster.pid, which no running server wrote')
      await removePostmasterFile(cluster)
      return undefined
    }
    const holder = await holderOf(file.pid, cluster)
    // PostgreSQL notices this by itself and recovers.
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

/** False when the process ended before it was ready. */
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

/** Why the server did not start, from its log: a temporary obstacle is returned, any other is thrown as a refusal. */
function obstacleIn(startLog: string, folder: string): string {
  const fatal = startLog.match(/(?:FATAL|PANIC): +(.*)/)?.[1] ?? 'it ended at once without saying why'
  if (passing.test(startLog)) return fatal
  const reason = tellsOfFullDisk.test(startLog) ? 'the disk is full' : fatal
  throw new EmbeddedServerRefused(`PostgreSQL could not start in ${folder} (${reason}): ${waysOut}.`)
}

/**
 * Temporary obstacles: another process took the port or is starting a server here, or the last processes of a killed
 * server are still ending.
 */
const passing =
  /could not bind|could not create any TCP\/IP sockets|lock file .* already exists|lock file .* is empty|shared memory block/
