import type { OrderItem, OrderPage, PartnerCommerce } from '@partner-commerce/client'
import type { Command } from 'commander'
import { command, group, numberOf, runs, wholeFrom } from '../command.ts'
import { openBrowser } from '../credentials/open-browser.ts'
import { Failure, usage } from '../failure.ts'
import { collected } from '../pages.ts'
import { openSession } from '../session.ts'
import { bold, cyan, dim, green } from '../terminal/pieces.ts'
import { orDash, status, when } from '../terminal/words.ts'
import type { World } from '../world.ts'
import { sayCut } from './orders.ts'

export function proofsCommand(world: World): Command {
  return group('proofs', 'See and decide proofs', [list(world), open(world), approve(world), decline(world)])
}

function list(world: World): Command {
  const made = command('list', 'List the proofs that wait for your decision', ['proofs list', 'proofs list --json'])
    .option('--site <ID>', 'only on this site', wholeFrom(1))
    .option('-n, --limit <COUNT>', 'of how many orders', wholeFrom(1, 500), 50)
  return runs<{ site?: number; limit: number }>(made, world, async ({ flags, options }) => {
    const { client } = await openSession(world, flags)
    const { terminal, stop } = world
    const { site, limit } = options
    const input = { awaitingProof: true, ...(site !== undefined && { siteId: site }) }
    const { records: orders, isCut } = await collected(client.listOrders(input, { signal: stop }), limit)
    const waiting = await waitingLines(client, orders, stop)
    if (flags.json) return terminal.json({ items: waiting.map(({ item }) => item) })
    terminal.table<Waiting>(
      [
        { title: 'ORDER', cell: ({ item }) => bold(item.orderNumber) },
        { title: 'ITEM', cell: ({ item }) => orDash(item.itemNumber) },
        { title: 'PRODUCT', cell: ({ item }) => item.productName, cuts: true },
        { title: 'JOB', cell: ({ item }) => orDash(item.jobName), cuts: true },
        { title: 'YOUR ID', cell: ({ order }) => orDash(order.partnerOrderId), cuts: true },
        { title: 'PLACED', cell: ({ order }) => when(order.placedOn) },
      ],
      waiting,
    )
    sayCut(terminal, waiting.length, isCut)
    const first = waiting[0]?.item
    if (first)
      terminal.say('Look at one: ', cyan(`partner-commerce proofs open ${first.orderNumber} ${first.itemNumber}`))
  })
}

type Listed = OrderPage['orders'][number]
type Waiting = { order: Listed; item: OrderItem }

/** A few orders at a time, so that a long list does not use up the rate. */
async function waitingLines(client: PartnerCommerce, orders: readonly Listed[], stop: AbortSignal): Promise<Waiting[]> {
  const waiting: Waiting[] = []
  for (let from = 0; from < orders.length; from += 4) {
    const some = orders.slice(from, from + 4)
    const lines = await Promise.all(
      some.map(({ orderNumber }) => collected(client.listOrderItems({ orderNumber }, { signal: stop }))),
    )
    some.forEach((order, index) => {
      for (const item of lines[index]!.records) {
        if (item.proofStatus === 'PENDING_REVIEW' && !item.cancelled) waiting.push({ order, item })
      }
    })
  }
  return waiting
}

function ofLine(name: string, says: string, examples: string[]): Command {
  return command(name, says, examples)
    .argument('<ORDER>', 'the order number')
    .argument('<ITEM>', 'the number of the line')
}

function lineOf(order: string, item: string) {
  return { orderNumber: numberOf('order', order), itemNumber: numberOf('line', item) }
}

function open(world: World): Command {
  const made = ofLine('open', 'Open the proof of a line in your browser', ['proofs open 10001001 5100247']).option(
    '--no-browser',
    'only print the address',
  )
  return runs<{ browser: boolean }>(made, world, async ({ flags, options }, order, item) => {
    const line = lineOf(order!, item!)
    const { client } = await openSession(world, flags)
    const { terminal, environment, stop } = world
    const proof = await client.getProof(line, { signal: stop })
    if (flags.json) return terminal.json(proof)
    const file = proof.files.find(({ active }) => active)
    const link = file?.link ?? proof.visualUrl
    if (!link) {
      throw new Failure(
        'failed',
        `Line ${line.itemNumber} of order ${line.orderNumber} has no proof to show: it is ${proof.proofStatus ?? 'not begun'}.`,
        'A proof appears when the line has been in proofing; in the sandbox `partner-commerce trigger publish_proof` makes one.',
      )
    }
    terminal.facts([
      ['Proof', orDash(file?.name)],
      ['Status', status(proof.proofStatus)],
      ['Made', when(file?.createdOn)],
    ])
    const isOpen = options.browser && /^https?:/.test(link) && (await openBrowser(link, environment))
    if (!isOpen) terminal.print(link)
    if (proof.proofStatus !== 'PENDING_REVIEW') return
    terminal.say(dim(`Decide: partner-commerce proofs approve ${line.orderNumber} ${line.itemNumber}, or decline.`))
  })
}

function approve(world: World): Command {
  const made = ofLine('approve', 'Approve the proof of a line: it goes to print', [
    'proofs approve 10001001 5100247',
  ]).option('-m, --comment <TEXT>', 'for the people who print it')
  return runs<{ comment?: string }>(made, world, async ({ flags, options }, order, item) => {
    const { client } = await openSession(world, flags)
    const decided = await client.decideProof(
      {
        ...lineOf(order!, item!),
        decision: 'approve',
        ...(options.comment !== undefined && { comment: options.comment }),
      },
      { signal: world.stop },
    )
    if (flags.json) return world.terminal.json(decided)
    world.terminal.print(green('✓ '), decided.already ? 'The proof was approved already.' : 'The proof is approved.')
  })
}

function decline(world: World): Command {
  const made = ofLine('decline', 'Decline the proof of a line, with a reason', [
    'proofs decline 10001001 5100247 --reason COLOR --comment "The blue is too dark."',
  ])
    .option('-r, --reason <CODE>', 'why; without it the reasons of the line are listed')
    .option('-m, --comment <TEXT>', 'what should be different')
  return runs<{ reason?: string; comment?: string }>(made, world, async ({ flags, options }, order, item) => {
    const line = lineOf(order!, item!)
    const { client } = await openSession(world, flags)
    const { terminal, stop } = world
    const { reason, comment } = options
    if (reason === undefined) {
      const { reasons } = await client.listDenialReasons(line, { signal: stop })
      for (const { code, label } of reasons) terminal.say('  ', bold(code), '  ', label)
      throw usage('A decline needs a reason.', 'Name one of those above with --reason.')
    }
    const decided = await client.decideProof(
      { ...line, decision: 'decline', reason, ...(comment !== undefined && { comment }) },
      { signal: stop },
    )
    if (flags.json) return terminal.json(decided)
    terminal.print(green('✓ '), decided.already ? 'The proof was declined already.' : 'The proof is declined.')
    if (!decided.already) terminal.say(dim('Attach a mended file; the next revision of the proof shows it.'))
  })
}
