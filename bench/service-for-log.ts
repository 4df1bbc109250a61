import { pino } from 'pino'
import { startService } from '../src/service.ts'
import { readSettings } from '../src/settings.ts'
import { systemClock } from '../src/vocabulary/clock.ts'

/** The service with or without its request log, for `bench/request-log.ts`. */
const service = await startService(readSettings(process.env), {
  clock: systemClock,
  log: pino({ level: 'warn' }),
  ...(process.argv[2] === 'off' && { requestLog: 'off' }),
})
process.stdout.write(`${JSON.stringify(service.hosts)}\n`)
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)))
