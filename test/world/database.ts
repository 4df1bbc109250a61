import { randomUUID } from 'node:crypto'
import pg from 'pg'

/**
 * A database of one's own for a test file: a copy of a template that holds the schema and the demo world's cast.
 * `bin/test.ts` starts the server, makes the templates and names the server in TEST_SERVER_URL.
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

async function asAdmin(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
