import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { whyOf } from './operations/readiness.ts'
import { serviceLog } from './operations/service-log.ts'
import type { Hosts } from './demo/manifest.ts'
import { isStartRefusal, startService, type Service } from './service.ts'
import { openScreen, type Screen } from './start-steps.ts'
import { settingsOfProcess } from './variables.ts'
import { systemClock } from './vocabulary/clock.ts'
import { Outage } from './vocabulary/outage.ts'

/**
 * The process: settings from environment variables and files, a ready line on standard output, a clean end on SIGTERM and SIGINT.
 * From the first signal on it is not ready; it goes on answering for as long as the settings say, and then closes.
 * A signal during the start stops the service as soon as it has started. A second signal ends the process at once; the
 * next start then takes over what was left running.
 */
export async function runService(): Promise<void> {
  try {
    await serveUntil(stopAsked())
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${textOf(error)}\n`)
    process.exit(1)
  }
}

function textOf(error: unknown): string | undefined {
  if (error instanceof Outage) return `The service cannot start: ${[error.message, whyOf(error)].join(': ')}.`
  return isStartRefusal(error) ? error.message : (error as Error).stack
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
  const settings = settingsOfProcess(process.env)
  const screen = openScreen(process.stdout)
  const log = serviceLog(settings.logLevel, await logDestination(screen))
  if (settings.limits === 'off') {
    process.stderr.write('BENCH_LIMITS=off: partner limits, quotas, the edge rule and the token limit are lifted.\n')
  }
  const service = await startService(settings, {
    clock: systemClock,
    log,
    steps: screen.steps,
    closingGraceMilliseconds,
  })
  announce(service, settings.dataDir)
  log.info({ role: settings.role, ...service.opened }, 'serving')
  log.info({ signal: await asked, drainSeconds: settings.drainSeconds }, 'stopping')
  service.drain()
  await delay(settings.drainSeconds * 1_000)
  await service.close()
  log.info('stopped')
}

/**
 * Logs go to standard error, so that standard output has only the lines that people and programs wait for: as JSON, or on
 * a terminal as lines for people.
 */
async function logDestination(screen: Screen): Promise<pino.DestinationStream> {
  if (!process.stderr.isTTY) return pino.destination({ fd: 2, sync: false })
  const { prettyFactory } = await import('pino-pretty')
  const readable = prettyFactory({
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    colorize: true,
  })
  return { write: (line) => screen.apart(() => process.stderr.write(readable(line))) }
}

const namesForPeople = {
  baseUrl: 'partner API (bearer)',
  mtlsBaseUrl: 'partner API (mutual TLS)',
  sandboxBaseUrl: 'sandbox API (bearer)',
  developerUrl: 'developer site',
  storageUrl: 'files',
  opsUrl: 'operations',
  consoleUrl: 'staff console',
} as const satisfies Record<keyof Hosts, string>

/** Tells the addresses on which this process listens, and no others: a worker listens for operators only. */
function announce({ opened, manifest }: Service, dataDir: string): void {
  const rows = Object.entries(namesForPeople)
    .map(([key, what]): [string, string | undefined] => [what, opened[key as keyof Hosts]])
    .filter(([, where]) => where !== undefined)
  const demo = join(realpathSync(dataDir), 'demo.json')
  if (manifest) rows.push(['demo credentials', `${demo} (staff sign in as ${manifest.staff.username})`])
  const table = rows.map(([what, where]) => `  ${what.padEnd(26)}${where}\n`).join('')
  const { baseUrl } = opened
  const next = manifest && baseUrl ? `\nNext, in another terminal:\n\n${firstCalls(baseUrl, demo)}  npm run tour\n` : ''
  process.stdout.write(`\n${table}${next}\n${JSON.stringify({ ready: true, ...opened })}\n`)
}

/** Commands that work as pasted: a token of the demo partner, and a call with it. */
function firstCalls(baseUrl: string, demo: string): string {
  const client = `c=JSON.parse(fs.readFileSync(${JSON.stringify(demo)})).partners.primary.clients[0];c.clientId+":"+c.clientSecret`
  return (
    `  TOKEN=$(curl -s -u "$(node -p '${client}')" -d grant_type=client_credentials ${baseUrl}/oauth2/token | node -p 'JSON.parse(fs.readFileSync(0)).access_token')\n` +
    `  curl -s -H "Authorization: Bearer $TOKEN" "${baseUrl}/v1/products?limit=3"\n`
  )
}
