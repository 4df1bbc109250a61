import type { PartnerCommerce, Site } from '@partner-commerce/client'
import type { Command } from 'commander'
import { command, runs } from '../command.ts'
import { usage } from '../failure.ts'
import { collected } from '../pages.ts'
import { openSession } from '../session.ts'
import { bold, dim } from '../terminal/pieces.ts'
import { yesNo } from '../terminal/words.ts'
import type { World } from '../world.ts'

export function sitesCommand(world: World): Command {
  const made = command('sites', 'List the sites that are granted to you', ['sites'])
  return runs(made, world, async ({ flags }) => {
    const { client } = await openSession(world, flags)
    const { records } = await collected(client.listSites({}, { signal: world.stop }))
    const { terminal } = world
    if (flags.json) return terminal.json({ sites: records })
    terminal.table<Site>(
      [
        { title: 'SITE', cell: (site) => bold(site.siteId) },
        { title: 'NAME', cell: (site) => site.name, cuts: true },
        { title: 'ADDRESS', cell: (site) => site.url, cuts: true },
        { title: 'CURRENCY', cell: (site) => site.currency },
        { title: 'ACTIVE', cell: (site) => yesNo(site.active) },
        { title: 'ORDERS', cell: (site) => yesNo(site.orderingProvisioned) },
        { title: 'SEARCH', cell: (site) => yesNo(site.searchAvailable) },
      ],
      records,
    )
    if (records.length === 0) terminal.say(dim('There is none. Staff grant sites.'))
  })
}

/** The site that the command line names, or the only one that is granted. @throws Failure where there are several */
export async function siteFor(client: PartnerCommerce, named: number | undefined, stop: AbortSignal): Promise<number> {
  if (named !== undefined) return named
  const { grantedSiteIds: sites } = await client.getMe({}, { signal: stop })
  if (sites.length === 1) return sites[0]!
  throw sites.length === 0
    ? usage('No site is granted to you.', 'Ask staff to grant one.')
    : usage('You have several sites.', `Name one with --site: ${sites.join(', ')}.`)
}
