import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Manifest } from '../src/demo/manifest.ts'
import { keptLines } from './kept-lines.ts'
import { accessToken, anyPorts, startProcess } from './process.ts'
import { judged } from './search-queries.ts'

/**
 * `node bench/search-relevance.ts`: the searches of `search-queries.ts` on the whole demo catalog, each that misses its
 * product, and the mean reciprocal rank.
 */
const say = keptLines('results-relevance.txt')
const dataDir = mkdtempSync(join(tmpdir(), 'partner-commerce-bench-relevance-'))
const service = await startProcess<{ baseUrl: string }>('src/main.ts', [], {
  DATA_DIR: dataDir,
  BENCH_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  ...anyPorts,
})
try {
  const { baseUrl } = service.ready
  const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
  const tokens = {
    primary: await accessToken(baseUrl, manifest.partners.primary),
    outsider: await accessToken(baseUrl, manifest.partners.outsider),
  }
  const { each, meanReciprocalRank } = await judged(async (site, q, limit) => {
    const query = new URLSearchParams({ siteId: String(manifest.sites[site]), q, limit: String(limit) })
    const token = tokens[site === 'foreign' ? 'outsider' : 'primary']
    const answer = await fetch(`${baseUrl}/v1/products?${query}`, { headers: { authorization: `Bearer ${token}` } })
    const { products } = (await answer.json()) as { products: { name: string }[] }
    return products.map(({ name }) => name)
  })
  for (const { site, q, first, found, place } of each.filter((judgement) => judgement.place !== 1)) {
    const said =
      first === null ? 'should find nothing' : `should find ${String(first)} first (it is ${place ?? 'not found'})`
    say(`${site}: "${q}" ${said}; finds ${found.slice(0, 3).join(' | ') || 'nothing'}`)
  }
  say(`${each.length} searches, mean reciprocal rank ${meanReciprocalRank.toFixed(3)}`)
} finally {
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
