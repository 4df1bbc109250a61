import type { Product } from '@partner-commerce/client'
import type { Command } from 'commander'
import { command, group, runs, wholeFrom } from '../command.ts'
import { collected } from '../pages.ts'
import { openSession } from '../session.ts'
import { bold } from '../terminal/pieces.ts'
import { yesNo } from '../terminal/words.ts'
import type { World } from '../world.ts'
import { sayCut } from './orders.ts'
import { siteFor } from './sites.ts'

export function productsCommand(world: World): Command {
  return group('products', 'Find products', [search(world)])
}

function search(world: World): Command {
  const made = command('search', 'Find products of a site by words, best first', [
    'products search business cards',
    'products search "a5 flyer" --site 101 --json',
  ])
    .argument('<WORDS...>', 'what to look for')
    .option('--site <ID>', 'the site; not needed if you have only one', wholeFrom(1))
    .option('-n, --limit <COUNT>', 'how many to show', wholeFrom(1, 200), 20)
  return runs<{ site?: number; limit: number }>(made, world, async ({ flags, options }, ...words) => {
    const { client } = await openSession(world, flags)
    const siteId = await siteFor(client, options.site, world.stop)
    const q = words.join(' ')
    const { limit } = options
    const { records } = await collected(client.listProducts({ siteId, q, limit }, { signal: world.stop }), limit)
    const { terminal } = world
    if (flags.json) return terminal.json({ products: records })
    terminal.table<Product>(
      [
        { title: 'PRODUCT', cell: (product) => bold(product.productId) },
        { title: 'NAME', cell: (product) => product.name, cuts: true },
        { title: 'CODE', cell: (product) => product.code, cuts: true },
        { title: 'KIND', cell: (product) => product.serviceType },
        { title: 'ARTWORK', cell: (product) => product.artworkSource },
        { title: 'QUANTITY', cell: quantities, right: true },
        { title: 'ACTIVE', cell: (product) => yesNo(product.active) },
      ],
      records,
    )
    sayCut(terminal, records.length, false)
  })
}

function quantities({ minQuantity, maxQuantity }: Product): string {
  if (minQuantity === null && maxQuantity === null) return 'any'
  return `${minQuantity ?? 1}–${maxQuantity ?? ''}`
}
