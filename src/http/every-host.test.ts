import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { partner } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'
import { staff } from '../../test/world/staff.ts'
import { chooseFreePort } from '../database/embedded/postmaster.ts'

/** One of the seven hosts, and what it serves. */
type Host = {
  name: string
  open: () => Promise<Socket>
  /** the path of a GET that is answered 200 */
  known: string
  credential: Readonly<Record<string, string>>
  /** method and path of an operation that takes JSON */
  takesJson?: string
  /** status of a request to an unknown path without a credential */
  unknown: number
}

type Answer = { status: number; headers: Map<string, string>; body: string }

const service = await testService()
const { baseUrl, sandboxBaseUrl, developerUrl, consoleUrl, mtlsBaseUrl, storageUrl, opsUrl } = service.hosts
const files = service.manifest.partners.certificate.certificate!
const [cert, key, ca] = await Promise.all(
  [files.certFile, files.keyFile, files.caFile].map((file) => readFile(file, 'utf8')),
)
const [primary, sandbox, admin] = [
  await partner(service, 'primary'),
  await partner(service, 'sandbox'),
  await staff(service),
]
const plain = (url: string) => async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}
const secured = async () => {
  const socket = connectTls({ port: Number(new URL(mtlsBaseUrl).port), host: '127.0.0.1', cert, key, ca })
  await once(socket, 'secureConnect')
  return socket
}
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const partnerApi = { known: '/v1/me', takesJson: 'POST /v1/users', unknown: 401 }
const hosts: readonly Host[] = [
  { name: 'bearer', open: plain(baseUrl), ...partnerApi, credential: bearer(primary.token) },
  { name: 'mutual TLS', open: secured, ...partnerApi, credential: {}, unknown: 404 },
  { name: 'sandbox', open: plain(sandboxBaseUrl), ...partnerApi, credential: bearer(sandbox.token) },
  {
    name: 'staff',
    open: plain(consoleUrl),
    known: '/staff/v1/session',
    credential: bearer(admin.token),
    takesJson: 'PUT /staff/v1/session/password',
    unknown: 404,
  },
  { name: 'developer site', open: plain(developerUrl), known: '/openapi.json', credential: {}, unknown: 404 },
  { name: 'storage', open: plain(storageUrl), known: '/production/no-such', credential: {}, unknown: 403 },
  { name: 'operations', open: plain(opsUrl), known: '/readyz', credential: {}, unknown: 404 },
]
const hostNamed = (name: string) => hosts.find((host) => host.name === name)!

/** Sends these bytes and reads the answer until the connection ends. */
async function answerTo({ open }: Host, bytes: string, { hangUp = false } = {}): Promise<Answer> {
  const socket = await open()
  const received: Buffer[] = []
  socket.on('data', (piece: Buffer) => received.push(piece)).on('error', () => undefined)
  socket.write(bytes)
  if (hangUp) socket.end()
  // A reset after the answer also ends the connection.
  await new Promise((resolve) => socket.once('close', resolve))
  return readAnswer(Buffer.concat(received).toString())
}

