import packageFile from '../package.json' with { type: 'json' }
import { mkdir, mkdtemp, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { openDatabase } from './database/database.ts'
import { EmbeddedServerRefused } from './database/embedded/server.ts'
import { refuseCutOff } from './backup/restore.ts'
import { type BothDatabases, openDatabases } from './databases.ts'
import { DemoRefused } from './demo/demo-refused.ts'
import { watchInstances } from './instances.ts'
import { createListeners } from './listeners.ts'
import { claimKeys, masterKeys, placeOfKeys } from './master-keys.ts'
import { createMetrics } from './operations/metrics.ts'
import { createOperationsHost } from './operations/operations-host.ts'
import { createReadiness, stateOf } from './operations/readiness.ts'
import type { Settings } from './settings.ts'
import { silentSteps } from './start-steps.ts'
import type { Ground, Service, ServiceOptions } from './serving.ts'
import type { MasterKeys } from './vocabulary/keys.ts'
import { Outage } from './vocabulary/outage.ts'
import { noTracing } from './vocabulary/tracing.ts'
import { SettingRefused } from './vocabulary/setting-refused.ts'

export type { Service, ServiceOptions } from './serving.ts'

/**
 * The composition root: only this and `serving.ts` put the service together. It closes what it opened, in reverse order.
 * @throws SettingRefused, EmbeddedServerRefused with a sentence for people, after everything was stopped again
 */
export async function startService(settings: Settings, options: ServiceOptions): Promise<Service> {
  const opened = new AsyncDisposableStack()
  try {
    return await build(settings, options, opened)
  } catch (error) {
    const undone = opened.disposeAsync()
    await undone.catch((problem: Error) =>
      options.log.error({ err: problem }, 'could not clean up after the failed start'),
    )
    throw error
  }
}

async function build(settings: Settings, options: ServiceOptions, opened: AsyncDisposableStack): Promise<Service> {
  const { log, steps = silentSteps } = options
  await prepareFolder(settings.dataDir)
  const metrics = createMetrics({ version: packageFile.version, revision: settings.revision })
  const listeners = createListeners(settings)
  const readiness = createReadiness(log)
  metrics.watchState(async () => stateOf(await readiness.read()))
  const operations = createOperationsHost(metrics, readiness, () => listeners.hosts().opsUrl, log)
  // First, so that it closes last: operators see a stop to its end.
  opened.defer(operations.close)
  const tracingOf = await openTraces(settings, log, opened)
  const urls = await openDatabases(settings, { log, steps, whenLaunched: () => void serving() }, opened)
  await watchInstances(settings, log, opened)
  const keys = await masterKeys(settings.secretKeys, settings.dataDir)
  await claimBoth(urls, { keys, place: placeOfKeys(settings) }, log)
  const ground: Ground = { settings, options, keys, metrics, tracingOf, readiness, listeners, operations, opened }

  const { serve } = await serving()
  return serve(ground, urls)
}

/** Most of the service's modules. To load them keeps the processor busy, so PostgreSQL starts before they are asked for. */
const serving = () => import('./serving.ts')

/** Before anything is sealed, also by workers and as demo data: no seal is made with a key that the database does not know. */
async function claimBoth(urls: BothDatabases, of: { keys: MasterKeys; place: string }, log: Logger): Promise<void> {
  for (const environment of ['PRODUCTION', 'SANDBOX'] as const) {
    const database = openDatabase(urls[environment].service, { log, connections: { changes: 1 } })
    try {
      await claimKeys(database, { ...of, environment }, log)
    } finally {
      await database.close()
    }
  }
}

/** Loaded only if traces go somewhere: the library costs time and memory. */
async function openTraces(settings: Settings, log: Logger, opened: AsyncDisposableStack): Promise<Ground['tracingOf']> {
  if (!settings.tracing) return () => noTracing
  const { openTracing } = await import('./operations/tracing.ts')
  const tracing = openTracing(settings.tracing, { version: packageFile.version, role: settings.role }, log)
  opened.defer(tracing.close)
  return tracing.of
}

async function prepareFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    // This user may be unable to create files in an existing folder.
    await rmdir(await mkdtemp(join(dataDir, 'trial-')))
  } catch (error) {
    throw new SettingRefused(`DATA_DIR ${dataDir} cannot be used as a folder: ${(error as Error).message}.`)
  }
  await refuseCutOff(dataDir)
}

/** Errors that end a start with a sentence for people instead of a stack. */
export function isStartRefusal(error: unknown): error is Error {
  return (
    error instanceof SettingRefused ||
    error instanceof EmbeddedServerRefused ||
    error instanceof DemoRefused ||
    error instanceof Outage
  )
}
