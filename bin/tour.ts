import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { resolve } from 'node:path'
import { styleText } from 'node:util'
import type { Manifest } from '../src/demo/manifest.ts'
import { variablesOfProcess } from '../src/variables.ts'
import { orderGoods } from './tour/order.ts'
import { visitor, type Body } from './tour/partner.ts'
import { watchProduction } from './tour/production.ts'
import { openReceiver } from './tour/receiver.ts'
import { expect, step } from './tour/step.ts'

/**
 * `npm run tour`: the main job as a partner sees it, against the sandbox of the running service, or of one that is
 * started for the tour. It prints each step as it happens, with its duration. It exits with 0 only if every step
 * succeeded.
 */
const dataDir = resolve(variablesOfProcess(process.env).DATA_DIR ?? 'var')
const running = (await isRunning()) ? undefined : await startService()
let failed = false
try {
  await tour(await manifest())
} catch (error) {
  failed = true
  process.stdout.write(`\n${styleText('red', `✖ ${(error as Error).message}`)}\n`)
} finally {
  await running?.()
}
process.exit(failed ? 1 : 0)

async function tour(demo: Manifest): Promise<void> {
  const base = demo.hosts.sandboxBaseUrl
  const { name, clients } = demo.partners.sandbox!
  const { developerUrl } = demo.hosts
  const docs = (operationId: string): string =>
    `${developerUrl}/reference/${operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}/`
  const guide = (chapter: string): string => `${developerUrl}/guides/sandbox/#${chapter}`
  process.stdout.write(`The sandbox at ${base}, as ${name}\n\n`)

  const token = await step('takes a token', docs('requestToken'), async () => {
    const { clientId, clientSecret } = clients![0]!
    const answer = await fetch(`${base}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }),
    })
    const body: Body = await answer.json()
    expect(answer.status === 200, `the token endpoint answers ${answer.status}`)
    return [body.access_token as string, `${body.token_type}, good for ${body.expires_in} s`]
  })
  const partner = visitor(base, token, { docs, guide })
  await step('asks who it is', docs('getMe'), async () => {
    const me = await partner.ok('GET', '/v1/me')
    return [me, `${me.partnerName}, ${me.limits.tier}, sites ${me.grantedSiteIds.join(', ')}`]
  })
  const receiver = await step('registers a webhook receiver of its own', guide('receivers'), async () => [
    await openReceiver(partner),
    'signed, with a secret shown once',
  ])
  try {
    const orderNumber = await orderGoods(partner, demo)
    await watchProduction(partner, orderNumber, receiver)
  } finally {
    await receiver.stop()
  }
  process.stdout.write(`\n${styleText('green', 'Every step held.')}\n`)
}

async function manifest(): Promise<Manifest> {
  return JSON.parse(await readFile(`${dataDir}/demo.json`, 'utf8')) as Manifest
}

async function isRunning(): Promise<boolean> {
  try {
    const { hosts } = await manifest()
    return (await fetch(`${hosts.sandboxBaseUrl}/v1/ping`)).ok
  } catch {
    return false
  }
}

async function startService(): Promise<() => Promise<void>> {
  process.stdout.write('Starting the service for the tour …\n')
  const child = spawn(process.execPath, ['src/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { LOG_LEVEL: 'warn', ...process.env },
  })
  await new Promise<void>((ready, failedToStart) => {
    child.once('exit', () => failedToStart(new Error('the service did not start')))
    createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('{"ready"') && ready())
  })
  return () =>
    new Promise((gone) => {
      child.once('exit', () => gone())
      child.kill('SIGTERM')
    })
}