function readAnswer(text: string): Answer {
  const end = text.indexOf('\r\n\r\n')
  const [status, ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  return { status: Number(status!.split(' ')[1]), headers, body: text.slice(end + 4) }
}

type Asked = { method?: string; target?: string; headers?: readonly string[]; credential?: boolean; body?: string }

/** The text of a request whose connection ends with its answer. */
function written(host: Host, { method = 'GET', target, headers = [], credential = true, body = '' }: Asked): string {
  const lines = [
    `${method} ${target ?? host.known} HTTP/1.1`,
    'Host: localhost',
    ...(credential ? Object.entries(host.credential).map(([name, value]) => `${name}: ${value}`) : []),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...(headers.some((line) => /^connection:/i.test(line)) ? [] : ['Connection: close']),
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

const ask = (host: Host, asked: Asked) => answerTo(host, written(host, asked))

/** The refusal is a document of this host, and the request id in it is the one in the header. */
function assertRefused(host: Host, answer: Answer, status: number, what: string, detail?: string): void {
  const told = `${host.name}: ${what}: ${answer.body}`
  assert.equal(answer.status, status, told)
  const requestId = answer.headers.get('request-id')!
  assert.match(requestId, /^[\da-f-]{36}$/, told)
  assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(answer.body)), told)
  if (host.name === 'storage') {
    assert.equal(answer.headers.get('content-type'), 'application/xml', told)
    assert.match(answer.body, /^<\?xml [^>]+>\n<Error><Code>\w+<\/Code><Message>[^<]+<\/Message><\/Error>$/)
    if (detail !== undefined) assert.ok(answer.body.includes(`<Message>${detail}</Message>`), told)
    return
  }
  assert.equal(answer.headers.get('content-type'), 'application/problem+json', told)
  const { errors: _severalFaults, ...problem } = JSON.parse(answer.body) as Record<string, unknown>
  assert.deepEqual(Object.keys(problem), ['type', 'title', 'status', 'code', 'detail', 'requestId'], told)
  assert.deepEqual([problem.status, problem.requestId], [status, requestId], told)
  if (detail !== undefined) assert.equal(problem.detail, detail, told)
}

/** The answer to a valid request; the storage host refuses any without a signature. */
const assertAnswered = (host: Host, answer: Answer, what: string) =>
  host.name === 'storage'
    ? assertRefused(host, answer, 403, what)
    : assert.deepEqual([answer.status, answer.headers.has('request-id')], [200, true], `${host.name}: ${what}`)

test('ERR-01 ERR-02 bytes that are not a request get a problem document on every host, and the connection ends', async () => {
  const endless = 'a'.repeat(20_000)
  const unreadable = [
    'nonsense\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET v1/ping HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /v1/ping HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n',
    'GET /v1/ping HTTP/1.1\r\nHost: x\r\nX-Nul: \u0000\r\n\r\n',
    `GET /v1/ping HTTP/1.1\r\nHost: x\r\nX-Long: ${endless}\r\n\r\n`,
    `GET /v1/ping HTTP/1.1\r\nHost: x\r\nX-Long: ${endless.repeat(100)}\r\n\r\n`,
    `GET /${endless} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    'POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
  ]
  for (const host of hosts) {
    for (const request of unreadable) {
      const answer = await answerTo(host, request)
      assertRefused(host, answer, 400, request.slice(0, 40), 'The request could not be read.')
      assert.equal(answer.headers.get('connection'), 'close')
    }
    for (const request of ['GET /v1/pi', 'GET /v1/ping HTTP/1.1\r\nHost: x\r\n']) {
      const answer = await answerTo(host, request, { hangUp: true })
      assertRefused(host, answer, 400, request, 'The request could not be read.')
    }
  }
})

test('ERR-01 ERR-02 a request without a Host header, with two or with a malformed one gets a problem document on every host', async () => {
  const missing = ['GET /v1/ping HTTP/1.1\r\n\r\n', 'GET /nowhere HTTP/1.1\r\n\r\n', 'GET /v1/ping HTTP/1.0\r\n\r\n']
  const malformed = ['', 'a b<c>', 'x y', '<x>', 'x/path', 'user@x', 'x:port', 'x:123456', '[::1', '::1', 'é']
  const twice = ['/v1/ping', '/nowhere'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`)
  for (const host of hosts) {
    for (const [detail, requests] of [
      ['The Host header is missing.', missing],
      ['The request must have one Host header, not several.', twice],
      [
        'The Host header must name a host, and a port if need be, such as example.com:443.',
        malformed.map((name) => `GET /v1/ping HTTP/1.1\r\nHost: ${name}\r\n\r\n`),
      ],
    ] as const) {
      for (const request of requests) {
        const answer = await answerTo(host, request)
        assertRefused(host, answer, 400, request, detail)
        assert.equal(answer.headers.get('connection'), 'close')
      }
    }
    for (const good of ['x', 'host.example:8080', '127.0.0.1', '[::1]:80', 'h_1.Example', 'x.']) {
      // The staff host answers to its own names only.
      if (host.name === 'staff') continue
      assertAnswered(host, await answerTo(host, written(host, {}).replace('Host: localhost', `Host: ${good}`)), good)
    }
    assertAnswered(host, await answerTo(host, written(host, {}).replace('HTTP/1.1', 'HTTP/1.0')), '1.0')
  }
})

test('a transfer coding other than chunked is refused: its bytes are never taken for the body', async () => {
  for (const host of hosts) {
    const [method, target] = (host.takesJson ?? `POST ${host.known}`).split(' ') as [string, string]
    for (const coding of ['gzip, chunked', 'identity, chunked', 'x, CHUNKED', 'gzip,chunked']) {
      const headers = ['Content-Type: application/json', `Transfer-Encoding: ${coding}`]
      const answer = await answerTo(host, `${written(host, { method, target, headers })}2\r\n{}\r\n0\r\n\r\n`)
      assertRefused(host, answer, 400, coding, 'The only Transfer-Encoding this server knows is chunked.')
    }
    if (host.takesJson === undefined) continue
    const chunked = ['Content-Type: application/json', 'Transfer-Encoding: Chunked']
    const read = await answerTo(host, `${written(host, { method, target, headers: chunked })}2\r\n{}\r\n0\r\n\r\n`)
    assertRefused(host, read, 400, 'chunked')
    assert.match(read.body, /is required/)
  }
})

test('ERR-19 a body in chunks is refused once it is longer than allowed, on every host that takes JSON', async () => {
  for (const host of hosts) {
    if (host.takesJson === undefined) continue
    const [method, target] = host.takesJson.split(' ') as [string, string]
    const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
    const chunk = `10000\r\n${'1'.repeat(0x10000)}\r\n`
    const begun = `${written(host, { method, target, headers })}${chunk.repeat(4)}`
    const long = await answerTo(host, `${begun}1\r\n1\r\n0\r\n\r\n`)
    assertRefused(host, long, 400, 'one byte more', 'The body must have at most 262144 bytes.')
    const full = await answerTo(host, `${begun}0\r\n\r\n`)
    assertRefused(host, full, 400, 'as long as allowed')
    assert.doesNotMatch(full.body, /bytes/)
  }
})

test('an expectation other than 100-continue gets a problem document on every host, and 100-continue is met', async () => {
  for (const host of hosts) {
    for (const expected of ['foo', '', '200-ok']) {
      const answer = await ask(host, { headers: [`Expect: ${expected}`] })
      assertRefused(host, answer, 400, `Expect: ${expected}`, 'The only expectation this server knows is 100-continue.')
    }
    const answer = await ask(host, { headers: ['Expect: 100-continue'] })
    // The storage host checks the signature first, and asks a client to continue only when it is valid.
    if (host.name === 'storage') assertRefused(host, answer, 403, '100-continue')
    else assertAnswered(host, readAnswer(answer.body), `100-continue: ${answer.status}`)
  }
})

test('two Authorization headers are not a credential, whichever comes first', async () => {
  for (const name of ['bearer', 'sandbox', 'staff', 'storage']) {
    const host = hostNamed(name)
    const good = `Authorization: ${host.credential.Authorization}`
    assertAnswered(host, await ask(host, {}), 'one')
    for (const headers of [
      [good, good],
      [good, 'Authorization:'],
      ['Authorization:', good],
      [good, 'Authorization: Bearer other'],
      ['Authorization: Basic eDp5', good],
    ]) {
      const answer = await ask(host, { credential: false, headers })
      assertRefused(host, answer, name === 'storage' ? 403 : 401, headers.join())
    }
  }
  const { clientId, clientSecret } = service.manifest.partners.primary!.clients![0]!
  const basic = `Authorization: Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const form = (...headers: string[]) =>
    ask(hostNamed('bearer'), {
      method: 'POST',
      target: '/oauth2/token',
      credential: false,
      headers: ['Content-Type: application/x-www-form-urlencoded', ...headers],
      body: 'grant_type=client_credentials',
    })
  assert.equal((await form(basic)).status, 200)
  const twice = await form(basic, basic)
  assert.deepEqual([twice.status, JSON.parse(twice.body).error], [401, 'invalid_client'])
})

test('HEAD is answered like GET, without the body', async () => {
  const pages: Record<string, string[]> = {
    bearer: ['/v1/ping', '/v1/me', '/v1/orders?limit=1', '/v1/orders/x', '/nowhere', '/oauth2/jwks', '/oauth2/login'],
    'mutual TLS': ['/v1/ping', '/v1/me', '/v1/sites', '/nowhere'],
    sandbox: ['/v1/me', '/sandbox/clock'],
    staff: ['/staff/v1/session', '/staff/openapi.json', '/nowhere'],
    'developer site': ['/openapi.json', '/', '/portal/orders', '/portal', '/nowhere'],
    storage: ['/production/no-such'],
    operations: ['/healthz', '/readyz', '/nowhere'],
  }
  const ownOfEach = new Set(['date', 'request-id', 'ratelimit', 'ratelimit-policy'])
  // What they answer differs from moment to moment.
  const changing = new Set(['/v1/ping', '/v1/me', '/sandbox/clock', '/staff/v1/session'])
  const shown = ({ headers }: Answer, target: string) =>
    [...headers].filter(([name]) => !ownOfEach.has(name) && (name !== 'etag' || !changing.has(target))).toSorted()
  for (const host of hosts) {
    for (const target of pages[host.name]!) {
      const [got, head] = [await ask(host, { target }), await ask(host, { target, method: 'HEAD' })]
      const what = `${host.name} ${target}`
      assert.deepEqual([head.status, shown(head, target), head.body], [got.status, shown(got, target), ''], what)
      assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(got.body)), what)
    }
  }
  // The numbers differ between reads.
  const metrics = await ask(hostNamed('operations'), { target: '/metrics', method: 'HEAD' })
  assert.deepEqual([metrics.status, metrics.body], [200, ''])
  assert.ok(Number(metrics.headers.get('content-length')) > 1_000)
  const file = await ask(hostNamed('staff'), { target: '/staff/v1/production/price-file', method: 'HEAD' })
  assert.equal(file.body, '')
  for (const host of hosts.filter(({ takesJson }) => takesJson)) {
    const [, target] = host.takesJson!.split(' ')
    const head = await ask(host, { target: target!, method: host.name === 'staff' ? 'HEAD' : 'DELETE' })
    assert.equal(head.status, 405)
    assert.equal(head.headers.get('allow'), host.name === 'staff' ? 'PUT' : 'GET, HEAD, POST')
  }
})

test('every Content-Type is answered: a wrong one is refused where a body is read, and ignored where none is', async () => {
  const types = ['', 'garbage', '*', '*/*', 'application/json, text/plain', 'text/plain', ';', 'application/json\t;;=']
  for (const host of hosts) {
    for (const type of types) {
      const headers = [`Content-Type: ${type}`]
      assertAnswered(host, await ask(host, { headers }), type)
      const lost = await ask(host, { method: 'POST', target: '/nowhere', credential: false, headers, body: '{}' })
      assertRefused(host, lost, host.unknown, type)
      if (host.takesJson === undefined || type.startsWith('application/json\t')) continue
      const [method, target] = host.takesJson.split(' ') as [string, string]
      const answer = await ask(host, { method, target, headers, body: '{}' })
      assertRefused(host, answer, 400, type, 'The body must be sent as Content-Type: application/json.')
    }
    const twice = ['Content-Type: application/json', 'Content-Type: text/plain']
    if (host.takesJson === undefined) continue
    const [method, target] = host.takesJson.split(' ') as [string, string]
    assertRefused(host, await ask(host, { method, target, headers: twice, body: '{}' }), 400, 'two types')
  }
  for (const type of ['', 'garbage', '*', 'application/json, text/plain']) {
    const headers = [`Content-Type: ${type}`]
    const answer = await ask(hostNamed('bearer'), { method: 'POST', target: '/oauth2/token', headers, body: 'a=b' })
    assert.deepEqual([answer.status, JSON.parse(answer.body).error], [400, 'invalid_request'], type)
  }
})

test('JSON is UTF-8: a Content-Type that names another charset is told so, one that names it passes', async () => {
  const charset = 'The body must be UTF-8. Send charset=utf-8, or no charset.'
  for (const host of hosts.filter(({ takesJson }) => takesJson !== undefined)) {
    const [method, target] = host.takesJson!.split(' ') as [string, string]
    const detailOf = async (type: string) => {
      const answer = await ask(host, { method, target, headers: [`Content-Type: ${type}`], body: '{"a":1}' })
      assertRefused(host, answer, 400, type)
      return (JSON.parse(answer.body) as { detail: string }).detail
    }
    for (const named of ['utf-16', 'iso-8859-1', '"us-ascii"', 'utf-8; charset=latin1', '', 'UTF-7', '"UTF-\\7"']) {
      assert.equal(await detailOf(`application/json; charset=${named}`), charset, named)
    }
    for (const good of ['charset=utf-8', 'charset="UTF-8"', 'Charset=UTF8', 'version=1', '', 'x="a;charset=latin1"']) {
      const detail = await detailOf(`application/json; ${good}`)
      assert.ok(!detail.includes('charset') && !detail.includes('Content-Type'), `${good}: ${detail}`)
    }
  }
})

test('a token request and a CSV file are UTF-8 too', async () => {
  const charset = 'The body must be UTF-8. Send charset=utf-8, or no charset.'
  const token = async (type: string) => {
    const headers = [`Content-Type: application/x-www-form-urlencoded${type}`]
    const asked = { method: 'POST', target: '/oauth2/token', credential: false, headers, body: 'grant_type=x' }
    const answer = await ask(hostNamed('bearer'), asked)
    assert.equal(answer.status, 400, answer.body)
    return (JSON.parse(answer.body) as { error_description: string }).error_description
  }
  const csv = async (type: string) => {
    const target = `/staff/v1/production/sites/${service.manifest.sites.main}/prices.csv`
    const asked = { method: 'POST', target, headers: [`Content-Type: text/csv${type}`], body: 'nothing' }
    return (JSON.parse((await ask(hostNamed('staff'), asked)).body) as { detail?: string }).detail
  }
  for (const type of ['; charset=latin1', ';charset="utf-16"', '; charset=', '; charset=utf-8; charset=latin1']) {
    assert.deepEqual([await token(type), await csv(type)], [charset, charset], type)
  }
  for (const type of ['', '; charset=UTF-8', '; charset="utf8"', '; x="a;charset=latin1"']) {
    for (const said of [await token(type), await csv(type)]) assert.notEqual(said, charset, type)
  }
})

test('an upgrade is ignored, and CONNECT gets a problem document', async () => {
  for (const host of hosts) {
    for (const protocol of ['websocket', 'h2c', 'TLS/1.2']) {
      const answer = await ask(host, { headers: ['Connection: Upgrade, close', `Upgrade: ${protocol}`] })
      assertAnswered(host, answer, protocol)
    }
    for (const rest of ['', 'bytes for the tunnel']) {
      const answer = await answerTo(host, `CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: x\r\n\r\n${rest}`)
      assertRefused(host, answer, 400, 'CONNECT', 'CONNECT is not offered: this is not a proxy.')
    }
  }
})

test('every form of request target is answered: absolute, asterisk, undecodable, very long', async () => {
  for (const host of hosts) {
    // The storage signature covers the path exactly as it was sent.
    assertAnswered(host, await ask(host, { target: `http://host.example${host.known}` }), 'absolute')
    // These two have a page at their root.
    const root = ['staff', 'developer site'].includes(host.name) ? [] : ['http://host.example', 'http://host.example?x']
    const nowhere = ['*', ...root, '/%', '/%zz/%E0%A4', '/%c0%80', '//', '/..']
    for (const target of [...nowhere, `/${'a'.repeat(12_000)}`, `${host.known}/%ff`]) {
      for (const method of ['OPTIONS', 'GET', 'HEAD', 'TRACE', 'PROPFIND']) {
        const { status, headers, body } = await ask(host, { method, target, credential: false })
        const what = `${host.name}: ${method} ${target.slice(0, 40)}: ${body}`
        // The edge answers requests that only attack tools send with a bare 403.
        const isBare = status === 403 && headers.get('content-length') === '0'
        if (isBare) assert.match(headers.get('request-id')!, /^[\da-f-]{36}$/, what)
        else if (method === 'HEAD') assert.equal(status, host.unknown, what)
        else assertRefused(host, { status, headers, body }, host.unknown, what)
      }
    }
  }
})

