import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { pdfFile } from '../../test/world/artwork.ts'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { partner } from '../../test/world/partner.ts'
import { startTestService } from '../../test/world/service.ts'
import { until } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'
import { noTemplateVendor } from '../outside/template-vendor/template-vendor.ts'
import { artworkSlotsOfPartner, leaseSeconds } from './claim-submissions.ts'

test('SUB-13 SUB-15 orders with hanging artwork hosts delay neither plain orders nor other partners, and continue when the hosts answer', async (t) => {
  const hanging: ServerResponse[] = []
  const host = createServer((request, response) => {
    if (request.url === '/quick.pdf') response.end(pdfFile())
    else hanging.push(response)
  })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  const service = await startTestService({
    variables: { ARTWORK_HOSTS: '127.0.0.1' },
    // Longer than the test takes on a busy machine.
    submissionWaitMilliseconds: 60_000,
  })
  t.after(async () => {
    host.closeAllConnections()
    host.close()
    await service.close()
  })
  const primary = await partner(service, 'primary')
  const neighbour = await partner(service, 'neighbour')
  const build = orderBuilder(service.manifest)
  const orderOf = (file: string) => build.order({ lines: [build.podLine({ artworkUrl: `${origin}/${file}` })] })

  const slow = Array.from({ length: 3 * artworkSlotsOfPartner }, () => primary.post('/v1/orders', orderOf('slow.pdf')))
  const stored = () =>
    service.production.database.statements.row<{ count: number }>(
      sql`select count(*)::int as count from submission where with_artwork and status <> 'completed'`,
    )
  await until(async () => (await stored())!.count >= slow.length && hanging.length === artworkSlotsOfPartner)

  const plain = await Promise.all(Array.from({ length: 20 }, () => primary.post('/v1/orders', build.order())))
  assert.deepEqual(new Set(plain.map(({ body }) => body.status)), new Set(['completed']))
  assert.equal((await neighbour.post('/v1/orders', orderOf('quick.pdf'))).body.status, 'completed')
  assert.equal(hanging.length, artworkSlotsOfPartner)

  const answering = setInterval(() => hanging.splice(0).forEach((response) => response.end(pdfFile())), 5)
  t.after(() => clearInterval(answering))
  const ended = await Promise.all(slow)
  assert.deepEqual(new Set(ended.map(({ body }) => body.status)), new Set(['completed']))
})

test('SUB-13 orders whose templates are slow to draw delay no plain orders', async (t) => {
  const drawing: (() => void)[] = []
  const service = await startTestService({
    templateVendor: {
      ...noTemplateVendor,
      document: async () => ({
        variables: [{ name: 'Name', displayName: null, dataType: null, required: false, listItems: null }],
      }),
      render: () => new Promise((resolve) => drawing.push(() => resolve({ pdf: pdfFile() }))),
    },
    submissionWaitMilliseconds: 60_000,
  })
  t.after(() => service.close())
  const primary = await partner(service, 'primary')
  const build = orderBuilder(service.manifest)
  const productId = service.manifest.fixtures.products.template
  const lines = [build.podLine({ productId, templateVariables: { Name: 'Avery' } })]
  const orders = Array.from({ length: 2 * artworkSlotsOfPartner }, () =>
    primary.post('/v1/orders', build.order({ lines })),
  )
  await until(async () => drawing.length === artworkSlotsOfPartner)
  const plain = await Promise.all(Array.from({ length: 20 }, () => primary.post('/v1/orders', build.order())))
  assert.deepEqual(new Set(plain.map(({ body }) => body.status)), new Set(['completed']))
  assert.equal(drawing.length, artworkSlotsOfPartner)

  const ending = setInterval(() => drawing.splice(0).forEach((end) => end()), 5)
  t.after(() => clearInterval(ending))
  const ended = await Promise.all(orders)
  assert.deepEqual(new Set(ended.map(({ body }) => body.status)), new Set(['completed']))
})

test('SUB-13 a fetch that takes longer than a lease ends with one claim, one order and one file', async (t) => {
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>()
  let requests = 0
  const host = createServer((_request, response) => {
    requests += 1
    resolve(response)
  }).listen(0, '127.0.0.1')
  await once(host, 'listening')
  const service = await startTestService({
    variables: { ARTWORK_HOSTS: '127.0.0.1' },
    submissionWaitMilliseconds: 60_000,
  })
  t.after(async () => {
    host.closeAllConnections()
    host.close()
    await service.close()
  })
  const primary = await partner(service, 'primary')
  const build = orderBuilder(service.manifest)
  const artworkUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}/slow.pdf`
  const order = build.order({ lines: [build.podLine({ artworkUrl })] })
  const answered = primary.post('/v1/orders', order)
  const file = await asked
  const { statements } = service.production.database
  // Two leases have passed since it was claimed. Every worker of the service has looked for work meanwhile.
  await until(async () => {
    const passed = await statements.row(sql`
      select from submission where partner_order_id = ${order.partnerOrderId}
        and status = 'processing' and now() > created_on + make_interval(secs => ${2 * leaseSeconds}::int)`)
    return passed !== undefined
  })
  file.end(pdfFile())
  const { body } = await answered
  assert.equal(body.status, 'completed', JSON.stringify(body))
  const row = await statements.row(sql`
    select claims, failures,
      (select count(*)::int from orders where submission_id = submission.submission_id) as orders,
      (select count(*)::int from print_file where order_number = submission.order_number) as files
    from submission where partner_order_id = ${order.partnerOrderId}`)
  assert.deepEqual([row, requests], [{ claims: 1, failures: 0, orders: 1, files: 1 }, 1])
})
