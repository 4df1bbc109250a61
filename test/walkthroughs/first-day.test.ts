import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { givenPseudoTerminal, newHome } from '../../clients/cli/test/world/program.ts'
import { chromium, testBrowser } from '../world/console.ts'
import { reader } from '../world/developer-site.ts'
import { partner } from '../world/partner.ts'
import { enterAtSignIn, personOf, portalSettled } from '../world/portal.ts'
import { testService } from '../world/service.ts'
import { openShell } from '../world/shell.ts'
import { codeOf } from '../world/site-code.ts'

/**
 * The first day of a partner's developer, who has the address of the developer site and an invitation, follows the guides
 * to the letter, and asks nobody. The browser and the terminals are recorded in `pictures/`.
 */

const service = await testService()
const skip = chromium.skip || givenPseudoTerminal().skip

test(
  'a developer who has only the address of the developer site gets an order through',
  { skip, timeout: 240_000 },
  async (t) => {
    const began = performance.now()
    const { page } = await reader(await testBrowser(), service)
    const person = personOf(service, 'sandbox')
    const main = page.getByRole('main')

    await page.goto('/')
    await page.getByRole('link', { name: 'Your first order' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Your first order' }).waitFor()
    const guide = new URL(page.url()).pathname.replace(/\/$/, '')
    await main.getByRole('link', { name: 'portal' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Portal' }).waitFor()
    await page.getByRole('link', { name: 'Sandbox' }).first().click()
    await page.getByRole('button', { name: 'Sign in to the sandbox' }).click()
    await enterAtSignIn(page, person)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await portalSettled(page)

    await page.getByRole('link', { name: 'Credentials' }).first().click()
    await page.getByRole('button', { name: 'Create a client…' }).click()
    await page.getByLabel('What it is for').fill('First day')
    await page.getByRole('button', { name: 'Create the client' }).click()
    const shown = page.getByRole('region', { name: 'The new client' }).locator('code')
    await shown.first().waitFor()
    const [clientId, clientSecret] = (await shown.allTextContents()) as [string, string]

    const { folder, environment } = await newHome({ npm_config_registry: 'http://127.0.0.1:9/' })
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
    const shell = await openShell(t, home)
    await shell.type(`export CLIENT_ID=${clientId} CLIENT_SECRET=${clientSecret}`)
    const blocks = await codeOf(service, guide, 'TypeScript')
    const of = (wanted: string) => blocks.filter(({ language }) => language === wanted).map(({ code }) => code)
    const [install, start] = of('sh')
    await shell.type(install!)
    await writeFile(join(folder, 'first-order.ts'), of('ts').join('\n'))
    const [, orderNumber] = /^order (\d+)$/m.exec(await shell.type(start!))!
    t.diagnostic(`from the address of the site to an order: ${((performance.now() - began) / 1_000).toFixed(1)} s`)

    const integrator = await partner(service, 'sandbox')
    const order = await integrator.get(`/v1/orders/${orderNumber}`)
    assert.deepEqual([order.status, order.body.shipTo.name], [200, 'Dana Reyes'])
  },
)
