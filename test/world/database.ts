import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { openDatabase, type Database } from '../../src/database/database.ts'

/**
 * A separate database for a test file: a copy of a template that contains the schema and the cast of the demo data.
 * `bin/test.ts` starts the server, makes the templates and sets TEST_SERVER_URL to its address.
 */
export type FreshDatabase = { url: string; drop: () => Promise<void> }

export type Template = 'template_production' | 'template_sandbox' | 'template_empty'

export async function freshDatabase(template: Template = 'template_empty'): Promise<FreshDatabase> {
  const server = process.env.TEST_SERVER_URL
  if (!server) throw new Error('run tests through bin/test.ts (npm test -- FILE …): it starts the database server')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await asAdmin(server, `create database ${name} template ${template}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => asAdmin(server, `drop database if exists ${name} with (force)`) }
}

export type OpenDatabase = { database: Database; url: string }

/** Opens a fresh database. It is closed and dropped automatically, when `testService` would close a service. */
export async function testDatabase(template?: Template): Promise<OpenDatabase> {
  const { close, ...opened } = await openFreshDatabase(template)
  after(close)
  return opened
}

/** Opens a fresh database that the caller closes. */
export async function openFreshDatabase(template?: Template): Promise<OpenDatabase & { close: () => Promise<void> }> {
  const { url, drop } = await freshDatabase(template)
  const database = openDatabase(url, { log: pino({ level: 'silent' }) })
  return {
    database,
    url,
    close: async () => {
      await database.close()
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
