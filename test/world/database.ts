import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { openDatabase, type Database } from '../../src/database/database.ts'

/**
 * A separate database for a test file: a copy of a template that contains the schema and the cast of the demo data.
 * `bin/test.ts` starts the server, makes the templates and sets TEST_SERVER_URL to its address. `url` is the owner's,
 * who may do anything; the program under test connects with `asService(url)`, so that a missing right shows.
 */
export type FreshDatabase = { url: string; drop: () => Promise<void> }

/** The role with which tests let the service connect, and its password. */
export const testServiceRole = { role: 'partner_commerce_test_service', password: 'service' }

/** The same database for the role of the service. */
export function asService(url: string): string {
  const other = new URL(url)
  other.username = testServiceRole.role
  other.password = testServiceRole.password
  return other.href
}

/** `template0` is PostgreSQL's own, without a schema */
export type Template = 'template0' | 'template_production' | 'template_sandbox' | 'template_empty'

export async function freshDatabase(template: Template = 'template_empty'): Promise<FreshDatabase> {
  const server = process.env.TEST_SERVER_URL
  if (!server) throw new Error('run tests through bin/test.ts (npm test -- FILE …): it starts the database server')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copying its files takes half the time of writing them to the WAL.
  await asAdmin(server, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => asAdmin(server, `drop database if exists ${name} with (force)`) }
}

/** `owner` may do anything; `database` has the rights of the service. */
export type OpenDatabase = { database: Database; owner: Database; url: string }

/** Opens a fresh database as the service does. It is closed and dropped automatically, when `testService` would close a service. */
export async function testDatabase(template?: Template): Promise<OpenDatabase> {
  const { close, ...opened } = await openFreshDatabase(template)
  after(close)
  return opened
}

/** Opens a fresh database that the caller closes. */
export async function openFreshDatabase(template?: Template): Promise<OpenDatabase & { close: () => Promise<void> }> {
  const { url, drop } = await freshDatabase(template)
  const log = pino({ level: 'silent' })
  const database = openDatabase(asService(url), { log })
  const owner = openDatabase(url, { log })
  return {
    database,
    owner,
    url,
    close: async () => {
      await Promise.all([database.close(), owner.close()])
      await drop()
    },
  }
}

async function asAdmin(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
