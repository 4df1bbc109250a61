import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * What the service is measured beside: the same statements served by bare Fastify and pg, without credential, limits,
 * validation, tenancy check or view. Started as a process of its own by the bench.
 * Arguments: the file with the cases as JSON, the database's URL.
 */
type Case = { path: string; text: string; name: string; values: unknown[] }

const [file, url] = process.argv.slice(2)
const cases = JSON.parse(readFileSync(file!, 'utf8')) as Case[]
const pool = new pg.Pool({ connectionString: url!, max: 12 })
const app = Fastify()
for (const { path, text, name, values } of cases) {
  app.get(path, async () => (await pool.query({ text, name, values })).rows)
}
await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ port: (app.server.address() as { port: number }).port })}\n`)
