import { readFile } from 'node:fs/promises'
import { Option, type Command } from 'commander'
import {
  SubmissionRejected,
  type Order as NewOrder,
  type OrderItem,
  type OrderPage,
  type Submission,
} from '@partner-commerce/client'
import { command, group, numberOf, runs, wholeFrom } from '../command.ts'
import { Failure, usage } from '../failure.ts'
import { collected } from '../pages.ts'
import { openSession } from '../session.ts'
import { readAll } from '../stdin.ts'
import { bold, dim, green, red, yellow } from '../terminal/pieces.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { money, orDash, status, when } from '../terminal/words.ts'
import type { World } from '../world.ts'

const orderStatuses = [
  'PENDING_APPROVAL',
  'ON_HOLD',
  'IN_PROCESS',
  'IN_PRODUCTION',
  'PARTIALLY_SHIPPED',
  'SHIPPED',
  'COMPLETED',
  'CANCELLED',
] as const

export function ordersCommand(world: World): Command {
  return group('orders', 'Submit orders and see what becomes of them', [submit(world), list(world), get(world)])
}

function submit(world: World): Command {
  const made = command('submit', 'Submit an order from a JSON file, as POST /v1/orders takes it', [
    'orders submit order.json --wait',
    '$ cat order.json | partner-commerce orders submit - --json',
  ])
    .argument('<FILE>', 'the order as JSON; - reads it from stdin')
    .option('-w, --wait', 'wait until the order is placed or fails, however long that takes')
  return runs<{ wait?: true }>(made, world, async ({ flags, options }, file) => {
    const body = await readOrder(world, file!)
    const { client } = await openSession(world, flags)
    const { terminal, stop } = world
    terminal.progress('Submitting the order …')
    const submission = options.wait
      ? await client
          .submitAndWait(body, { signal: stop, onProgress: ({ state }) => terminal.progress(said[state]) })
          .catch(rejected)
      : await client.submitOrder({ body }, { signal: stop })
    terminal.progress(undefined)
    if (flags.json) terminal.json(submission)
    else showSubmission(terminal, submission)
    if (submission.status === 'failed') throw notAccepted(submission)
  })
}

const said = {
  sending: 'Submitting the order …',
  repeating: 'No answer; submitting it once more …',
  waiting: 'Waiting until the order is placed …',
}

/** A submission that failed is an outcome like any other. */
export function rejected(error: unknown): Submission {
  if (error instanceof SubmissionRejected) return error.submission
  throw error
}

export function notAccepted({ partnerOrderId }: Submission): Failure {
  return new Failure(
    'failed',
    `The order ${partnerOrderId} was not accepted, and nothing was charged.`,
    'Correct what stands above. The corrected order needs a partnerOrderId of its own.',
  )
}

/** The body goes to the service as it is written: the service says what is wrong with it. */
async function readOrder({ stdin }: World, file: string): Promise<NewOrder> {
  const text = file === '-' ? await readAll(stdin) : await readNamed(file)
  try {
    return JSON.parse(text) as NewOrder
  } catch (error) {
    throw usage(
      `${file === '-' ? 'What came from stdin' : file} is not JSON: ${(error as Error).message}.`,
      'The file holds one order, as the reference of submitOrder shows it.',
    )
  }
}

async function readNamed(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw usage(`The file ${file} cannot be read: ${(error as Error).message}.`, 'Name a file with an order as JSON.')
  }
}

export function showSubmission(terminal: Terminal, submission: Submission): void {
  const { order, errors = [] } = submission
  terminal.facts([
    ['Submission', submission.submissionId],
    ['Partner order id', submission.partnerOrderId],
    ['Status', status(submission.status)],
    ...(order
      ? ([
          ['Order', bold(order.orderNumber)],
          ['Order status', status(order.status)],
          ['Total', String(order.totalPrice)],
        ] as const)
      : []),
  ])
  for (const { code, detail, field } of errors) {
    terminal.print(red('✗ '), detail, dim(`  ${code}${field ? ` at ${field}` : ''}`))
  }
  if (order) terminal.say(dim(`See it with: partner-commerce orders get ${order.orderNumber}`))
  else if (submission.status !== 'failed') terminal.say(yellow('It is still under way; --wait waits for it.'))
}

