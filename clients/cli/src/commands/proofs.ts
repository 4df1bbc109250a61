import type { OrderItem, OrderPage, PartnerCommerce, Proof } from '@partner-commerce/client'
import type { Command } from 'commander'
import { command, group, lineOf, ofLine, runs, wholeFrom, type Line } from '../command.ts'
import { openBrowser } from '../credentials/open-browser.ts'
import { Failure, usage } from '../failure.ts'
import { collected } from '../pages.ts'
import { openSession } from '../session.ts'
import { bold, cyan, dim, green, textOf } from '../terminal/pieces.ts'
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

function open(world: World): Command {
  const made = ofLine('open', 'Open the proof of a line in your browser', ['proofs open 10001001 5100247']).option(
    '--no-browser',
    'only print the address',
  )
  return runs<{ browser: boolean }>(made, world, async ({ flags, options }, order, item) => {
    const line = lineOf(order!, item!)
    const { client } = await openSession(world, flags)
    const { terminal, environment, stop } = world
    const { proof, file, revision } = await look(client, line, stop)
    if (flags.json) return terminal.json(proof)
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
      ['Revision', orDash(revision)],
      ['Status', status(proof.proofStatus)],
      ['Made', when(file?.createdOn)],
    ])
    const isOpen = options.browser && /^https?:/.test(link) && (await openBrowser(link, environment))
    if (!isOpen) terminal.print(link)
    if (!isWaiting(proof)) return
    const only = revision === undefined ? '' : ` --revision ${revision}`
    terminal.say(
      dim(`Decide: partner-commerce proofs approve ${line.orderNumber} ${line.itemNumber}${only}, or decline.`),
    )
  })
}

/** A proof as it is now; its revisions are counted from 1, and the file of the last one is active. */
async function look(client: PartnerCommerce, line: Line, signal: AbortSignal) {
  const { data: proof, response } = await client.getProof(line, { signal }).withResponse()
  const index = proof.files.findIndex(({ active }) => active)
  return { proof, etag: response.etag, file: proof.files[index], revision: index < 0 ? undefined : index + 1 }
}

/**
 * Decides the proof that it tells of, and none that comes meanwhile.
 * @param wanted the revision that was looked at; undefined = the one that waits now
 */
async function decide(
  { terminal, stop }: World,
  { client, line, wanted, json }: { client: PartnerCommerce; line: Line; wanted: number | undefined; json: boolean },
  decision: Decision,
) {
  const { proof, etag, file, revision } = await look(client, line, stop)
  if (wanted !== undefined && wanted !== revision) {
    const now =
      revision === undefined ? 'a revision of its proof that is not listed' : `revision ${revision} of its proof`
    throw new Failure(
      'refused',
      `Line ${line.itemNumber} of order ${line.orderNumber} has ${now} now, not revision ${wanted}.`,
      `Look at it first: \`partner-commerce proofs open ${line.orderNumber} ${line.itemNumber}\``,
    )
  }
  if (!json && isWaiting(proof) && file) {
    terminal.say(dim(`This decides ${file.name}, revision ${revision}, made ${textOf(when(file.createdOn))}.`))
  }
  if (isWaiting(proof) && etag === null) {
    throw new Failure(
      'failed',
      'The answer has no ETag, so another proof than this one could be decided.',
      'Something on the way takes it out, such as a proxy.',
    )
  }
  return client.decideProof({ ...line, ...decision, ...(etag !== null && { ifMatch: etag }) }, { signal: stop })
}

type Decision = { comment?: string } & ({ decision: 'approve' } | { decision: 'decline'; reason: string })

function isWaiting({ proofStatus }: Proof): boolean {
  return proofStatus === 'PENDING_REVIEW'
}

const onlyThis = 'only this revision, which `proofs open` showed you'

function approve(world: World): Command {
  const made = ofLine('approve', 'Approve the proof of a line: it goes to print', [
    'proofs approve 10001001 5100247',
    'proofs approve 10001001 5100247 --revision 2',
  ])
    .option('--revision <NUMBER>', onlyThis, wholeFrom(1))
    .option('-m, --comment <TEXT>', 'for the people who print it')
  return runs<{ revision?: number; comment?: string }>(made, world, async ({ flags, options }, order, item) => {
    const line = lineOf(order!, item!)
    const { client } = await openSession(world, flags)
    const { revision, comment } = options
    const decided = await decide(
      world,
      { client, line, wanted: revision, json: flags.json === true },
      { decision: 'approve', ...(comment !== undefined && { comment }) },
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
    .option('--revision <NUMBER>', onlyThis, wholeFrom(1))
    .option('-m, --comment <TEXT>', 'what should be different')
  type Options = { reason?: string; revision?: number; comment?: string }
  return runs<Options>(made, world, async ({ flags, options }, order, item) => {
    const line = lineOf(order!, item!)
    const { client } = await openSession(world, flags)
    const { terminal, stop } = world
    const { reason, revision, comment } = options
    if (reason === undefined) {
      const { reasons } = await client.listDenialReasons(line, { signal: stop })
      for (const { code, label } of reasons) terminal.say('  ', bold(code), '  ', label)
      throw usage('A decline needs a reason.', 'Name one of those above with --reason.')
    }
    const decided = await decide(
      world,
      { client, line, wanted: revision, json: flags.json === true },
      { decision: 'decline', reason, ...(comment !== undefined && { comment }) },
    )
    if (flags.json) return terminal.json(decided)
    terminal.print(green('✓ '), decided.already ? 'The proof was declined already.' : 'The proof is declined.')
    if (!decided.already) terminal.say(dim('Attach a mended file; the next revision of the proof shows it.'))
  })
}
