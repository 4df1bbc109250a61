import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { sendAs } from '../../test/world/mutual-tls.ts'
import { partner } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'

const service = await testService()
const { baseUrl, sandboxBaseUrl, mtlsBaseUrl, developerUrl } = service.hosts
const primary = await partner(service, 'primary')
const sandbox = await partner(service, 'sandbox')
const files = service.manifest.partners.certificate.certificate!
const [cert, key, ca] = await Promise.all(
  [files.certFile, files.keyFile, files.caFile].map((file) => readFile(file, 'utf8')),
)
const overTls = (path: string) => sendAs({ cert, key, ca }, mtlsBaseUrl, path)

const toSite = `<${developerUrl}/>; rel="service-doc"; type="text/html"`
const toGuide = (code: string) => `${toSite}, <${developerUrl}/guides/errors/${code}/>; rel="help"; type="text/html"`

test('every answer of the API hosts leads to the developer site, and a problem to the page about its code', async () => {
  for (const get of [primary.get, sandbox.get, overTls]) {
    assert.equal((await get('/v1/me')).headers.get('link'), toSite)
    for (const [path, code] of [
      ['/v1/orders/987654321', 'order_not_found'],
      ['/v1/orders/none', 'invalid_order_number'],
      ['/v1/nowhere', 'route_not_found'],
      ['/developer/requests/0199a0a0-0000-7000-8000-000000000000', 'request_not_found'],
    ] as const) {
      const refused = await get(path)
      assert.deepEqual([refused.body.code, refused.headers.get('link')], [code, toGuide(code)], path)
    }
  }
  const stranger = await fetch(`${baseUrl}/v1/me`)
  assert.deepEqual([stranger.status, stranger.headers.get('link')], [401, toGuide('invalid_token')])
})

test('the catalog of a host names its APIs, each with its document, its pages and its status', async () => {
  for (const [base, apis] of [
    [baseUrl, ['v1', 'developer']],
    [sandboxBaseUrl, ['v1', 'developer', 'sandbox']],
    [mtlsBaseUrl, ['v1', 'developer']],
  ] as const) {
    const path = '/.well-known/api-catalog'
    const answer =
      base === mtlsBaseUrl
        ? await overTls(path)
        : await fetch(base + path).then(async (open) => ({
            status: open.status,
            headers: open.headers,
            body: (await open.json()) as any, // eslint-disable-line typescript/no-explicit-any
          }))
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type')!, /^application\/linkset\+json; profile="[^"]+rfc9727"$/)
    const [catalog, ...contexts] = answer.body.linkset
    assert.equal(catalog.anchor, base + path)
    assert.deepEqual(
      catalog.item.map(({ href }: { href: string }) => href),
      apis.map((api) => `${base}/${api}`),
    )
    assert.deepEqual(
      contexts.map((context: Record<string, unknown>) => context.anchor),
      apis.map((api) => `${base}/${api}`),
    )
    const documents = { v1: '/openapi.json', developer: '/developer/openapi.json', sandbox: '/sandbox/openapi.json' }
    for (const [index, api] of apis.entries()) {
      const { 'service-desc': desc, 'service-doc': doc, status } = contexts[index]
      assert.deepEqual(desc, [{ href: developerUrl + documents[api], type: 'application/json' }])
      assert.deepEqual(doc, [{ href: `${developerUrl}/`, type: 'text/html' }])
      assert.deepEqual(status, [{ href: `${base}/v1/ping`, type: 'application/json' }])
    }
  }
  assert.equal((await fetch(`${baseUrl}/v1/ping`)).status, 200)
})
