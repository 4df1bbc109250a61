import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partner } from '../../../test/world/partner.ts'
import { startReceiver } from '../../../test/world/receiver.ts'
import { registered } from '../../../test/world/sandbox.ts'
import { testService } from '../../../test/world/service.ts'
import { until } from '../../../test/world/webhooks.ts'
import { givenPseudoTerminal, homeOf, json, run, startInTerminal } from './world/program.ts'

const service = await testService()
const { skip } = givenPseudoTerminal()
const home = await homeOf(service, 'sandbox')
const sandbox = await partner(service, 'sandbox')

const requestIn = (stderr: string): string => /request ([0-9a-f-]{36})/.exec(stderr)![1]!

test('calls are shown with their codes, and one of them with what its code means', async () => {
  const requestId = requestIn((await run(home, ['orders', 'get', '999999999999999'])).stderr)
  const words = ['logs', '--failed', '--since', '15m', '--code', 'order_not_found', '--operation', 'getOrder']
  const logged = async () => json(await run(home, [...words, '--json'])).requests
  // A call is in the log a moment after its answer.
  await until(async () => (await logged()).some((each: any) => each.requestId === requestId))

  const [newest] = await logged()
  const { stdout } = await run(home, words)
  assert.match(stdout, new RegExp(`404 +getOrder +GET /v1/orders/\\S+ +order_not_found +\\d+ +${newest.requestId}`))
  assert.deepEqual(json(await run(home, [...words, '--status', '503', '--json'])).requests, [])
  const by = async (credential: string) =>
    json(await run(home, [...words, '--credential', credential, '--json'])).requests.length
  assert.deepEqual([await by(newest.credential), await by('pc_of_somebody_else')], [(await logged()).length, 0])

  const shown = await run(home, ['logs', 'show', requestId])
  assert.equal(shown.code, 0, shown.stderr)
  assert.match(shown.stdout, /^Meaning +No such order\.$/m)
  assert.equal(
    /^Guide +(\S+)$/m.exec(shown.stdout)?.[1],
    `${service.hosts.developerUrl}/guides/errors/order_not_found/`,
  )
  const { body } = await sandbox.get(`/developer/requests/${requestId}`)
  assert.deepEqual(json(await run(home, ['logs', 'show', requestId, '--json'])), body)
})

test('new calls are shown as they come, each once, until Ctrl-C', { skip }, async (t) => {
  const before = requestIn((await run(home, ['orders', 'get', '999999999999998'])).stderr)
  await until(async () =>
    json(await run(home, ['logs', '--json'])).requests.some((each: any) => each.requestId === before),
  )
  const terminal = startInTerminal(t, home, ['logs', '--follow', '--failed'], 200)
  await terminal.shows(new RegExp(`404 {2}getOrder .*${before}`))
  const ids: string[] = []
  for (const orderNumber of ['999999999999997', '999999999999996']) {
    const requestId = requestIn((await run(home, ['orders', 'get', orderNumber])).stderr)
    await terminal.shows(new RegExp(requestId))
    ids.push(requestId)
  }
  const lines = terminal.shown().split('\n')
  for (const id of [before, ...ids]) assert.equal(lines.filter((line) => line.includes(id)).length, 1, id)
  const found = [before, ...ids].map((id) => lines.findIndex((line) => line.includes(id)))
  assert.deepEqual(
    found,
    found.toSorted((a, b) => a - b),
    'oldest first',
  )
  terminal.type('\u0003')
  assert.equal((await terminal.ended).code, 130)
  assert.doesNotMatch(terminal.shown(), /✗/)
})

test('a time that is none is told with one that would be', async () => {
  const { code, stderr } = await run(home, ['logs', '--since', 'yesterday'])
  assert.equal(code, 2)
  assert.match(stderr, /15m, 5h, 3d.*2026-03-01T09:00:00Z/)
})

test('deliveries are shown with what was sent, and sent again in the sandbox', async (t) => {
  const receiver = await startReceiver(t)
  await registered(sandbox, receiver, { types: ['shipment.shipped'] })
  const { order } = json(await run(home, ['trigger', 'shipment', '--json']))
  await receiver.arrival(1)
  const words = ['deliveries', '--order', String(order.orderNumber), '--outcome', 'DELIVERED']
  const delivered = async () => json(await run(home, [...words, '--json'])).webhookDeliveries
  await until(async () => (await delivered()).length === 1)
  const [delivery] = await delivered()
  const id = String(delivery.deliveryId)
  assert.match(
    (await run(home, words)).stdout,
    new RegExp(`^${id} .* shipment\\.shipped +${order.orderNumber} +DELIVERED +200 `, 'm'),
  )

  const shown = await run(home, ['deliveries', 'show', id])
  assert.equal(shown.code, 0, shown.stderr)
  assert.ok(shown.stdout.includes(receiver.delivered[0]!.body.toString()))

  const again = json(await run(home, ['deliveries', 'resend', id, '--json']))
  await receiver.arrival(2)
  assert.deepEqual(receiver.delivered[1]!.body, receiver.delivered[0]!.body)
  assert.notEqual(again.deliveryId, delivery.deliveryId)

  assert.equal((await run(home, ['deliveries', 'show', '999999999'])).code, 4)
  assert.equal((await run(home, ['deliveries', 'resend', 'x'])).code, 2)
})
