import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Backlog } from '../vocabulary/backlog.ts'
import type { Dependency } from '../vocabulary/dependencies.ts'
import type { Environment } from '../vocabulary/environment.ts'
import { inTime } from '../vocabulary/in-time.ts'
import { limiters, type Limiter } from '../vocabulary/limiters.ts'
import {
  deliveryOutcomes,
  mailOutcomes,
  type DeliveryOutcome,
  type MailOutcome,
} from '../vocabulary/sending-outcomes.ts'

/**
 * What Prometheus reads of one process. Names follow its conventions: a prefix, base units, `_total` for counters. Labels
 * have few values, all known when the service is built: nothing of partners, people or records is in them.
 */
export type Metrics = {
  mediaType: string
  /** counts an answer; `host` is an environment or STAFF, `operation` an operation or a route */
  observe: (host: string, operation: string, status: number, milliseconds: number) => void
  /** counts the end of an attempt to deliver a webhook, or that the attempt was dropped */
  observeDelivery: (environment: Environment, outcome: DeliveryOutcome) => void
  /** counts calls of partners that will never be in the request log */
  observeUnlogged: (environment: Environment, calls: number) => void
  /** counts how an attempt to send a mail went */
  observeMail: (environment: Environment, outcome: MailOutcome) => void
  /** counts a call that a limiter refused */
  observeRefusal: (environment: Environment, limiter: Limiter) => void
  /** keeps how the last use of a dependency went */
  observeUse: (environment: Environment, dependency: Dependency, isUp: boolean) => void
  /** keeps when the certificate of the mutual-TLS listener ends */
  observeCertificate: (endsOn: Date) => void
  /** sets how to find out when the newest backup began, whenever the metrics are read; null = there is none, undefined = it is not known */
  watchBackups: (read: () => Promise<Date | null | undefined>) => void
  /** sets what to ask of an environment, whenever the metrics are read */
  watchEnvironment: (environment: Environment, watched: Watched) => void
  /** sets what tells the state of the process, whenever the metrics are read */
  watchState: (read: () => Promise<ProcessState>) => void
  /** the metrics now, in Prometheus' text format */
  text: () => Promise<string>
}

/** What an environment tells about itself when it is asked. */
export type Watched = {
  /** @throws Outage */
  backlogs: () => Promise<Backlog[]>
  /** whether the database archives its WAL; undefined = it does not try. @throws Outage */
  archiveWorks: () => Promise<boolean | undefined>
  connections: () => PoolConnections[]
  /** of its workers, by name; empty in a process without workers */
  lastRounds: () => Readonly<Record<string, Date>>
}

/** Connections that are open, those of them that have nothing to do, pieces of work that wait for one, and the most there may be. */
type PoolConnections = { pool: string; total: number; idle: number; waiting: number; max: number }

/** `ready`: it can do its work; `unready`: something that it needs is gone; `draining`: it is stopping. */
export type ProcessState = (typeof processStates)[number]

const processStates = ['ready', 'unready', 'draining'] as const
const environments = ['PRODUCTION', 'SANDBOX'] as const satisfies readonly Environment[]

/** The queues of a database that takes longer are left out, and it counts as down. */
const backlogMilliseconds = 2_000

