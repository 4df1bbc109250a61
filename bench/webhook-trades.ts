import { pino } from 'pino'
import { openDatabase } from '../src/database/database.ts'
import { systemClock } from '../src/vocabulary/clock.ts'
import { startEventPublisher } from '../src/webhooks/event-publisher.ts'
import { startWebhookCourier } from '../src/webhooks/webhook-courier.ts'
import { noTracing } from '../src/vocabulary/tracing.ts'

/** The part that the webhook bench measures: the event publisher and the courier, alone in one process. */
const [databaseUrl, storedSecretKey] = process.argv.slice(2) as [string, string]
const log = pino({ level: 'warn' }, process.stderr)
const database = openDatabase(databaseUrl, { log })
const trades = [
  startEventPublisher({ database, clock: systemClock, log, tracing: noTracing }),
  startWebhookCourier({
    database,
    storedSecretKeys: [Buffer.from(storedSecretKey, 'hex')],
    clock: systemClock,
    monotonic: () => performance.now(),
    log,
    tracing: noTracing,
  }),
]
process.stdout.write('{}\n')
process.on('SIGTERM', async () => {
  await Promise.all(trades.map((trade) => trade.close()))
  await database.close()
  process.exit()
})
