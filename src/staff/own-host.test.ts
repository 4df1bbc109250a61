import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startTestService, testService } from '../../test/world/service.ts'
import { staff } from '../../test/world/staff.ts'

const service = await testService()
const admin = await staff(service)
const { port } = new URL(service.hosts.consoleUrl)
const session = { authorization: `Bearer ${admin.token}` }

/** The status of a request under this name, and the code of a problem. */
function asked(at: string, path: string, host: string, headers = {}, method = 'GET'): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: at, method, path, headers: { host, ...headers } }
    const sent = request(options, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      answer.on('end', () => {
        const isProblem = answer.headers['content-type'] === 'application/problem+json'
        resolve(isProblem ? [answer.statusCode, (JSON.parse(text) as { code: string }).code] : [answer.statusCode])
      })
    })
    sent.on('error', reject).end()
  })
}

test('the staff host answers to its own names only, pages and unknown paths included', async () => {
  for (const name of [`127.0.0.1:${port}`, `localhost:${port}`, '[::1]:1', 'LOCALHOST']) {
    assert.deepEqual(await asked(port, '/staff/v1/session', name, session), [200], name)
    assert.deepEqual(await asked(port, '/staff/openapi.json', name), [200], name)
    assert.deepEqual(await asked(port, '/nowhere', name), [404, 'route_not_found'], name)
  }
  // A page of rebound.test, whose name was made to lead here, sends its own name.
  for (const name of [`rebound.test:${port}`, 'localhost.rebound.test', '127.0.0.1.rebound.test', '10.0.0.5']) {
    for (const path of ['/staff/v1/session', '/sign-in', '/staff/openapi.json', '/nowhere']) {
      assert.deepEqual(await asked(port, path, name, session), [421, 'host_not_served'], `${name} ${path}`)
    }
    const signingIn = await asked(port, '/staff/v1/session', name, { origin: `http://${name}` }, 'POST')
    assert.deepEqual(signingIn, [421, 'host_not_served'], name)
  }
})

test('behind a proxy the staff host answers to the name of PUBLIC_CONSOLE_URL', async (t) => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const free = String((probe.address() as AddressInfo).port)
  await new Promise((resolve) => probe.close(resolve))
  const variables = { PUBLIC_CONSOLE_URL: 'https://Console.example.com', CONSOLE_PORT: free }
  const proxied = await startTestService({ databases: service.databases, variables })
  t.after(proxied.close)
  for (const name of ['console.example.com', 'console.example.com:443', `127.0.0.1:${free}`])
    assert.deepEqual(await asked(free, '/staff/v1/session', name, session), [200], name)
  assert.deepEqual(await asked(free, '/staff/v1/session', 'example.com', session), [421, 'host_not_served'])
})