/** @param build `version` of the program; `revision` of its source, undefined = not known */
export function createMetrics(build: { version: string; revision: string | undefined }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  new Gauge({
    name: 'partner_commerce_build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'revision', 'node'] as const,
    registers,
  }).set({ version: build.version, revision: build.revision ?? '', node: process.versions.node }, 1)
  const state = new Gauge({
    name: 'partner_commerce_state',
    help: '1 for the state in which the process is: ready, unready or draining',
    labelNames: ['state'] as const,
    registers,
  })
  const answers = new Counter({
    name: 'partner_commerce_answers_total',
    help: 'Answers by host, operation and status',
    labelNames: ['host', 'operation', 'status'] as const,
    registers,
  })
  const duration = new Histogram({
    name: 'partner_commerce_answer_duration_seconds',
    help: 'Time from request to answer',
    labelNames: ['host', 'operation'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 20],
    registers,
  })
  const deliveries = new Counter({
    name: 'partner_commerce_webhook_deliveries_total',
    help: 'Webhook deliveries by environment and outcome',
    labelNames: ['environment', 'outcome'] as const,
    registers,
  })
  const unlogged = new Counter({
    name: 'partner_commerce_request_log_dropped_total',
    help: 'Calls of partners that are missing in the request log, by environment',
    labelNames: ['environment'] as const,
    registers,
  })
  const mails = new Counter({
    name: 'partner_commerce_mails_total',
    help: 'Attempts to send a mail by environment and outcome: sent, kept, delayed or failed',
    labelNames: ['environment', 'outcome'] as const,
    registers,
  })
  const refusals = new Counter({
    name: 'partner_commerce_limiter_refusals_total',
    help: 'Calls that a limiter refused, by environment and limiter',
    labelNames: ['environment', 'limiter'] as const,
    registers,
  })
  const dependencies = new Gauge({
    name: 'partner_commerce_dependency_up',
    help: '1 if the last use of a dependency went well, 0 if it was an outage; missing before the first use',
    labelNames: ['environment', 'dependency'] as const,
    registers,
  })
  const certificate = new Gauge({
    name: 'partner_commerce_mtls_certificate_not_after_timestamp_seconds',
    help: 'When the certificate that the mutual-TLS listener shows ends, in seconds since 1970',
    registers,
  })
  const backup = new Gauge({
    name: 'partner_commerce_backup_start_timestamp_seconds',
    help: 'When the newest backup in BACKUP_DIR began, or the one noted in the database, in seconds since 1970; 0 = there is none',
    registers,
  })
  // They are told only by a process that has what they are about. As 0 they would raise an alarm everywhere else.
  for (const gauge of [certificate, backup]) gauge.remove()
  const ofQueue = { labelNames: ['environment', 'queue'] as const, registers }
  const queueLength = new Gauge({
    name: 'partner_commerce_queue_length',
    help: 'Items that wait or are under way in a queue',
    ...ofQueue,
  })
  const queueOldest = new Gauge({
    name: 'partner_commerce_queue_oldest_seconds',
    help: 'Age of the oldest item in a queue',
    ...ofQueue,
  })
  const rounds = new Gauge({
    name: 'partner_commerce_worker_last_round_timestamp_seconds',
    help: 'When a worker last looked for work and did not fail, in seconds since 1970',
    labelNames: ['environment', 'worker'] as const,
    registers,
  })
  const ofPool = { labelNames: ['environment', 'pool'] as const, registers }
  const connections = new Gauge({
    name: 'partner_commerce_database_connections',
    help: 'Open connections to the database by pool and state: in_use or idle',
    labelNames: ['environment', 'pool', 'state'] as const,
    registers,
  })
  const connectionsMax = new Gauge({
    name: 'partner_commerce_database_connections_max',
    help: 'The most connections that a pool opens',
    ...ofPool,
  })
  const connectionsWaiting = new Gauge({
    name: 'partner_commerce_database_connection_waiters',
    help: 'Pieces of work that wait for a connection of a pool',
    ...ofPool,
  })

  // A counter that begins to exist with its first event shows no increase for it.
  for (const environment of environments) {
    unlogged.inc({ environment }, 0)
    for (const limiter of limiters) refusals.inc({ environment, limiter }, 0)
    for (const outcome of deliveryOutcomes) deliveries.inc({ environment, outcome }, 0)
    for (const outcome of mailOutcomes) mails.inc({ environment, outcome }, 0)
  }

  const watched = new Map<Environment, Watched>()
  let readNewestBackup: (() => Promise<Date | null | undefined>) | undefined
  let readState: () => Promise<ProcessState> = async () => 'unready'

  const observeUse: Metrics['observeUse'] = (environment, dependency, isUp) =>
    dependencies.set({ environment, dependency }, isUp ? 1 : 0)

  async function lookAtBacklogs(): Promise<void> {
    const found = await Promise.all(
      [...watched].map(async ([environment, { backlogs: read, archiveWorks: readArchiveWorks }]) => {
        const all = Promise.all([read(), readArchiveWorks()])
        const [backlogs, archiveWorks] = await inTime(all, backlogMilliseconds, 'the database').catch(() => [])
        observeUse(environment, 'database', backlogs !== undefined)
        if (archiveWorks !== undefined) observeUse(environment, 'wal_archive', archiveWorks)
        return (backlogs ?? []).map((backlog) => ({ environment, ...backlog }))
      }),
    )
    queueLength.reset()
    queueOldest.reset()
    for (const { environment, queue, length, oldestSeconds } of found.flat()) {
      queueLength.set({ environment, queue }, length)
      queueOldest.set({ environment, queue }, oldestSeconds)
    }
  }

  function lookAtConnections(): void {
    for (const [environment, { connections: read }] of watched)
      for (const { pool, total, idle, waiting, max } of read()) {
        connections.set({ environment, pool, state: 'in_use' }, total - idle)
        connections.set({ environment, pool, state: 'idle' }, idle)
        connectionsMax.set({ environment, pool }, max)
        connectionsWaiting.set({ environment, pool }, waiting)
      }
  }

  function lookAtRounds(): void {
    for (const [environment, { lastRounds }] of watched)
      for (const [worker, on] of Object.entries(lastRounds())) rounds.set({ environment, worker }, on.getTime() / 1000)
  }

  async function lookAtBackups(): Promise<void> {
    if (!readNewestBackup) return
    // While the folder or the database cannot be read, nothing is told.
    backup.remove()
    const newest = await inTime(readNewestBackup(), backlogMilliseconds, 'the newest backup').catch(() => undefined)
    if (newest !== undefined) backup.set((newest?.getTime() ?? 0) / 1000)
  }

  async function lookAtState(): Promise<void> {
    const now = await inTime(readState(), backlogMilliseconds, 'the state').catch(() => 'unready' as const)
    for (const each of processStates) state.set({ state: each }, each === now ? 1 : 0)
  }

  return {
    mediaType: registry.contentType,
    observe: (host, name, status, milliseconds) => {
      const operation = name.replaceAll(' ', '_')
      answers.inc({ host, operation, status })
      duration.observe({ host, operation }, milliseconds / 1000)
    },
    observeDelivery: (environment, outcome) => deliveries.inc({ environment, outcome }),
    observeUnlogged: (environment, calls) => unlogged.inc({ environment }, calls),
    observeMail: (environment, outcome) => mails.inc({ environment, outcome }),
    observeRefusal: (environment, limiter) => refusals.inc({ environment, limiter }),
    observeUse,
    observeCertificate: (endsOn) => certificate.set(endsOn.getTime() / 1000),
    watchBackups: (read) => {
      readNewestBackup = read
    },
    watchEnvironment: (environment, asked) => void watched.set(environment, asked),
    watchState: (read) => {
      readState = read
    },
    text: async () => {
      lookAtConnections()
      lookAtRounds()
      await Promise.all([lookAtBacklogs(), lookAtBackups(), lookAtState()])
      return registry.metrics()
    },
  }
}
