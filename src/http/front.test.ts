import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { testService } from '../../test/world/service.ts'

const service = await testService()
const { baseUrl, sandboxBaseUrl, consoleUrl, mtlsBaseUrl } = service.hosts
const files = service.manifest.partners.certificate.certificate!
const [cert, key, ca] = await Promise.all(
  [files.certFile, files.keyFile, files.caFile].map((file) => readFile(file, 'utf8')),
)
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
const fronts: [name: string, open: () => Promise<Socket>][] = [
  ['bearer', plain(baseUrl)],
  ['sandbox', plain(sandboxBaseUrl)],
  ['staff', plain(consoleUrl)],
  ['mutual TLS', secured],
]

/** What is answered to these bytes, until the connection ends. */
async function answerTo(open: () => Promise<Socket>, bytes: string) {
  const socket = await open()
  const received: Buffer[] = []
  socket.on('data', (piece: Buffer) => received.push(piece)).on('error', () => undefined)
  socket.write(bytes)
  // A reset after the answer ends the connection, too.
  await new Promise((resolve) => socket.once('close', resolve))
  const [head, body] = Buffer.concat(received).toString().split('\r\n\r\n', 2) as [string, string]
  const [status, ...lines] = head.split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  return { status, headers, body: JSON.parse(body) as Record<string, unknown> }
}

test('ERR-01 ERR-02 what cannot be read as a request, and one that names no host, is told so by a problem document on every host', async () => {
  const unreadable = {
    'The request could not be read.': [
      'nonsense\r\n\r\n',
      'GET /v1/ping HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n',
      `GET /v1/ping HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
      'POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    ],
    'The Host header is missing.': ['GET /v1/ping HTTP/1.1\r\n\r\n', 'GET /nowhere HTTP/1.1\r\n\r\n'],
  }
  for (const [name, open] of fronts) {
    for (const [detail, requests] of Object.entries(unreadable)) {
      for (const request of requests) {
        const { status, headers, body } = await answerTo(open, request)
        const what = `${name}: ${request.slice(0, 40)}`
        assert.equal(status, 'HTTP/1.1 400 Bad Request', what)
        assert.equal(headers.get('content-type'), 'application/problem+json', what)
        assert.equal(headers.get('connection'), 'close', what)
        const { requestId, ...problem } = body
        assert.equal(headers.get('request-id'), requestId, what)
        assert.deepEqual(problem, {
          type: 'about:blank',
          title: 'Bad Request',
          status: 400,
          code: 'invalid_request',
          detail,
        })
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
    error_description: 'the body is larger than 8192 bytes',
  })
})
