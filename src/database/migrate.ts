import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Environment } from '../vocabulary/environment.ts'
import { grantStatements } from './grants.ts'

const folder = new URL('migrations/', import.meta.url)

/** One number for all instances: the one with the lock migrates, and the others wait and find the work done. */
const advisoryLock = 7_305_001

/** Held by the functions that make and drop the request log's partitions while others serve. */
const requestLogLock = 7_305_008

/** A server that accepts a connection and does not answer is not usable. */
const connecting = { application_name: 'partner-commerce migrations', connectionTimeoutMillis: 4_000 }

/**
 * Brings a database to the current schema: plain SQL files in order of their names, forward only, each recorded in its
 * own transaction. Many instances may run it at once. The role of `url` owns what they make; another role, with which
 * the service connects, gets the rights it needs.
 * @returns the names of the migrations applied now
 * @throws Error saying why this database cannot be used, such as one that has other migrations
 */
export async function migrate(url: string, service?: { role: string; environment: Environment }): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, ...connecting })
  await client.connect()
  try {
    const { rows: settings } = await client.query<{ server_version_num: string }>('show server_version_num')
    if (Number(settings[0]!.server_version_num) < 150_000) throw new Error('it is older than PostgreSQL 15')
    await client.query('select pg_advisory_lock($1)', [advisoryLock])
    await client.query(`
      create table if not exists migration (
        name text primary key,
        applied_on timestamptz(3) not null default now()
      )`)
    const { rows } = await client.query<{ name: string }>('select name from migration')
    const done = rows.map((row) => row.name).toSorted()
    const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
    const foreign = done.find((name, index) => name !== files[index])
    if (foreign !== undefined) {
      throw new Error(
        `another version of this program made it (it has migration ${foreign}); run that version, or start with an empty one`,
      )
    }
    const applied: string[] = []
    for (const name of files.slice(done.length)) {
      const text = await readFile(new URL(name, folder), 'utf8')
      await client.query('begin')
      await client.query(text)
      await client.query('insert into migration (name) values ($1)', [name])
      await client.query('commit')
      applied.push(name)
    }
    // PostgreSQL refuses to change the rights on a table that another session is changing.
    if (service) {
      const granted = grantStatements(service.role, service.environment)
      await client.query(`begin; select pg_advisory_xact_lock(${requestLogLock}); ${granted} commit`)
    }
    return applied
  } finally {
    await client.end()
  }
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
