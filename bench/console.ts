import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import pg from 'pg'
import type { Manifest } from '../src/demo/manifest.ts'
import { keptLines } from './kept-lines.ts'
import { anyPorts, databaseUrl, startProcess } from './process.ts'

const say = keptLines('results-console.txt')

/**
 * `node bench/console.ts [rounds]`: the staff console in Chromium beside the service, on demo data. How much script the
 * first page takes, when it can be worked with, how 10,000 rows scroll, and how soon the next proof is seen.
 */
const rounds = Number(process.argv[2] ?? 5)
const rowCount = 10_000

const dataDir = mkdtempSync(join(tmpdir(), 'partner-commerce-bench-console-'))
const service = await startProcess<{ consoleUrl: string }>('src/main.ts', [], {
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  ...anyPorts,
})
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
  say(`Node ${process.version}, Chromium ${browser.version()}, ${cpus().length} cores; median of ${rounds} rounds`)
  for (const path of ['/production/today', '/production/orders']) await firstPage(browser, manifest, path)
  await nextProof(browser, manifest)
  await scrolling(browser, manifest)
} finally {
  await browser.close()
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function signedIn(from: Browser, { staff }: Manifest): Promise<BrowserContext> {
  const context = await from.newContext({
    viewport: { width: 1440, height: 900 },
    baseURL: service.ready.consoleUrl,
  })
  const origin = new URL(service.ready.consoleUrl).origin
  const answer = await context.request.post('/staff/v1/session', { data: staff, headers: { origin } })
  if (answer.status() !== 201) throw new Error(`signing in answered ${answer.status()}`)
  return context
}

/** The script of a page as gzip, and when its numbers stand and nothing long runs any more. */
async function firstPage(from: Browser, manifest: Manifest, path: string): Promise<void> {
  const scripts = new Set<string>()
  const cold: number[] = []
  const warm: number[] = []
  for (let round = 0; round < rounds; round++) {
    const context = await signedIn(from, manifest)
    const page = await context.newPage()
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.add(response.url())
    })
    cold.push(await interactive(page, path))
    warm.push(await interactive(page, path))
    await context.close()
  }
  let bytes = 0
  for (const url of scripts) {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const { get } = await import('node:http')
    // By node:http, since fetch would unpack it.
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      let length = 0
      answer.on('data', (chunk: Buffer) => (length += chunk.length))
      answer.on('end', () => resolve(length))
    }).on('error', reject)
    bytes += await promise
  }
  say(`${path}: ${(bytes / 1000).toFixed(0)} kB of script as gzip, in ${scripts.size} files; goal 250 kB`)
  say(`${path}: interactive after ${middle(cold)} ms, ${middle(warm)} ms with its files kept; goal 1000 ms`)
}

/** From the call for the page to the end of the last long task before its numbers stand. */
async function interactive(page: Page, path: string): Promise<number> {
  await page.goto('about:blank')
  await page.goto(path, { waitUntil: 'commit' })
  return page.locator('h1').evaluate(
    () =>
      new Promise<number>((resolve) => {
        let busyUntil = 0
        new PerformanceObserver((list) => {
          for (const { startTime, duration } of list.getEntries()) busyUntil = Math.max(busyUntil, startTime + duration)
        }).observe({ type: 'longtask' as never, buffered: true })
        const look = () => {
          const shown: any = (globalThis as any).document
          const stands =
            shown.querySelector('main a[href*="/production/"]') && !shown.querySelector('main [aria-label="Loading"]')
          if (!stands) {
            setTimeout(look, 5)
            return
          }
          const at = performance.now()
          // A long task that is still running is told after it.
          setTimeout(() => resolve(Math.max(at, busyUntil)), 100)
        }
        look()
      }),
  )
}

