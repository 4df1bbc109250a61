import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { closedAddress, givenPseudoTerminal, newHome } from '../../clients/cli/test/world/program.ts'
import { pdfFile } from '../world/artwork.ts'
import { assertLooksAs, chromium, testBrowser } from '../world/console.ts'
import { reader } from '../world/developer-site.ts'
import { partner } from '../world/partner.ts'
import { enterAtSignIn, personOf, portalSettled } from '../world/portal.ts'
import { testService } from '../world/service.ts'
import { openShell } from '../world/shell.ts'
import { codeOf } from '../world/site-code.ts'
import { until } from '../world/webhooks.ts'

/**
 * The first day of a partner's developer, who has the address of the developer site and an invitation, follows the guides
 * to the letter, and asks nobody. The browser's pictures and the record of the terminals are kept in `pictures/`.
 */

const service = await testService()
const integrator = await partner(service, 'sandbox')
const person = personOf(service, 'sandbox')
const skip = chromium.skip || givenPseudoTerminal().skip
const folderOfPictures = new URL('pictures/', import.meta.url)

/** What nobody may see who looks at the pictures or reads the record. */
const secrets = [person.password]

test('a developer who has only the address of the developer site gets it all done', { skip }, async (t) => {
  const began = performance.now()
  const { page, context, complaints } = await reader(await testBrowser(), service)
  const main = page.getByRole('main')
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const place = async (name: string) => {
    await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name }).click()
    await heading(name)
    await portalSettled(page)
  }

  // From the address to the first-order guide, and from there to a client of the sandbox.
  await page.goto('/')
  await assertPicture(page, '1-home')
  await page.getByRole('link', { name: 'Your first order' }).first().click()
  await heading('Your first order')
  await assertPicture(page, '2-first-order')
  const firstOrder = pathOf(page)
  await main.getByRole('link', { name: 'portal' }).first().click()
  await heading('Portal')
  await page.getByRole('link', { name: 'Sandbox' }).first().click()
  await page.getByRole('button', { name: 'Sign in to the sandbox' }).click()
  await page.locator('input[name="password"]').waitFor()
  await assertPicture(page, '3-sign-in')
  await enterAtSignIn(page, person)
  await heading('Overview')
  await place('Credentials')
  await page.getByRole('button', { name: 'Create a client…' }).click()
  await page.getByLabel('What it is for').fill('First day')
  await page.getByRole('button', { name: 'Create the client' }).click()
  const client = page.getByRole('region', { name: 'The new client' })
  await client.waitFor()
  const [clientId, clientSecret] = (await client.locator('code').allTextContents()) as [string, string]
  secrets.push(clientSecret)
  await assertPicture(page, '4-client', client.locator('code').last())
  await client.getByRole('button', { name: 'I have copied it' }).click()

  // An empty folder, the client from the site, and the program of the guide.
  const { folder, environment } = await newHome({ npm_config_registry: await closedAddress() })
  const home = {
    folder,
    environment: {
      ...environment,
      PATH: [join(folder, '.local/bin'), dirname(process.execPath), environment.PATH].join(delimiter),
      npm_config_prefix: join(folder, '.local'),
      npm_config_update_notifier: 'false',
      npm_config_progress: 'false',
    },
  }
  const save = (name: string, text: string | Uint8Array) => writeFile(join(folder, name), text)
  const shell = await openShell(t, home)
  await shell.type(`export CLIENT_ID=${clientId} CLIENT_SECRET=${clientSecret}`)
  const blocks = await codeOf(service, firstOrder, 'TypeScript')
  const of = (wanted: string) => blocks.filter(({ language }) => language === wanted).map(({ code }) => code)
  const [install, start] = of('sh')
  await shell.type(install!)
  await save('first-order.ts', of('ts').join('\n'))
  const [, orderNumber] = /^order (\d+)$/m.exec(await shell.type(start!))!
  t.diagnostic(`from the address of the site to an order: ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  const order = await integrator.get(`/v1/orders/${orderNumber}`)
  assert.deepEqual([order.status, order.body.shipTo.name], [200, 'Dana Reyes'])

  // The command line, by the way that the guide of the first order names.
  await page.goto(firstOrder)
  await main.getByRole('link', { name: 'the command line' }).click()
  await heading('Command line')
  const [tools, receive, listen, trigger, check] = (await codeOf(service, pathOf(page))).map(({ code }) =>
    code.split('\n'),
  )
  const [installTools, login, ...doctor] = tools!
  await shell.type(installTools!)
  const [signInPage] = await shell.begin(login!, /http:\/\/\S+\/oauth2\/authorize\S+/)
  const second = await context.newPage()
  await second.goto(signInPage)
  await second.getByRole('button', { name: /^(?:Allow|Continue)$/ }).click()
  await second.getByText('You are signed in').first().waitFor()
  await shell.shows(/Signed in to SANDBOX[^]*\[0\] \$ $/)
  await second.close()
  for (const command of doctor) await shell.type(command)

  // The receiver of the webhook guide hears of what happens, at a port that is free here.
  await main.getByRole('link', { name: 'the webhooks' }).click()
  await heading('Webhooks')
  const { port } = new URL(await closedAddress())
  const receiver = (await codeOf(service, pathOf(page), 'TypeScript')).find(({ code }) =>
    code.includes('createServer'),
  )!
  await save('receiver.ts', receiver.code.replace('3000', port))
  const receiving = await openShell(t, home)
  await receiving.type(`export CLIENT_ID=${clientId} CLIENT_SECRET=${clientSecret}`)
  const [exportSecret, startReceiver] = receive!
  await receiving.type(exportSecret!)
  await receiving.begin(startReceiver!, /\nreceiving\n/)
  const listening = await openShell(t, home)
  const [, heardSecret] = await listening.begin(listen![0]!.replace('3000', port), /Signing secret: (whsec_\S+)/)
  secrets.push(heardSecret!)
  await listening.shows(/Forwarding to/)
  await shell.type(trigger![0]!)
  await listening.shows(/shipment\.shipped {2}order \d+, shipment \d+ {2}→ 204/)
  await receiving.shows(/shipment\.shipped: order \d+ is SHIPPED/)
  assert.doesNotMatch(listening.recorded(), /→ (?!204)/)
  // The list for going live.
  await page.goto('/portal/sandbox/go-live')
  await portalSettled(page)
  await assertPicture(page, '5-go-live-begun')

  // Orders that go other ways than straight.
  await shell.type('partner-commerce clock advance 10d')
  await shell.type('partner-commerce trigger split-shipment')
  await shell.type('partner-commerce trigger cancelled')
  await receiving.shows(/order_line\.cancelled: order \d+ is CANCELLED/)
  const [, proofed] = /Order (\d+) is /.exec(await shell.type('partner-commerce trigger declined-proof'))!
  const waiting = await shell.type('partner-commerce proofs list')
  const [, line] = new RegExp(`^${proofed} +(\\d+) `, 'm').exec(waiting)!
  await save('card.pdf', pdfFile())
  await save('status-needs_changes.pdf', pdfFile('A card that needs changes'))
  for (const file of ['status-needs_changes.pdf', 'card.pdf']) {
    await shell.type(`partner-commerce artwork upload ${proofed} ${line} ${file}`)
    await shell.type('partner-commerce clock advance 1h')
  }
  await shell.type(`partner-commerce proofs approve ${proofed} ${line}`)

  // The check tries the receiver with what goes wrong, too.
  await listening.interrupt()
  assert.doesNotMatch(listening.recorded(), /→ (?!204)/)
  const checked = await shell.type(check![0]!.replace('3000', port))
  assert.equal(checked.match(/^✓ /gm)?.length, 3, checked)
  await receiving.shows(/\nrefused: /)

  // What only the developer's own program shows.
  await save('integration.ts', await readFile(new URL('first-day/integration.ts', import.meta.url), 'utf8'))
  await shell.type(`SANDBOX=${service.hosts.sandboxBaseUrl} node integration.ts`)

  // The log of calls is written a moment after the answers.
  const open = async () =>
    (await integrator.get('/sandbox/go-live')).body.items
      .filter(({ state }: { state: string }) => state !== 'done')
      .map(({ key }: { key: string }) => key)
  let left: string[] = []
  await until(async () => (left = await open()).length === 0).catch(() => undefined)
  assert.deepEqual(left, [])
  await shell.type('partner-commerce go-live')
  await receiving.interrupt()
  await page.reload()
  await heading('Go-live')
  await portalSettled(page)
  await main.getByText('14 of 14 done').first().waitFor()
  await assertPicture(page, '6-go-live-done')
  assert.deepEqual(complaints, [])

  // What differs from machine to machine, and what nobody may read, has a word instead.
  const { developerUrl, sandboxBaseUrl } = service.hosts
  const words: readonly (readonly [string | RegExp, string])[] = [
    ...secrets.map((each) => [each, '…'] as const),
    [clientId, '…'],
    [/(?<=\/oauth2\/authorize)\?\S+/g, '?…'],
    [developerUrl, 'https://developers.partner-commerce.example'],
    [sandboxBaseUrl, 'https://sandbox.partner-commerce.example'],
    [folder, '~'],
    [new RegExp(`(?<=localhost:)${port}`, 'g'), '3000'],
  ]
  const terminals = { 'The terminal': shell, 'The receiver': receiving, 'The listener': listening }
  const record = Object.entries(terminals)
    .map(([title, { recorded }]) => `${title}\n\n${recorded().replace(/\n?\[\d+\] \$ $/, '')}\n`)
    .join('\n')
  await assertRecord(words.reduce((text, [from, to]) => text.replaceAll(from, to), record))
})

function pathOf(page: Page): string {
  return new URL(page.url()).pathname.replace(/\/$/, '')
}

/** Compares the commands of the record with those of the one that is kept: what they answer has times and numbers of the day. */
async function assertRecord(record: string): Promise<void> {
  for (const secret of secrets) assert.ok(!record.includes(secret), 'the record tells a secret')
  assert.doesNotMatch(record, /whsec_|pcs_|eyJ/)
  const file = new URL('first-day.txt', folderOfPictures)
  if (process.env.UPDATE_PICTURES === '1') await writeFile(file, record)
  const commandsOf = (text: string) => text.replaceAll(/\d{4,}/g, '#').match(/^\[\d+\] \$ .+$/gm)
  const says = 'the day has other commands; UPDATE_PICTURES=1 keeps its record'
  assert.deepEqual(commandsOf(record), commandsOf(await readFile(file, 'utf8')), says)
}

/** Compares the page with the picture kept of it, once nothing on it that is not hidden tells a secret. */
async function assertPicture(page: Page, name: string, hidden?: Locator): Promise<void> {
  const told = await page.locator('body').innerText()
  const concealed = hidden === undefined ? '' : await hidden.innerText()
  for (const secret of secrets) {
    assert.equal(told.split(secret).length, concealed.split(secret).length, `${name} shows a secret`)
  }
  await assertLooksAs(page, `first-day-${name}`, { folder: folderOfPictures, hidden: hidden ? [hidden] : [] })
}
