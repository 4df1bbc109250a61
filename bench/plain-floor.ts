import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import pg from 'pg'

/**
 * The lowest floor: the statements of `floor.ts`, served by `node:http` and pg alone, without a framework. Arguments: the
 * file with the cases as JSON, the database's URL.
 */
type Case = { path: string; rounds: { text: string; name: string; values: unknown[] }[][] }

const [file, url] = process.argv.slice(2)
const cases = JSON.parse(readFileSync(file!, 'utf8')) as Case[]
const roundsOf = new Map(cases.map(({ path, rounds }) => [path, rounds]))
const pool = new pg.Pool({ connectionString: url!, max: 12, options: '-c plan_cache_mode=force_generic_plan' })

const server = createServer((request, response) => {
  request.resume().on('end', async () => {
    const found: unknown[] = []
    for (const round of roundsOf.get(request.url!)!) {
      const results = await Promise.all(round.map((query) => pool.query(query)))
      found.push(...results.map(({ rows }) => rows))
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(found))
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as { port: number }).port })}\n`)
})
