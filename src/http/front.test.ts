import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { createFront, type Door } from './front.ts'
import { createHttpServer, listenAt } from './server.ts'

/** A front with these doors, and what it logs. */
async function openFront(t: TestContext, doors: Record<string, Door['answer']>) {
  const logged: object[] = []
  const front = createFront({
    doors: Object.entries(doors).map(([at, answer]) => {
      const [method, path] = at.split(' ') as [Door['method'], string]
      return { method, path, answer }
    }),
    answerMissed: async (_request, response, allow) =>
      void response.writeHead(allow ? 405 : 404, allow ? { allow } : {}).end(allow),
    ownUrl: () => 'http://127.0.0.1',
    closingGraceMilliseconds: 0,
    log: { error: (line: object) => void logged.push(line) } as never,
  })
  const port = await front.listen('127.0.0.1', 0)
  t.after(front.close)
  return { logged, url: `http://127.0.0.1:${port}`, port }
}

async function dial(port: number): Promise<{ socket: Socket; text: () => string; closed: Promise<unknown> }> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  let received = ''
  socket.setEncoding('utf8').on('data', (piece: string) => (received += piece))
  return { socket, text: () => received, closed: new Promise((resolve) => socket.once('close', resolve)) }
}

const answers = (text: string) => text.split(/(?=HTTP\/1\.1 )/)

test('a door that throws is answered 500 and logged, and the host goes on', async (t) => {
  const { url, logged } = await openFront(t, {
    'GET /rejects': () => Promise.reject(new Error('rejected')),
    'GET /throws': () => {
      throw new Error('thrown')
    },
    'GET /header': async (_request, response) => void response.writeHead(200, { broken: 'a\nb' }).end(),
    'GET /good': async (_request, response) => void response.end('good'),
  })
  for (const path of ['/rejects', '/throws', '/header']) {
    const answer = await fetch(url + path)
    const problem = (await answer.json()) as { code: string; requestId: string }
    assert.deepEqual([answer.status, problem.code], [500, 'internal_error'], path)
    assert.equal(answer.headers.get('content-type'), 'application/problem+json')
    assert.equal(answer.headers.get('request-id'), problem.requestId)
    assert.equal((logged.at(-1) as { requestId: string }).requestId, problem.requestId)
  }
  assert.equal(await (await fetch(`${url}/good`)).text(), 'good')
})

test('a door that throws in mid-answer has its connection cut, so that a part does not pass for the whole', async (t) => {
  const { url, logged } = await openFront(t, {
    'GET /part': async (_request, response) => {
      await new Promise<void>((resolve) => response.write('part', () => resolve()))
      throw new Error('thrown')
    },
  })
  await assert.rejects(fetch(`${url}/part`).then((answer) => answer.text()))
  assert.equal(logged.length, 1)
})

test('each method has its own doors, HEAD goes to the door of GET, and a miss names every method of the path', async (t) => {
  const named =
    (name: string): Door['answer'] =>
    async (_request, response, path) =>
      void response.setHeader('door', name).end(JSON.stringify(path))
  const { url } = await openFront(t, {
    'GET /things/{id}': named('read'),
    'PATCH /things/{id}': named('change'),
    'POST /things/search': named('search'),
    'GET /things/{id}/parts/{part}': named('part'),
  })
  const doorAt = async (method: string, path: string) => {
    const answer = await fetch(url + path, { method })
    return [answer.headers.get('door') ?? answer.headers.get('allow') ?? answer.status, await answer.text()]
  }
  assert.deepEqual(await doorAt('GET', '/things/a%20b%2Fc?d=%zz'), ['read', '{"id":"a b/c"}'])
  assert.deepEqual(await doorAt('GET', '/things/search'), ['read', '{"id":"search"}'])
  assert.deepEqual(await doorAt('POST', '/things/search'), ['search', '{}'])
  assert.deepEqual(await doorAt('HEAD', '/things/1'), ['read', ''])
  assert.deepEqual((await doorAt('PUT', '/things/search'))[0], 'GET, HEAD, PATCH, POST')
  assert.deepEqual((await doorAt('PUT', '/things/%zz'))[0], 'GET, HEAD, PATCH')
  // When one segment cannot be decoded, all of them are passed as they came.
  assert.deepEqual(await doorAt('GET', '/things/%20/parts/%zz'), ['part', '{"id":"%20","part":"%zz"}'])
  for (const path of ['/', '/Things/1', '/things/1/', '/things//1', '/things/1/parts', '/%zz', '/things'])
    assert.deepEqual((await doorAt('GET', path))[0], 404, path)
})

