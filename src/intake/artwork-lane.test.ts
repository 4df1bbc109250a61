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
import { artworkSlotsOfPartner } from './claim-submissions.ts'

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
