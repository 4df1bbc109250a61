import { sql } from './database/sql.ts'
import type { OpenEnvironment } from './environment.ts'
import type { Readiness } from './operations/readiness.ts'
import type { Storage } from './storage.ts'
import { noteUses, type Dependency } from './vocabulary/dependencies.ts'
import type { Environment } from './vocabulary/environment.ts'
import { Outage } from './vocabulary/outage.ts'

/**
 * What this process cannot do without. A mail server, carriers, a tax service and the template vendor may be away for a
 * while: what needs them waits or says so.
 */
export function watchDependencies(
  readiness: Readiness,
  environments: readonly OpenEnvironment[],
  storage: Storage,
  noteUse: (environment: Environment, dependency: Dependency, isUp: boolean) => void,
): void {
  for (const { name, database } of environments) {
    readiness.watch(`${name.toLowerCase()} database`, async () => {
      const [row, isNewStandby] = await Promise.all([
        database.reads.row<{ standby: boolean }>(sql`select pg_is_in_recovery() as standby`),
        // A server that shuts down once all connections have ended still answers on those there are.
        database.connectAnew().then(({ isStandby }) => isStandby, unlessCrowded),
      ])
      if (row!.standby || isNewStandby) throw new Outage('it is a standby, which takes no changes')
    })
  }
  // Uses by partners may be rare, and both environments have the same store.
  const store = noteUses(storage, ['reach'], (isUp) => {
    for (const { name } of environments) noteUse(name, 'object_store', isUp)
  })
  readiness.watch('object store', store.reach)
  const reaches = environments.flatMap(({ partnerApi }) => partnerApi?.reachSharedLimits ?? [])
  if (reaches.length > 0) readiness.watch('Redis', () => Promise.all(reaches.map((reach) => reach())))
}

/** A server that has no connection left still works on those that this process has: it must not be taken out under load. */
function unlessCrowded(error: Error): false {
  if ((error.cause as { code?: string } | undefined)?.code === tooManyConnections) return false
  throw error
}

const tooManyConnections = '53300'