test('a connection that breaks the protocol in mid-answer is cut, without a document in the middle of the answer', async (t) => {
  const begun = Promise.withResolvers<ServerResponse>()
  const { port } = await openFront(t, {
    'GET /long': async (_request, response) => {
      response.write('begun')
      begun.resolve(response)
      await once(response, 'close')
    },
  })
  const { socket, text, closed } = await dial(port)
  socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n')
  await begun.promise
  await once(socket, 'data')
  socket.write('nonsense\r\n\r\n')
  await closed
  assert.equal(answers(text()).length, 1)
  assert.doesNotMatch(text(), /could not be read/)
})

test('a request gets one answer, and what follows on its connection gets its own', async (t) => {
  const { port } = await openFront(t, { 'POST /things': async (_request, response) => void response.end('done') })
  const head = 'POST /things HTTP/1.1\r\nHost: x\r\n'
  for (const [bytes, statuses] of [
    [`${head}Transfer-Encoding: chunked\r\n\r\nnonsense`, ['200']],
    [`${head}Transfer-Encoding: gzip\r\n\r\nnonsense`, ['400']],
    [`${head}Content-Length: 4\r\n\r\nbodynonsense\r\n\r\n`, ['200', '400']],
    [`${head}Content-Length: 4\r\n\r\nbody${head}Content-Length: 4\r\nHost: y\r\n\r\nbody`, ['200', '400']],
  ] as const) {
    const { socket, text, closed } = await dial(port)
    socket.write(bytes)
    await closed
    const found = answers(text()).map((answer) => answer.split(' ')[1])
    assert.deepEqual(found, statuses, JSON.stringify(bytes))
  }
})

test('a request that does not arrive in time gets a problem document', async (t) => {
  const server = createHttpServer(
    { answer: () => undefined, refusal: (says) => ({ headers: { own: 'form' }, text: says }), ownUrl: () => '' },
    { requestTimeout: 50, connectionsCheckingInterval: 10 },
  )
  const port = await listenAt(server, '127.0.0.1', 0)
  t.after(() => server.close())
  for (const bytes of ['GET /late HT', 'POST /late HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nbody']) {
    const { socket, text, closed } = await dial(port)
    socket.write(bytes)
    await closed
    assert.match(text(), /^HTTP\/1\.1 400 Bad Request\r\nown: form\r\n(.+\r\n)+\r\nThe request could not be read\.$/)
  }
})

test('what follows a complete request is refused after its answer, not in its place', async (t) => {
  for (const next of ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', '\x16\x03\x01', 'garbage\r\n\r\n']) {
    const begun = Promise.withResolvers<ServerResponse>()
    const { port } = await openFront(t, { 'POST /users': async (_request, response) => begun.resolve(response) })
    const { socket, text, closed } = await dial(port)
    socket.write(`POST /users HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}${next}`)
    const response = await begun.promise
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(text(), '')
    response.writeHead(201).end('made')
    await closed
    const [made, refused, ...more] = answers(text())
    assert.match(made!, /^HTTP\/1\.1 201 /)
    assert.match(refused!, /^HTTP\/1\.1 400 /)
    assert.deepEqual(more, [])
  }
})

test('a client that closes its half of the connection after a complete request gets the answer', async (t) => {
  const { port } = await openFront(t, {
    'GET /slow': async (request, response) => {
      await once(request.socket, 'end')
      response.end('answered')
    },
  })
  const { socket, text, closed } = await dial(port)
  socket.end('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
  await closed
  assert.match(text(), /answered/)
})
