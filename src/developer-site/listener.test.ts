import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { testService } from '../../test/world/service.ts'

const service = await testService()
const { developerUrl, baseUrl, mtlsBaseUrl, sandboxBaseUrl, storageUrl } = service.hosts

/** `fetch` would decompress what came. */
async function raw(path: string, coding: string): Promise<{ headers: IncomingMessage['headers']; bytes: Buffer }> {
  const response = await new Promise<IncomingMessage>((resolve) =>
    get(developerUrl + path, { headers: { 'accept-encoding': coding } }, resolve),
  )
  return { headers: response.headers, bytes: Buffer.concat(await response.toArray()) }
}

test('every page comes compressed, and is not sent again to who has it', async () => {
  for (const path of ['/', '/guides/webhooks/', '/reference/submit-order/', '/guides/webhooks.md', '/openapi.json']) {
    const plain = await raw(path, 'identity')
    assert.equal(plain.headers['content-encoding'], undefined)
    const [br, gzip] = [await raw(path, 'br, gzip;q=0.5'), await raw(path, 'gzip')]
    assert.deepEqual([br.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip'])
    assert.ok(brotliDecompressSync(br.bytes).equals(plain.bytes), path)
    assert.ok(gunzipSync(gzip.bytes).equals(plain.bytes), path)
    assert.equal(br.headers.vary, 'Accept-Encoding')
    assert.equal(br.headers['cache-control'], 'no-cache')
    assert.equal(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size, 3)
    for (const { headers } of [plain, br, gzip]) {
      const again = await fetch(developerUrl + path, { headers: { 'if-none-match': headers.etag! } })
      assert.deepEqual([again.status, await again.text()], [304, ''])
    }
  }
})

test('what a page loads is compressed by the build, and kept for good', async () => {
  const page = await (await fetch(developerUrl)).text()
  const files = [...page.matchAll(/(?:src|href)="(\/_astro\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path!)
  assert.ok(files.length >= 3)
  for (const path of files) {
    const { headers, bytes } = await raw(path, 'br')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable', path)
    const plain = await raw(path, 'identity')
    if (plain.bytes.length > 1024) assert.ok(brotliDecompressSync(bytes).equals(plain.bytes), path)
  }
})

test('pages, texts and documents name the service by its own addresses', async () => {
  const paths = ['/', '/guides/first-order/', '/guides/mutual-tls.md', '/llms.txt', '/llms-full.txt', '/openapi.json']
  const texts = await Promise.all(paths.map(async (path) => (await fetch(developerUrl + path)).text()))
  for (const [index, text] of texts.entries())
    assert.doesNotMatch(text, /partner-commerce\.(?:example|test)/, paths[index]!)
  const whole = texts.join('\n')
  for (const url of [baseUrl, mtlsBaseUrl, sandboxBaseUrl, developerUrl]) assert.ok(whole.includes(url!), url)
  const { servers } = JSON.parse(texts[5]!) as { servers: { url: string }[] }
  assert.deepEqual(
    servers.map(({ url }) => url),
    [baseUrl, mtlsBaseUrl, sandboxBaseUrl],
  )
  const control = (await (await fetch(`${developerUrl}/sandbox/openapi.json`)).json()) as { servers: { url: string }[] }
  assert.equal(control.servers[0]!.url, sandboxBaseUrl)
})

test('pages run only the scripts that they were built with, and call only the two bearer hosts', async () => {
  for (const path of ['/', '/reference/get-order/', '/portal/']) {
    const answer = await fetch(developerUrl + path)
    const policy = answer.headers.get('content-security-policy')!
    const [, scripts] = /script-src ([^;]+)/.exec(policy)!
    assert.doesNotMatch(scripts!, /unsafe-inline|unsafe-eval'$| unsafe-eval/)
    const page = await answer.text()
    const inline = [...page.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)]
    assert.ok(inline.length > 0)
    for (const [, text] of inline) {
      const hash = createHash('sha256').update(text!).digest('base64')
      assert.ok(scripts!.includes(`'sha256-${hash}'`), `${path}: ${text!.slice(0, 80)}`)
    }
    assert.doesNotMatch(page, /<[a-z][^>]* on[a-z]+="/)
    assert.match(policy, new RegExp(`connect-src 'self' ${baseUrl} ${sandboxBaseUrl}(?:;| )`))
    assert.match(policy, new RegExp(`img-src 'self' data: blob: ${new URL(storageUrl).origin};`))
    assert.match(policy, /frame-ancestors 'none'/)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  }
})

test('what is not there is a page for people and a problem document for programs, and nothing is changed by asking', async () => {
  const person = await fetch(`${developerUrl}/guides/nothing/`, { headers: { accept: 'text/html,*/*' } })
  assert.equal(person.status, 404)
  assert.match(person.headers.get('content-type')!, /^text\/html/)
  assert.match(await person.text(), /<h1/)
  for (const path of ['/nothing', '/..%2f..%2fpackage.json', '/.built-from', '/index.html.br', '/_astro/nothing.js']) {
    const program = await fetch(developerUrl + path)
    assert.deepEqual(
      [program.status, ((await program.json()) as { code: string }).code],
      [404, 'route_not_found'],
      path,
    )
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const answer = await fetch(`${developerUrl}/guides/limits/`, { method })
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'], method)
  }
})

test('a page without its last slash leads to the page, and every path of the portal is its page', async () => {
  const moved = await fetch(`${developerUrl}/guides/limits`, { redirect: 'manual' })
  assert.deepEqual([moved.status, moved.headers.get('location')], [308, '/guides/limits/'])
  const asked = await fetch(`${developerUrl}/guides/limits?from=mail&x=%2F`, { redirect: 'manual' })
  assert.equal(asked.headers.get('location'), '/guides/limits/?from=mail&x=%2F')
  const portal = await (await fetch(`${developerUrl}/portal/`)).text()
  assert.equal(await (await fetch(`${developerUrl}/portal/sandbox/requests/1`)).text(), portal)
})

test('no answer sets a cookie or asks for a credential, and one that is sent changes nothing', async () => {
  const plain = await fetch(`${developerUrl}/guides/limits/`)
  const asked = await fetch(`${developerUrl}/guides/limits/`, { headers: { authorization: 'Bearer x', cookie: 'a=b' } })
  for (const { headers } of [plain, asked]) {
    assert.deepEqual([headers.get('set-cookie'), headers.get('www-authenticate')], [null, null])
  }
  assert.equal(await asked.text(), await plain.text())
})
