import { createClient } from 'redis'
import { inTime } from '../../src/vocabulary/in-time.ts'

/**
 * Services other than PostgreSQL that some tests need. If one does not answer, those tests are skipped with a warning,
 * or fail if REQUIRE_SERVICES=1.
 */
export type GivenService = { url: string; skip: false } | { url: ''; skip: string }

/** The Redis at REDIS_URL, or on the standard port. Tests that need it take `skip` as an option. */
export async function givenRedis(): Promise<GivenService> {
  const url = process.env.REDIS_URL || 'redis://127.0.0.1:6379'
  const client = createClient({ url, socket: { connectTimeout: 20_000, reconnectStrategy: false } })
  client.on('error', () => undefined)
  try {
    // Another program may listen on the port and never answer.
    await inTime(client.connect(), 20_000, 'it')
    return { url, skip: false }
  } catch (error) {
    return missing('Redis', 'REDIS_URL', error as Error)
  } finally {
    client.destroy()
  }
}

function missing(name: string, variable: string, cause: Error): GivenService {
  const said = `${name} does not answer (${cause.message}); ${variable} names one`
  if (process.env.REQUIRE_SERVICES === '1') throw new Error(`${said}, and REQUIRE_SERVICES=1 asks for it`)
  process.stderr.write(`\n!!! SKIPPED: the tests that need ${name}. ${said}.\n\n`)
  return { url: '', skip: said }
}
