import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import packageFile from '../../package.json' with { type: 'json' }
import type { Environment } from '../vocabulary/environment.ts'
import { grantStatements, rightsIn } from './grants.ts'
import { readMigrationFiles, type MigrationFile } from './migration-files.ts'

/** One number for all instances: the one with the lock migrates, and the others wait and find the work done. */
const advisoryLock = 7_305_001

/** Held by the functions that make and drop the request log's partitions while others serve. */
const requestLogLock = 7_305_008

/** A server that accepts a connection and does not answer is not usable. */
const connecting = { application_name: 'partner-commerce migrations', connectionTimeoutMillis: 4_000 }

export type Migrated = {
  /** the names of the migrations applied now */
  applied: string[]
  /** those of a later release, which lets this program live on its schema */
  ahead: string[]
  /** whether the role of the URL may make tables; another one finds them made */
  ownsTables: boolean
}

type MigrateOptions = {
  log?: Pick<Logger, 'warn'>
  /** where the migrations are, if not with the program */
  folder?: URL
  patience?: Patience
}

/**
 * How long a migration waits for the locks of a table. What comes after it waits behind it, and a read is ended after two
 * seconds: so it gives up sooner, lets all others pass, and tries again.
 */
type Patience = { lockMilliseconds: number; pauseMilliseconds: number; tries: number }

const usualPatience: Patience = { lockMilliseconds: 1_000, pauseMilliseconds: 1_000, tries: 60 }

/** A migration that the database records. */
type Recorded = {
  name: string
  /** null = no program before the one that brought it */
  livesWith: string | null
  /** the release that applied it; null = one that did not record it */
  release: string | null
  /** what the programs whose newest migration it is let the service do, as `rightsIn` has it */
  rights: string[] | null
}

/**
 * Brings a database to the schema of this program: plain SQL files in order of their names, forward only, each recorded
 * with what it did. Many instances may run it at once. A schema that a later release made is left as it is, if that
 * release says that this program can live on it. The role of `url` owns what the files make; another role, with which the
 * service connects, gets the rights that it needs, and those that another program needs which can live on the schema. A
 * role that may make no tables finds them made, or is refused.
 * @throws Error saying why this database cannot be used, such as one that has other migrations
 */
export async function migrate(
  url: string,
  service?: { role: string; environment: Environment },
  { log, folder, patience = usualPatience }: MigrateOptions = {},
): Promise<Migrated> {
  const client = new pg.Client({ connectionString: url, ...connecting })
  await client.connect()
  try {
    const { rows: settings } = await client.query<{ server_version_num: string }>('show server_version_num')
    if (Number(settings[0]!.server_version_num) < 150_000) throw new Error('it is older than PostgreSQL 15')
    await takeTurn(client)
    const ownsTables = await says(client, `has_schema_privilege('public', 'create')`)
    if (ownsTables) await makeRecords(client, patience)
    else if (!(await says(client, `to_regclass('migration') is not null`))) throw new Error(notMigrated)
    const files = await readMigrationFiles(folder)
    const done = await readRecords(client)
    const ahead = done.slice(files.length)
    refuseForeign(done, files)
    const pending = files.slice(done.length)
    if (!ownsTables && pending.length > 0) throw new Error(notMigrated)
    for (const file of pending) {
      // WAL reaches the disk in its order: with the last migration, those before it are safe.
      await client.query(`set synchronous_commit = ${file === pending.at(-1) ? 'default' : 'off'}`)
      await applyMigration(client, file, patience, log)
    }
    if (service) await grantRights(client, service, files.at(-1)!.name)
    return { applied: pending.map(({ name }) => name), ahead: ahead.map(({ name }) => name), ownsTables }
  } finally {
    await client.end()
  }
}

