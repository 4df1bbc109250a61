import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * The floor that the service is compared with: the same statements, served by bare Fastify and pg without credentials,
 * limits, validation, tenancy check or view. As in the handler, the statements of a round are sent together, and rounds
 * one after another. The bench starts it as a separate process. Arguments: the file with the cases as JSON, the
 * database's URL.
 */
type Case = { method: 'GET' | 'POST'; path: string; rounds: { text: string; name: string; values: unknown[] }[][] }

const [file, url] = process.argv.slice(2)
const cases = JSON.parse(readFileSync(file!, 'utf8')) as Case[]
// Caches a statement's plan as the service's reads do: planning each time would measure the planner.
const pool = new pg.Pool({ connectionString: url!, max: 12, options: '-c plan_cache_mode=force_generic_plan' })
const app = Fastify()
for (const { method, path, rounds } of cases) {
  app.route({
    method,
    url: path,
    handler: async () => {
      const found: unknown[] = []
      for (const round of rounds) {
        const results = await Promise.all(round.map((query) => pool.query(query)))
        found.push(...results.map(({ rows }) => rows))
      }
      return found
    },
  })
}
await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ port: (app.server.address() as { port: number }).port })}\n`)
