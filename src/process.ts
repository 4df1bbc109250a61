import pino from 'pino'
import { readSettings } from './settings.ts'
import type { Hosts } from './demo/manifest.ts'
import { isStartRefusal, startService, type Service } from './service.ts'
import { systemClock } from './vocabulary/clock.ts'

/**
 * The process: settings from environment variables, a ready line on standard output, a clean end on SIGTERM and SIGINT.
 * A signal during the start stops the service as soon as it has started. A second signal ends the process at once; the
 * next start then takes over what was left running.
 */
export async function runService(): Promise<void> {
  try {
    await serveUntil(stopAsked())
    process.exit(0)
  } catch (error) {
    const text = isStartRefusal(error) ? error.message : (error as Error).stack
    process.stderr.write(`${text}\n`)
    process.exit(1)
  }
}

/** Ctrl-C on `npm start` sends the signal twice, from the terminal and from npm: within this time both count as one. */
const echoMilliseconds = 2_000

function stopAsked(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const signals = ['SIGTERM', 'SIGINT'] as const
    const heard = (signal: NodeJS.Signals): void => {
      resolve(signal)
      // Without a listener a signal ends the process.
      setTimeout(() => signals.forEach((each) => process.off(each, heard)), echoMilliseconds).unref()
    }
    for (const signal of signals) process.on(signal, heard)
  })
}

/** Time for idle clients to notice that their connection ends. */
const closingGraceMilliseconds = 1_000

async function serveUntil(asked: Promise<NodeJS.Signals>): Promise<void> {
  const settings = readSettings(process.env)
  // Logs go to standard error, so that standard output has only the lines that people and programs wait for.
  const log = pino({ level: settings.logLevel }, pino.destination({ fd: 2, sync: false }))
  if (settings.limits === 'off') {
    process.stderr.write('BENCH_LIMITS=off: partner limits, quotas, the edge rule and the token limit are lifted.\n')
  }
  const service = await startService(settings, { clock: systemClock, log, closingGraceMilliseconds })
  announce(service, settings.dataDir)
  log.info({ signal: await asked }, 'stopping')
  await service.close()
}

function announce(service: Service, dataDir: string): void {
  const { hosts } = service
  const rows: [string, keyof Hosts][] = [
    ['partner API (bearer)', 'baseUrl'],
    ['partner API (mutual TLS)', 'mtlsBaseUrl'],
    ['sandbox API (bearer)', 'sandboxBaseUrl'],
    ['staff API and documents', 'consoleUrl'],
    ['files', 'storageUrl'],
    ['operations', 'opsUrl'],
  ]
  const lines = rows.map(([what, key]) => `  ${what.padEnd(26)}${hosts[key]}`)
  if (service.manifest) lines.push(`  ${'demo credentials'.padEnd(26)}${dataDir}/demo.json`)
  process.stdout.write(`\n${lines.join('\n')}\n\n${JSON.stringify({ ready: true, ...hosts })}\n`)
}
