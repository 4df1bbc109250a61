import autocannon from 'autocannon'
import { processorSeconds } from './process.ts'

/** A call with a body is a POST. */
export type Call = { url: string; headers?: Readonly<Record<string, string>>; body?: object | undefined }

/** What a load did. `microseconds`: processor time for each request, of the program and of PostgreSQL. */
export type Loaded = { rate: number; p99: number; microseconds: { node: number; postgres: number } }

export const connections = 16

/**
 * Sends a call again and again over all connections.
 * @param pids the program that answers, and its database server
 * @throws if an answer is not 2xx
 */
export async function load(
  { url, headers, body }: Call,
  seconds: number,
  pids: { node: number; postgres: number },
): Promise<Loaded> {
  const sent = body && {
    method: 'POST' as const,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  }
  const used = () => ({
    node: processorSeconds(pids.node, pids.postgres),
    postgres: processorSeconds(pids.postgres),
  })
  const before = used()
  const result = await autocannon({ url, headers: { ...headers }, connections, duration: seconds, ...sent })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`)
  const after = used()
  const each = (name: 'node' | 'postgres'): number => ((after[name] - before[name]) / result.requests.total) * 1e6
  return {
    rate: result.requests.average,
    p99: result.latency.p99,
    microseconds: { node: each('node'), postgres: each('postgres') },
  }
}