/**
 * Tries again and again, because a statement that waits for the lock keeps its snapshot, and an index that the one with
 * the lock builds concurrently would wait for that.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [advisoryLock])
    if (rows[0]!.taken) return
    await delay(100)
  }
}

/** The first releases recorded less. A table that is there already is not touched, so that no backup holds up a start. */
async function makeRecords(client: pg.Client, patience: Patience): Promise<void> {
  await client.query(`
    create table if not exists migration (
      name text primary key,
      applied_on timestamptz(3) not null default now()
    )`)
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = 'migration'::regclass and attname = 'rights'`,
  )
  if (rowCount !== 0) return
  const columns = 'add column lives_with text, add column release text, add column rights text[]'
  await patiently(client, patience, 'the table of migrations', () => client.query(`alter table migration ${columns}`))
}

async function readRecords(client: pg.Client): Promise<Recorded[]> {
  const { rows } = await client.query<Recorded>(
    'select name, lives_with as "livesWith", release, rights from migration order by name collate "C"',
  )
  return rows
}

/** The oldest program that can live on the schema, by its newest migration. */
function oldestLiving(done: readonly Pick<Recorded, 'name' | 'livesWith'>[]): string {
  return done.map(({ name, livesWith }) => livesWith ?? name).reduce((one, other) => (one > other ? one : other), '')
}

function refuseForeign(done: readonly Recorded[], files: readonly MigrationFile[]): void {
  const foreign = done.find(({ name }, index) => index < files.length && name !== files[index]!.name)
  if (foreign) {
    throw new Error(
      `another version of this program made it (it has migration ${foreign.name}); run that version, or start with an empty one`,
    )
  }
  const oldest = oldestLiving(done)
  if (done.length <= files.length || oldest <= files.at(-1)!.name) return
  const reason = done.find(({ name, livesWith }) => (livesWith ?? name) === oldest)!
  const needed = done.find(({ name }) => name === oldest)
  const release = needed?.release ? `release ${needed.release}` : 'the release'
  throw new Error(
    `a later release changed it (migration ${reason.name}), and this one is too old for it; start ${release} or a later one, which has migration ${oldest}`,
  )
}

async function applyMigration(
  client: pg.Client,
  file: MigrationFile,
  patience: Patience,
  log: MigrateOptions['log'],
): Promise<void> {
  const record = () =>
    client.query('insert into migration (name, lives_with, release) values ($1, $2, $3)', [
      file.name,
      file.livesWith,
      packageFile.version,
    ])
  if (file.outsideTransaction) {
    for (const statement of file.text.trim().split(/\n{2,}/)) await client.query(statement)
    await record()
    return
  }
  await patiently(
    client,
    patience,
    `migration ${file.name}`,
    async () => {
      await client.query(file.text)
      await record()
    },
    log,
  )
}

/** PostgreSQL's codes of a lock that was not had in time, and of a deadlock. */
const lockCodes = ['55P03', '40P01']

/** Does the work in a transaction, and again if it does not get its locks soon. */
async function patiently(
  client: pg.Client,
  { lockMilliseconds, pauseMilliseconds, tries }: Patience,
  what: string,
  work: () => Promise<unknown>,
  log?: MigrateOptions['log'],
): Promise<void> {
  for (let left = tries - 1; ; left--) {
    await client.query(`begin; set local lock_timeout = ${lockMilliseconds}`)
    try {
      await work()
      await client.query('commit')
      return
    } catch (error) {
      if (!lockCodes.includes((error as pg.DatabaseError).code ?? '')) throw error
      await client.query('rollback')
      if (left === 0) {
        throw new Error(
          `${what} waited ${tries} times for a table that another transaction holds; end that transaction, such as a backup, and start again`,
          { cause: error },
        )
      }
      log?.warn({ error: (error as Error).message, left }, `${what} waits for a table that another transaction holds`)
      await delay(pauseMilliseconds)
    }
  }
}

/**
 * The rights of every program that can live on the schema, so that neither an older nor a newer one which runs beside this
 * loses what it needs. What no such program needs is taken away.
 */
async function grantRights(
  client: pg.Client,
  { role, environment }: { role: string; environment: Environment },
  newest: string,
): Promise<void> {
  await client.query('begin')
  // PostgreSQL refuses to change the rights on a table that another session is changing.
  await client.query('select pg_advisory_xact_lock($1)', [requestLogLock])
  await client.query(
    `update migration set rights = array(select distinct unnest(coalesce(rights, '{}') || $2::text[]) order by 1)
     where name = $1`,
    [newest, rightsIn(environment)],
  )
  const done = await readRecords(client)
  const oldest = oldestLiving(done)
  const rights = done.filter(({ name }) => name >= oldest).flatMap((living) => living.rights ?? [])
  await client.query(grantStatements(role, [...new Set(rights)]))
  await client.query('commit')
}

const notMigrated = 'its tables are not up to date, and this role may not change them; migrate it as their owner first'

async function says(client: pg.Client, condition: string): Promise<boolean> {
  const { rows } = await client.query<{ holds: boolean }>(`select ${condition} as holds`)
  return rows[0]!.holds
}

/** Creates the database if it does not exist. Only its owner may make temporary tables, which hide tables of the same name. */
export async function ensureDatabase(serverUrl: string, name: 'production' | 'sandbox'): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl, ...connecting })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${name}`)
    await client.query(`revoke temporary on database ${name} from public`)
  } finally {
    await client.end()
  }
}

/** Creates a role that may sign in and has no other right, if it does not exist. */
export async function ensureRole(
  serverUrl: string,
  { role, password }: { role: string; password: string },
): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl, ...connecting })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLock])
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
    if (rowCount === 0)
      await client.query(`create role ${pg.escapeIdentifier(role)} login password ${pg.escapeLiteral(password)}`)
  } finally {
    await client.end()
  }
}