function list(world: World): Command {
  const made = command('list', 'List orders, newest first', [
    'orders list --status IN_PRODUCTION',
    'orders list --partner-order-id PO-1001 --json',
  ])
    .option('--site <ID>', 'only orders of this site', wholeFrom(1))
    .addOption(new Option('--status <STATUS>', 'only orders of this status').choices(orderStatuses))
    .option('--awaiting-proof', 'only orders that wait for your decision on a proof')
    .option('--partner-order-id <ID>', 'only the orders with this id of yours')
    .option('-n, --limit <COUNT>', 'how many to show', wholeFrom(1, 10_000), 20)
  type Options = {
    site?: number
    status?: string
    awaitingProof?: true
    partnerOrderId?: string
    limit: number
  }
  return runs<Options>(made, world, async ({ flags, options }) => {
    const { client } = await openSession(world, flags)
    const { site, status: wanted, awaitingProof, partnerOrderId, limit } = options
    const input = {
      ...(site !== undefined && { siteId: site }),
      ...(wanted !== undefined && { status: wanted as Listed['status'] }),
      ...(awaitingProof && { awaitingProof }),
      ...(partnerOrderId !== undefined && { partnerOrderId }),
    }
    const { records, isCut } = await collected(client.listOrders(input as object, { signal: world.stop }), limit)
    if (flags.json) return world.terminal.json({ orders: records })
    world.terminal.table<Listed>(
      [
        { title: 'ORDER', cell: (order) => bold(order.orderNumber) },
        { title: 'YOUR ID', cell: (order) => orDash(order.partnerOrderId), cuts: true },
        { title: 'STATUS', cell: (order) => status(order.status) },
        { title: 'PLACED', cell: (order) => when(order.placedOn) },
        { title: 'ITEMS', cell: (order) => String(order.itemCount), right: true },
        { title: 'TOTAL', cell: (order) => money(order.totalPrice, order.currency), right: true },
        { title: 'PROOF', cell: (order) => (order.awaitingProof ? yellow('waits for you') : dim('–')) },
      ],
      records,
    )
    sayCut(world.terminal, records.length, isCut)
  })
}

type Listed = OrderPage['orders'][number]

export function sayCut(terminal: Terminal, count: number, isCut: boolean): void {
  if (count === 0) terminal.say(dim('There is none.'))
  else if (isCut) terminal.say(dim(`These are the first ${count}; --limit shows more.`))
}

function get(world: World): Command {
  const made = command('get', 'Show an order with its lines and shipments', ['orders get 10001001']).argument(
    '<ORDER>',
    'the order number',
  )
  return runs(made, world, async ({ flags }, written) => {
    const orderNumber = numberOf('order', written!)
    const { client } = await openSession(world, flags)
    const options = { signal: world.stop }
    const order = await client.getOrder({ orderNumber }, options)
    const [items, shipments] = await Promise.all([
      collected(client.listOrderItems({ orderNumber }, options)),
      collected(client.listShipments({ orderNumber }, options)),
    ])
    const { terminal } = world
    if (flags.json) return terminal.json({ ...order, items: items.records, shipments: shipments.records })
    terminal.facts([
      ['Order', bold(order.orderNumber)],
      ['Your id', orDash(order.partnerOrderId)],
      ['Site', String(order.siteId)],
      ['Status', status(order.status)],
      ['Placed', when(order.placedOn)],
      ['Updated', when(order.updatedOn)],
      ['Ship to', orDash(placeOf(order.shipTo))],
      ['Shipping', money(order.shippingTotal, order.currency)],
      ['Tax', money(order.taxTotal, order.currency)],
      ['Total', money(order.totalPrice, order.currency)],
    ])
    terminal.print()
    terminal.table<OrderItem>(
      [
        { title: 'ITEM', cell: (item) => orDash(item.itemNumber) },
        { title: 'PRODUCT', cell: (item) => item.productName, cuts: true },
        { title: 'YOUR ID', cell: (item) => orDash(item.externalId), cuts: true },
        { title: 'QUANTITY', cell: (item) => String(item.quantity), right: true },
        { title: 'PRODUCTION', cell: (item) => (item.cancelled ? red('CANCELLED') : status(item.productionStatus)) },
        { title: 'PROOF', cell: (item) => status(item.proofStatus) },
        { title: 'SHIPPED', cell: (item) => (item.shipped ? green('yes') : dim('no')) },
        { title: 'TOTAL', cell: (item) => money(item.lineTotal, order.currency), right: true },
      ],
      items.records,
    )
    for (const shipment of shipments.records) {
      terminal.print()
      terminal.facts([
        ['Shipment', String(shipment.shipmentNumber)],
        ['Status', status(shipment.status)],
        ['Service', orDash(shipment.serviceName)],
        ['Shipped', when(shipment.shippedOn)],
        ...shipment.packages.map(
          ({ packageNumber, trackingNumber }) => [`Package ${packageNumber}`, orDash(trackingNumber)] as const,
        ),
      ])
    }
  })
}

type Place = {
  name: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  country: string | null
}

function placeOf(place: Place | null): string | null {
  if (!place) return null
  return [place.name, [place.city, place.state, place.postalCode].filter(Boolean).join(' '), place.country]
    .filter(Boolean)
    .join(', ')
}