test('an id that cannot be decoded, or is very long, is refused as a malformed id', async () => {
  for (const name of ['bearer', 'mutual TLS', 'sandbox']) {
    const host = hostNamed(name)
    for (const id of ['%', '%zz', '%E0%A4', '%ff', '1%', 'a'.repeat(501), '%61'.repeat(3_000), '1'.repeat(12_000)]) {
      for (const [path, code] of [
        [`/v1/orders/${id}`, 'invalid_order_number'],
        [`/v1/orders/${id}/items`, 'invalid_order_number'],
        [`/v1/products/${id}?siteId=1`, 'invalid_product_id'],
      ]) {
        const answer = await ask(host, { target: path! })
        assertRefused(host, answer, 400, path!.slice(0, 40))
        assert.equal(JSON.parse(answer.body).code, code)
        const other = await ask(host, { method: 'DELETE', target: path! })
        assertRefused(host, other, 405, path!.slice(0, 40))
      }
    }
  }
})

test('a token request that is too large is refused in the form of RFC 6749', async () => {
  const answer = await fetch(`${service.hosts.baseUrl}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `grant_type=client_credentials&scope=${'a'.repeat(8192)}`,
  })
  assert.equal(answer.status, 400)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.deepEqual(await answer.json(), {
    error: 'invalid_request',
    error_description: 'The body must have at most 8192 bytes.',
  })
})

test('none of these requests logged an error, and every host still answers', async () => {
  for (const host of hosts) assertAnswered(host, await ask(host, {}), 'the end')
  assert.deepEqual(
    service.logLines.filter((line) => /"level":"(error|fatal)"/.test(line)),
    [],
  )
})

test('where clients reach a host by https, every answer says to stay with https; elsewhere none does', async () => {
  const names = ['BASE', 'SANDBOX_BASE', 'DEVELOPER', 'CONSOLE', 'STORAGE', 'OPS']
  const variables = Object.fromEntries(
    names.map((name) => [`PUBLIC_${name}_URL`, `https://${name.toLowerCase()}.example`]),
  )
  const listeners = ['PORT', 'SANDBOX_PORT', 'DEVELOPER_PORT', 'CONSOLE_PORT', 'STORAGE_PORT', 'OPS_PORT']
  const ports = await Promise.all(listeners.map(() => chooseFreePort()))
  const given = Object.fromEntries(listeners.map((name, index) => [name, String(ports[index])]))
  const secure = await testService({ variables: { ...variables, ...given } })
  assert.equal(secure.hosts.baseUrl, 'https://base.example')
  const policy = 'max-age=31536000; includeSubDomains'
  for (const [index, port] of ports.entries()) {
    for (const path of ['/', '/v1/ping', '/v1/me', '/healthz', '/oauth2/login']) {
      const { headers } = await fetch(`http://127.0.0.1:${port}${path}`)
      assert.equal(headers.get('strict-transport-security'), policy, `${listeners[index]} ${path}`)
    }
    const socket = connect(port!, '127.0.0.1')
    socket.write('nonsense\r\n\r\n')
    let text = ''
    for await (const piece of socket.setEncoding('utf8')) text += String(piece)
    assert.match(text, /strict-transport-security: max-age=31536000/i, listeners[index]!)
  }
  for (const host of hosts) {
    const { headers } = await answerTo(host, written(host, { target: host.known }))
    assert.equal(headers.get('strict-transport-security'), host.name === 'mutual TLS' ? policy : undefined, host.name)
  }
})
