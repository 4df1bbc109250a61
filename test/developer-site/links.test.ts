import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { testService } from '../world/service.ts'

const service = await testService()
const { developerUrl } = service.hosts
const dist = fileURLToPath(new URL('../../developers/dist/', import.meta.url))

type Page = { html: string; ids: Set<string>; links: string[] }

/** Every page that links lead to from the home page, by its path. */
async function everyPage(): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>()
  const queue = ['/']
  for (const path of queue) {
    if (pages.has(path)) continue
    const answer = await fetch(developerUrl + path, { redirect: 'manual', headers: { accept: 'text/html' } })
    const html = await answer.text()
    assert.equal(answer.status, 200, `${path} answers ${answer.status}`)
    const links = [...html.matchAll(/<(?:a|link)\s[^>]*?href="([^"]+)"/g)].map(([, href]) =>
      href!.replaceAll('&amp;', '&'),
    )
    pages.set(path, { html, ids: new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!)), links })
    for (const link of links) {
      const { pathname } = within(link, path) ?? {}
      if (pathname?.endsWith('/') && !pages.has(pathname)) queue.push(pathname)
    }
  }
  return pages
}

/** Where a link on this site leads; undefined = elsewhere. */
function within(link: string, from: string): URL | undefined {
  const url = new URL(link, developerUrl + from)
  return url.origin === new URL(developerUrl).origin ? url : undefined
}

const pages = await everyPage()

test('every link leads to something, and every anchor to a place that is there', async () => {
  const files = new Map<string, number>()
  for (const [path, { links }] of pages) {
    for (const link of links) {
      const url = within(link, path)
      if (url === undefined) continue
      const target = pages.get(url.pathname)
      if (target) {
        const id = decodeURIComponent(url.hash.slice(1))
        assert.ok(id === '' || target.ids.has(id), `${path} links ${link}, where nothing has that id`)
        continue
      }
      if (!files.has(url.pathname)) files.set(url.pathname, (await fetch(url)).status)
      assert.equal(files.get(url.pathname), 200, `${path} links ${link}`)
    }
  }
  assert.ok(files.size > 5)
})

test('every page can be reached by links from the home page', () => {
  const built = globSync('**/index.html', { cwd: dist }).map((file) => `/${file.slice(0, -'index.html'.length)}`)
  assert.deepEqual(
    built.filter((path) => !pages.has(path)),
    [],
  )
  assert.ok(built.length > 150, String(built.length))
})

test('every page is also there as Markdown, with the same heading and no markup', async () => {
  for (const [path, { html }] of pages) {
    if (path.startsWith('/portal/') && path !== '/portal/') continue
    const twin = path === '/' ? '/index.md' : `${path.slice(0, -1)}.md`
    const answer = await fetch(developerUrl + twin)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/markdown; charset=utf-8'], twin)
    const text = await answer.text()
    const heading = /<h1[^>]*>([\s\S]*?)<\/h1>/
      .exec(html)![1]!
      .replaceAll(/<[^>]+>/g, '')
      .trim()
    assert.ok(text.startsWith(`# ${heading}\n\n`), `${twin}: ${text.slice(0, 60)}`)
    const prose = text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`]*`/g, '')
    assert.doesNotMatch(prose, /<(?:div|span|p|a|button)\b/, twin)
    assert.doesNotMatch(text, /required, required|[a-z]required\b/, twin)
  }
})

test('llms.txt lists every page once', async () => {
  const text = await (await fetch(`${developerUrl}/llms.txt`)).text()
  const listed = [...text.matchAll(/^- \[.+?\]\((.+?)\)/gm)].map(([, url]) => new URL(url!).pathname)
  assert.equal(new Set(listed).size, listed.length)
  for (const path of pages.keys()) {
    if (path.startsWith('/portal/') && path !== '/portal/') continue
    assert.ok(listed.includes(path === '/' ? '/index.md' : `${path.slice(0, -1)}.md`), path)
  }
  for (const path of listed) assert.equal((await fetch(developerUrl + path)).status, 200, path)
})
