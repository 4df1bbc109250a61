import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import type { Manifest } from '../src/demo/manifest.ts'
import { accessToken, anyPorts, databaseUrl, startProcess, statOf } from './process.ts'
import { keptLines } from './kept-lines.ts'

const say = keptLines('results-search.txt')

/**
 * `node bench/search.ts [seconds] [products]`: searches of one site with 100,000 products over HTTP, each kind alone
 * and all mixed. Target: p99 below 50 ms at 16 connections. Each figure comes with the CPU time per search in the
 * database and in the service. On a busy machine, read the CPU time.
 */
const seconds = Number(process.argv[2] ?? 6)
const productCount = Number(process.argv[3] ?? 100_000)
const connections = 16
const limit = 20

const kinds: Readonly<Record<string, readonly string[]>> = {
  'a word of thousands of products': ['card', 'shirts', 'spring', 'matte', 'banner'],
  'a word of every product': ['collection'],
  'several words': ['business cards', 'matte flyer harvest', 'winter hoodie', 'trade show banners', 'linen envelope'],
  'a rare word': ['orgrasa', 'sacorsa', 'finulros', 'meryozan'],
  'a code': ['PO-049998', 'ts-049999', 'LH-050000'],
  'a mistyped word': ['corbala', 'unifin card', 'buisness card', 'shrit', 'bannre', 'brochrue harvest', 'umbrela'],
  'no match at all': ['zzzzzz qqqqq', 'xylophone'],
}

const dataDir = mkdtempSync(join(tmpdir(), 'partner-commerce-bench-search-'))
const service = await startProcess<{ baseUrl: string }>('src/main.ts', [], {
  DATA_DIR: dataDir,
  DEMO: 'cast',
  BENCH_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  ...anyPorts,
})
try {
  const { baseUrl } = service.ready
  const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
  const siteId = manifest.sites.divisionAddresses
  say(
    `Node ${process.version}, ${cpus().length} cores; ${productCount} products on one site, ${limit} results a search`,
  )
  await fill(siteId)
  const headers = { authorization: `Bearer ${await accessToken(baseUrl, manifest.partners.primary)}` }
  const pathOf = (q: string): string => `/v1/products?siteId=${siteId}&limit=${limit}&q=${encodeURIComponent(q)}`

  const mixed = Object.values(kinds).flat()
  for (const [kind, questions] of [...Object.entries(kinds), ['all mixed', mixed] as const]) {
    const used = processorSeconds()
    const result = await autocannon({
      url: baseUrl,
      connections,
      duration: seconds,
      requests: questions.map((q) => ({ method: 'GET', path: pathOf(q), headers })),
    })
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${kind}: ${result.non2xx} answers were not 2xx`)
    const now = processorSeconds()
    const each = (of: keyof typeof now): string =>
      `${(((now[of] - used[of]) / result.requests.total) * 1_000).toFixed(1)} ms`
    const { latency, requests } = result
    say(
      `${kind.padEnd(32)} ${requests.average.toFixed(0).padStart(5)} searches/s   p50 ${latency.p50} ms, ` +
        `p99 ${latency.p99} ms   database ${each('database')}, service ${each('service')}`,
    )
  }
} finally {
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Products as a print shop has them: a few hundred words that thousands of products use, and rare brand names. */
async function fill(siteId: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(dataDir) })
  await client.connect()
  const startedAt = performance.now()
  const batch = 5_000
  for (let from = 0; from < productCount; from += batch) {
    await client.query(
      `with syllable as (
         select array['ba','cor','de','fin','gra','ho','in','jo','ka','lum','mer','no','or','pel','qui','ros','sa','tan',
           'ul','ver','wes','yo','zan','tri'] as all
       ), turn as (
         select number, abs(hashint4(number)) as a, abs(hashint4(number + 1000000)) as b, abs(hashint4(number + 2000000)) as c
         from generate_series($2::int, $3::int) number
       ), drawn as (
         select number, a,
           (array['Business Card BC','T-Shirt TS','Postcard PC','Vinyl Banner VB','Mug MG','Tri-Fold Brochure BR',
             'Welcome Kit WK','Flyer FL','Polo Shirt PS','Yard Sign YS','Letterhead LH','Water Bottle WB','Envelope EN',
             'Retractable Banner RB','Ballpoint Pen BP','Presentation Folder PF','Event Kit EK','Sticker Sheet ST',
             'Hoodie HD','Notepad NP','Window Decal WD','Tote Bag TB','Greeting Card GC','Cap CP','Door Hanger DH',
             'Wall Sign WS','Notebook NB','Table Tent TT','Umbrella UM','Wall Calendar CL','Sample Kit SK','Poster PO'
           ])[1 + a % 32] as article,
           (array['Matte','Gloss','Linen','Recycled','Soft-Touch','Uncoated','Indoor','Outdoor','Double-Sided',
             'Reflective','Classic','Premium','Eco','Sport'])[1 + b % 14] as finish,
           (array['Grand Opening','Spring','Recruiting','Trade Show','Executive','Summer','Open House','Anniversary',
             'Essentials','Harvest','Community','Dealer','Wellness','Campus','Winter','Safety','Loyalty','Franchise',
             'Holiday','Partner'])[1 + c % 20] as collection,
           initcap(syllable.all[1 + a / 32 % 24] || syllable.all[1 + b / 14 % 24] || syllable.all[1 + c / 20 % 24]) as brand
         from turn, syllable
       )
       insert into product (kind, site_id, name, code, service_type, artwork_source, description, meta_keywords,
         created_on, updated_on)
       select 'SLO', $1, brand || ' ' || collection || ' ' || left(article, -3) || ', ' || finish,
         right(article, 2) || '-' || lpad(number::text, 6, '0'), case when a % 3 = 0 then 'STOCK' else 'POD' end, 'NONE',
         'A ' || lower(finish) || ' ' || lower(left(article, -3)) || ' from the ' || collection
           || ' collection, made for ' || brand || '. Printed on demand and delivered in days.',
         lower(left(article, -3) || ', ' || finish || ', ' || brand), now(), now()
       from drawn`,
      [siteId, from, Math.min(from + batch, productCount) - 1],
    )
  }
  for (const table of ['product', 'product_search', 'search_word']) await client.query(`vacuum analyze ${table}`)
  const { rows } = await client.query<{ search: string; words: number }>(
    `select pg_size_pretty(pg_total_relation_size('product_search') + pg_total_relation_size('search_word')) as search,
       (select count(*)::int from search_word where site_id = $1) as words`,
    [siteId],
  )
  await client.end()
  const filled = ((performance.now() - startedAt) / 1_000).toFixed(0)
  say(`filled in ${filled} s; search takes ${rows[0]!.search} on disk and knows ${rows[0]!.words} words`)
}

/** The CPU time that the service and its database have used so far. */
function processorSeconds(): { database: number; service: number } {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])
  const database = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    return stat?.parent === postmaster ? [stat.seconds] : []
  })
  return {
    database: database.reduce((sum, used) => sum + used, 0),
    service: statOf(service.pid)?.seconds ?? Number.NaN,
  }
}
