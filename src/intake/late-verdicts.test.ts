import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { pdfFile } from '../../test/world/artwork.ts'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { partner } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'
import { storedObjects } from '../../test/world/stored-objects.ts'
import { until } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'
import { EgressFailed } from '../outside/egress/outcomes.ts'
import { noTemplateVendor } from '../outside/template-vendor/template-vendor.ts'
import { noServiceTaxes } from '../platform/pricing/service-taxes.ts'
import { tableRates } from '../platform/shipping/rates.ts'
import { systemClock } from '../vocabulary/clock.ts'
import { createOutcomes } from './outcomes.ts'
import { startSubmissionWorker } from './submission-worker.ts'
import { noTracing } from '../vocabulary/tracing.ts'

/** A service that accepts orders, and no workers but those of each test. */
const service = await testService({ variables: { ROLE: 'api' }, submissionWaitMilliseconds: 60_000 })
const primary = await partner(service, 'primary')
const { database, objectStore } = service.production
const build = orderBuilder(service.manifest)

type Download = (pour: (bytes: Buffer) => void | Promise<void>) => void | Promise<void>

const whole: Download = (pour) => pour(Buffer.from(pdfFile()))
const refused: Download = () => Promise.reject(new EgressFailed('status', 'the host did not answer 200'))

for (const [late, early] of [
  [whole, whole],
  [refused, whole],
  [whole, refused],
] as const) {
  const name = (download: Download) => (download === whole ? 'order' : 'rejection')
  test(`SUB-11 SUB-18 a late ${name(late)} of a worker whose lease lapsed over its artwork leaves an earlier ${name(early)}`, async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let asked = 0
    const outcomes = await createOutcomes(database)
    const worker = startSubmissionWorker({
      database,
      outcomes,
      clock: systemClock,
      log: pino({ level: 'silent' }),
      tracing: noTracing,
      suppliers: {
        carrierRates: tableRates,
        serviceTaxes: noServiceTaxes,
        templateVendor: noTemplateVendor,
        artwork: {
          objectStore,
          egress: {
            assertCallable: () => undefined,
            download: async (_url, _bounds, pour) => {
              if (++asked > 1) await early(pour)
              else await released.then(() => late(pour))
              return { headers: {}, bytes: 0, durationMilliseconds: 0 }
            },
          },
        },
      },
    })
    const body = build.order({ lines: [build.podLine({ artworkUrl: 'https://artwork.example/cards.pdf' })] })
    const before = await storedObjects(service)
    const answering = primary.post('/v1/orders', body)
    // The first claim waits for its artwork until its lease lapses; the second one ends the submission.
    await until(async () => {
      if (asked === 1) {
        await database.statements.rows(sql`
          update submission set leased_until = now() - interval '1 second'
          where partner_order_id = ${body.partnerOrderId} and claims = 1`)
      }
      return asked > 1
    })
    const answer = await answering
    assert.equal(answer.body.status, early === whole ? 'completed' : 'failed', JSON.stringify(answer.body))
    release()
    await worker.close()
    await outcomes.close()

    const now = await primary.get(`/v1/orders/submissions/${answer.body.submissionId}`)
    assert.deepEqual(now.body, answer.body)
    const { orders } = (await primary.get(`/v1/orders?partnerOrderId=${body.partnerOrderId as string}`)).body
    const stored = await storedObjects(service)
    assert.deepEqual([orders.length, stored.length - before.length], early === whole ? [1, 1] : [0, 0])
  })
}
