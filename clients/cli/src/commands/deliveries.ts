import type { WebhookDelivery } from '@partner-commerce/client'
import { Option, type Command } from 'commander'
import { command, runs, wholeFrom } from '../command.ts'
import { readSince } from '../durations.ts'
import { usage } from '../failure.ts'
import { collected } from '../pages.ts'
import { openSession } from '../session.ts'
import { bold, dim, green } from '../terminal/pieces.ts'
import { httpStatus, orDash, status, when } from '../terminal/words.ts'
import type { World } from '../world.ts'
import { sayCut } from './orders.ts'

type DeliveriesOptions = { outcome?: string; order?: number; type?: string; since?: string; limit: number }

export function deliveriesCommand(world: World): Command {
  const made = command('deliveries', 'Show the deliveries of webhooks to your endpoints', [
    'deliveries --outcome FAILED --since 1d',
    'deliveries show 42',
    'deliveries resend 42',
  ])
    .addOption(new Option('--outcome <OUTCOME>', 'only with this outcome').choices(['DELIVERED', 'FAILED', 'SKIPPED']))
    .option('--order <ORDER>', 'only about this order', wholeFrom(1))
    .option('--type <TYPE>', 'only events of this type')
    .option('--since <TIME>', 'only since then: 15m, 5h, 3d ago, or an instant')
    .option('-n, --limit <COUNT>', 'how many to show', wholeFrom(1, 10_000), 30)
  made.addCommand(show(world))
  made.addCommand(resend(world))
  return runs<DeliveriesOptions>(made, world, async ({ flags, options }) => {
    const { client } = await openSession(world, flags)
    const { terminal } = world
    const { outcome, order, type, since, limit } = options
    const { records, isCut } = await collected(
      client.listWebhookDeliveries(
        {
          ...(outcome !== undefined && { outcome: outcome as 'DELIVERED' }),
          ...(order !== undefined && { orderNumber: order }),
          ...(type !== undefined && { eventType: type }),
          ...(since !== undefined && { since: readSince(since, world.now()) }),
        },
        { signal: world.stop },
      ),
      limit,
    )
    if (flags.json) return terminal.json({ webhookDeliveries: records })
    terminal.table<WebhookDelivery>(
      [
        { title: 'DELIVERY', cell: ({ deliveryId }) => bold(deliveryId) },
        { title: 'MADE', cell: ({ createdOn }) => when(createdOn) },
        { title: 'TYPE', cell: ({ type: kind }) => kind },
        { title: 'ORDER', cell: ({ orderNumber }) => orDash(orderNumber || null) },
        { title: 'OUTCOME', cell: ({ outcome: ended }) => (ended === null ? dim('waits') : status(ended)) },
        { title: 'ANSWER', cell: ({ responseStatus }) => httpStatus(responseStatus) },
        { title: 'MS', cell: ({ durationMilliseconds }) => orDash(durationMilliseconds), right: true },
        { title: 'TO', cell: ({ endpointUrl }) => endpointUrl, cuts: true },
        { title: 'WHY', cell: ({ reason }) => orDash(reason), cuts: true },
      ],
      records,
    )
    sayCut(terminal, records.length, isCut)
  })
}

function readId(written: string): number {
  if (/^\d{1,15}$/.test(written) && Number(written) > 0) return Number(written)
  throw usage(`"${written}" is not the id of a delivery.`, '`partner-commerce deliveries` shows the ids.')
}

function show(world: World): Command {
  const made = command('show', 'Show a delivery: what was sent, and what the receiver answered', ['deliveries show 42'])
  made.argument('<DELIVERY>', 'the id of the delivery')
  return runs(made, world, async ({ flags }, written) => {
    const id = readId(written!)
    const { client } = await openSession(world, flags)
    const delivery = await client.getWebhookDelivery({ deliveryId: id }, { signal: world.stop })
    const { terminal } = world
    if (flags.json) return terminal.json(delivery)
    terminal.facts([
      ['Delivery', bold(delivery.deliveryId)],
      ['Event', `${delivery.type} ${delivery.eventId}`],
      ['To', delivery.endpointUrl],
      ['Outcome', delivery.outcome === null ? dim('waits') : status(delivery.outcome)],
      ['Why', orDash(delivery.reason)],
      ['Made', when(delivery.createdOn)],
      ['Attempted', when(delivery.attemptedOn)],
      ['Answer', httpStatus(delivery.responseStatus)],
      ['Took', delivery.durationMilliseconds === null ? dim('–') : `${delivery.durationMilliseconds} ms`],
      ...delivery.headers.map(({ name, value }) => [name, orDash(value)] as const),
      ['Body', delivery.body],
      ['Answered', orDash(delivery.responseExcerpt)],
    ])
  })
}

function resend(world: World): Command {
  const made = command('resend', 'Send the event of a delivery once more (sandbox)', ['deliveries resend 42'])
  made.argument('<DELIVERY>', 'the id of the delivery')
  return runs(made, world, async ({ flags }, written) => {
    const id = readId(written!)
    const { client } = await openSession(world, flags, { sandbox: true })
    const again = await client.resendDelivery({ deliveryId: id }, { signal: world.stop })
    if (flags.json) return world.terminal.json(again)
    world.terminal.print(green('✓ '), 'On its way again as delivery ', bold(again.deliveryId), '.')
  })
}
