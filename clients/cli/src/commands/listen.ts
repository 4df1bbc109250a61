import type { PartnerCommerce, StreamEventsInput } from '@partner-commerce/client'
import type { Command } from 'commander'
import { command, runs } from '../command.ts'
import { Failure, usage } from '../failure.ts'
import { networkReason } from '../report.ts'
import { openSession } from '../session.ts'
import { bold, cyan, dim, green, red, yellow, type Piece } from '../terminal/pieces.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { httpStatus } from '../terminal/words.ts'
import type { Flags, World } from '../world.ts'

type ListenOptions = { forwardTo?: string; events?: string; check?: true; printSecret?: true }

export function listenCommand(world: World): Command {
  const made = command(
    'listen',
    'Hear the webhook events of your sandbox, and hand them to a program on this machine',
    [
      'listen',
      'listen --forward-to http://localhost:3000/hooks',
      'listen --forward-to localhost:3000/hooks --events shipment.shipped,proof.pending_review',
      'listen --forward-to http://localhost:3000/hooks --check',
      '$ export WEBHOOK_SECRET=$(partner-commerce listen --print-secret)',
    ],
  )
    .option('--forward-to <URL>', 'post each event there, as a webhook endpoint gets it')
    .option(
      '--events <TYPES>',
      'only events of these types, with commas between; without it all but proof.pending_review',
    )
    .option('--check', 'try the program there now, also with what is wrong on purpose, for the go-live list, and end')
    .option('--print-secret', 'print the secret that signs the events, and end')
    .addHelpText(
      'after',
      '\nNo tunnel is needed: the events come over a connection that this program opens. They are signed with a secret\n' +
        'that stays the same for your credential. What comes while the connection is interrupted is told afterwards.',
    )
  return runs<ListenOptions>(made, world, async ({ flags, options }) => {
    const target = options.forwardTo === undefined ? undefined : readTarget(options.forwardTo)
    const types = options.events?.split(',').map((type) => type.trim()) as StreamEventsInput['types']
    if (options.check && target === undefined) {
      throw usage('--check needs a program to try.', 'Name where it listens: --forward-to http://localhost:3000/hooks.')
    }
    const { client } = await openSession(world, flags, { sandbox: true })
    const { terminal, stop } = world
    if (options.check) return check(client, target!, { flags, world })
    const told = new ToldBefore()
    let isFirst = true
    for await (const { event, data } of client.streamEvents(types ? { types } : {}, { signal: stop })) {
      if (event === 'ready') {
        const { secret } = data as Ready
        if (options.printSecret) return flags.json ? terminal.json({ secret }) : terminal.print(secret)
        if (flags.json && isFirst) terminal.json({ secret }, 'line')
        sayReady(terminal, secret, target, isFirst)
        isFirst = false
      } else if (event === 'missed') {
        terminal.say(yellow('! '), 'Some events came while nobody listened, and are not told: read the orders again.')
      } else if (event === 'event') {
        const heard = data as Heard
        if (told.before(heard.eventId)) continue
        // One after the other, so that a receiver sees them in the order in which they came.
        const forwarded = target === undefined ? undefined : await forward(target, heard, stop)
        stop.throwIfAborted()
        if (flags.json) terminal.json({ ...heard, forwarded: forwarded ?? null }, 'line')
        else show(terminal, heard, forwarded, world.now())
      }
    }
    throw new Failure('outage', 'The stream of events ended.', 'Run it again.')
  })
}

/** Carries the deliveries of a check to the program, tells the service how they were answered, and shows what that means. */
async function check(client: PartnerCommerce, target: string, { flags, world }: { flags: Flags; world: World }) {
  const { terminal, stop } = world
  const { check: name, deliveries } = await client.startWebhookCheck({}, { signal: stop })
  const answers: Forwarded[] = []
  for (const each of deliveries) answers.push(await forward(target, each, stop))
  stop.throwIfAborted()
  const told = answers.map(({ status, milliseconds }) => ({ status, milliseconds }))
  const { items } = await client.answerWebhookCheck({ body: { check: name, answers: told } }, { signal: stop })
  if (flags.json) terminal.json({ items })
  else for (const { passed, says } of items) terminal.print(passed ? green('✓ ') : red('✗ '), says)
  const left = items.filter(({ passed }) => !passed).length
  if (left === 0) return
  const [error] = answers.flatMap((each) => each.error ?? [])
  throw new Failure(
    'failed',
    `${left} of ${items.length} did not pass${error === undefined ? '' : `; once, ${error}`}.`,
    'Each says above what is wrong. The webhook guide of the developer site has a whole receiver.',
  )
}

type Ready = { secret: string; types: string[] }
type Delivery = { eventId: string; body: string; signature: string }
type Heard = Delivery & { type: string }
type Forwarded = { status: number | null; milliseconds: number; error: string | null }

function sayReady(terminal: Terminal, secret: string, target: string | undefined, isFirst: boolean): void {
  if (!isFirst) return terminal.say(green('✓ '), 'Connected again.')
  terminal.say(green('✓ '), 'Listening to the events of your sandbox. Ctrl-C ends it.')
  terminal.say('  Signing secret: ', bold(secret))
  if (target !== undefined) terminal.say('  Forwarding to:  ', cyan(target))
}

/** After a break, events of its last seconds may be told again. */
class ToldBefore {
  readonly #ids = new Set<string>()

  before(eventId: string): boolean {
    if (this.#ids.has(eventId)) return true
    this.#ids.add(eventId)
    if (this.#ids.size > 10_000) for (const oldest of this.#ids) return !this.#ids.delete(oldest)
    return false
  }
}

function readTarget(written: string): string {
  const whole = /^https?:\/\//.test(written) ? written : `http://${written}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (url && url.hostname !== '' && url.username === '') return url.href
  throw usage(`"${written}" is not a URL.`, 'Name where your program listens, such as http://localhost:3000/hooks.')
}

const forwardMilliseconds = 30_000

/** Posts the event as the service would: the same bytes and headers. */
async function forward(target: string, { eventId, body, signature }: Delivery, stop: AbortSignal): Promise<Forwarded> {
  const began = performance.now()
  const took = (): number => Math.round(performance.now() - began)
  const over = new AbortController()
  try {
    const answer = await fetch(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Platform-Webhooks/1',
        'platform-event-id': eventId,
        'platform-signature': signature,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stop, over.signal, AbortSignal.timeout(forwardMilliseconds)]),
    })
    // What it says beside its status may have no end.
    over.abort()
    return { status: answer.status, milliseconds: took(), error: null }
  } catch (error) {
    return { status: null, milliseconds: took(), error: networkReason(error) ?? (error as Error).message }
  }
}

function show(terminal: Terminal, { type, body }: Heard, forwarded: Forwarded | undefined, now: Date): void {
  terminal.print(
    dim(now.toISOString().slice(11, 19)),
    '  ',
    bold(type),
    subjectOf(body),
    ...(forwarded ? ['  → ', outcomeOf(forwarded), dim(`  ${forwarded.milliseconds} ms`)] : []),
  )
}

function outcomeOf({ status, error }: Forwarded): Piece {
  return status === null ? red(error ?? 'no answer') : httpStatus(status)
}

function subjectOf(body: string): Piece {
  const { orderNumber, shipmentNumber, itemNumber } = JSON.parse(body) as Record<string, number | undefined>
  const parts = [
    orderNumber && `order ${orderNumber}`,
    itemNumber && `item ${itemNumber}`,
    shipmentNumber && `shipment ${shipmentNumber}`,
  ]
  return `  ${parts.filter(Boolean).join(', ')}`
}