/** From the key to the picture of the next proof, as a person who walks through the queue sees it. */
async function nextProof(from: Browser, manifest: Manifest): Promise<void> {
  const context = await signedIn(from, manifest)
  const page = await context.newPage()
  await page.goto('/production/proofs')
  await page.getByText('Open the first').click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  const moves: number[] = []
  for (let move = 0; move < 12; move++) {
    const seen = page.locator('html').evaluate(
      () =>
        new Promise<number>((resolve) => {
          const { document, requestAnimationFrame: nextFrame } = globalThis as any
          const heading = () => document.querySelector('h1')?.textContent
          const before = heading()
          document.addEventListener(
            'keydown',
            () => {
              const pressed = performance.now()
              const look = () => {
                const images: any[] = [...document.querySelectorAll('[aria-label="Artwork and proof"] img')]
                const stands = images.length > 0 && images.every((each) => each.complete && each.naturalWidth > 0)
                const after = performance.now() - pressed
                // Some proofs have no picture.
                if (after > 3_000) resolve(Number.NaN)
                else if (heading() === before || !stands) nextFrame(look)
                else resolve(after)
              }
              nextFrame(look)
            },
            { once: true, capture: true },
          )
        }),
    )
    await page.waitForTimeout(700) // somebody looks at the proof meanwhile
    await page.keyboard.press('j')
    moves.push(await seen)
  }
  const times = moves.filter((each) => !Number.isNaN(each))
  say(`next proof: ${middle(times)} ms, at most ${Math.max(...times).toFixed(0)} ms of ${times.length}; goal 150 ms`)
  await context.close()
}

/** All rows are loaded page by page; then the list is scrolled from its start for three seconds. */
async function scrolling(from: Browser, manifest: Manifest): Promise<void> {
  await fill(manifest)
  const context = await signedIn(from, manifest)
  const page = await context.newPage()
  await page.goto('/production/orders')
  const table = page.getByRole('table')
  await table.waitFor()
  const loaded = await table.evaluate(async (element: any, wanted) => {
    const scroller = element.parentElement
    const rows = () => scroller.scrollHeight / element.querySelector('tbody tr:not([aria-hidden])').offsetHeight
    while (rows() <= wanted) {
      const { scrollHeight } = scroller
      scroller.scrollTop = scrollHeight
      for (let waits = 0; scroller.scrollHeight === scrollHeight && waits < 500; waits++)
        await new Promise((resolve) => setTimeout(resolve, 10))
      if (scroller.scrollHeight === scrollHeight) break
    }
    return Math.round(rows())
  }, rowCount)
  const frames = await table.evaluate(async (element: any) => {
    const { requestAnimationFrame: nextFrame } = globalThis as any
    const scroller = element.parentElement
    const frame = () => new Promise<number>((resolve) => nextFrame(resolve))
    scroller.scrollTop = 0
    for (let rest = 0; rest < 30; rest++) await frame()
    const gaps: number[] = []
    let before = await frame()
    const start = before
    while (before - start < 3_000) {
      scroller.scrollTop += 120
      const now = await frame()
      gaps.push(now - before)
      before = now
    }
    return gaps
  })
  const late = frames.filter((gap) => gap > 25).length
  const perSecond = (1000 * frames.length) / frames.reduce((sum, gap) => sum + gap, 0)
  say(
    `${loaded} rows: ${perSecond.toFixed(1)} frames/s while scrolling 120 px a frame, ${late} of ${frames.length} late; goal 60 frames/s`,
  )
  await context.close()
}

async function fill({ sites, partners }: Manifest): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(dataDir) })
  await client.connect()
  await client.query(
    `insert into orders (order_number, site_id, partner_id, partner_order_id, submission_id, status, placed_on, updated_on,
       currency, ship_to)
     select 2000000 + n, $1, $2, 'PO-' || n, gen_random_uuid(), 'COMPLETED', now() - n * interval '90 s', now(), 'USD',
       '{"name": "Robin Sample", "address1": "1 Main St", "city": "Albany", "state": "NY", "postalCode": "12207", "country": "US"}'
     from generate_series(1, $3) as n`,
    [sites.main, partners.primary!.partnerId, rowCount],
  )
  await client.query('vacuum analyze orders')
  await client.end()
}

function middle(values: readonly number[]): string {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!.toFixed(0)
}
