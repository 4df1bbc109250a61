import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test, type TestContext } from 'node:test'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { until } from '../../../test/world/webhooks.ts'
import { homeAt, homeOf, run, type Home } from './world/program.ts'

const service = await testService()
const home = await homeOf(service, 'sandbox')

/** The home of somebody whose sandbox has this list. */
async function answering(t: TestContext, list: object, link?: string): Promise<Home> {
  const answers: Record<string, unknown> = {
    '/oauth2/token': { access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 },
    '/v1/me': { environment: 'SANDBOX' },
  }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (link !== undefined) response.setHeader('link', link)
    response.end(JSON.stringify(answers[request.url!] ?? list))
  })
  return homeAt(t, home, server)
}

test('what is still to be seen is said, and exits with 1 until nothing is', async () => {
  assert.equal((await run(home, ['trigger', 'completed'])).code, 0)
  const listed = async () => JSON.parse((await run(home, ['go-live', '--json'])).stdout)
  await until(async () => (await listed()).items.find(({ key }: any) => key === 'order_completed').state === 'done')

  const { code, stdout, stderr } = await run(home, ['go-live'])
  assert.equal(code, 1)
  const { body } = await (await partner(service, 'sandbox')).get('/sandbox/go-live')
  const done = body.items.filter(({ state }: any) => state === 'done')
  assert.match(stderr, new RegExp(`${done.length} of ${body.items.length} are done\\.`))
  for (const { title, toDo, state, guide } of body.items) {
    assert.ok(stdout.includes(`${state === 'done' ? '✓' : state === 'failed' ? '✗' : '○'} ${title}`), title)
    assert.equal(stdout.includes(`${toDo}\n  ${service.hosts.developerUrl}${guide}\n`), state !== 'done', toDo)
  }
  assert.deepEqual(await listed(), body)
})

test('a guide of a service that does not tell its developer site is its path', async (t) => {
  const item = { key: 'a', title: 'A', state: 'open', evidence: null, toDo: 'Do it.', guide: '/guides/proofs/' }
  for (const link of [undefined, '<javascript:alert(1)>; rel="service-doc"', '<https://x.example/>; rel="help"']) {
    const { stdout } = await run(await answering(t, { ready: false, items: [item] }, link), ['go-live'])
    assert.match(stdout, /^ {2}Do it\.\n {2}\/guides\/proofs\/$/m)
  }
  const link = '<https://x.example/a>; rel="help", <https://developers.example/a/>; type="text/html"; rel="service-doc"'
  const { stdout } = await run(await answering(t, { ready: false, items: [item] }, link), ['go-live'])
  assert.match(stdout, /^ {2}https:\/\/developers\.example\/a\/guides\/proofs\/$/m)
})

test('with nothing left it exits with 0', async (t) => {
  const item = { key: 'a', title: 'A first order is completed', state: 'done', evidence: null, toDo: '', guide: '/' }
  const { code, stdout } = await run(await answering(t, { ready: true, items: [item] }), ['go-live'])
  assert.equal(code, 0)
  assert.match(stdout, /✓ A first order is completed\n✓ Your integration is ready to go live\./)
})
