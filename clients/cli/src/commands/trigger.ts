import { randomUUID } from 'node:crypto'
import type { OrderDetail, OrderItem, PartnerCommerce, Submission, TakeOrderStepBody } from '@partner-commerce/client'
import type { Command } from 'commander'
import { command, runs, wholeFrom } from '../command.ts'
import { Failure, usage } from '../failure.ts'
import { collected } from '../pages.ts'
import { openSession } from '../session.ts'
import { bold, cyan, dim, green } from '../terminal/pieces.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { yesNo } from '../terminal/words.ts'
import type { World } from '../world.ts'
import { notAccepted, rejected } from './orders.ts'

type StepName = TakeOrderStepBody['step']

/** What a scenario does after it has submitted an order. */
type Scenario = {
  says: string
  /** of the only line of the order */
  jobName?: string
  steps: readonly (StepName | 'decline')[]
  /** the submission is to fail */
  fails?: true
}

/** Orders of their own that go some of the way. What each step does, the service says: `trigger list`. */
const scenarios: Readonly<Record<string, Scenario>> = {
  order: { says: 'An order is placed.', steps: [] },
  proof: { says: 'A proof waits for your decision.', steps: ['publish_proof'] },
  'declined-proof': {
    says: 'You decline a proof, and its second revision waits for your decision.',
    steps: ['publish_proof', 'decline', 'reproof'],
  },
  problem: { says: 'A line stops with a problem.', steps: ['report_problem'] },
  hold: { says: 'An order is held.', steps: ['hold_order'] },
  shipment: { says: 'An order ships.', steps: ['ship_all'] },
  'split-shipment': { says: 'An order ships in two parts.', steps: ['ship_part', 'ship_all'] },
  completed: { says: 'An order ships and is completed.', steps: ['ship_all', 'complete'] },
  cancelled: { says: 'An order is cancelled.', steps: ['cancel_order'] },
  rejected: { says: 'An order is not accepted.', steps: [], jobName: 'sandbox:reject', fails: true },
}

type TriggerOptions = {
  order?: number
  item?: number
  site?: number
  product?: string
  quantity?: number
}

export function triggerCommand(world: World): Command {
  const names = Object.keys(scenarios)
  const made = command('trigger', 'Make something happen in the sandbox: a step of an order, or a whole scenario', [
    'trigger list',
    'trigger proof',
    'trigger publish_proof --order 10001001 --item 5100247',
    'trigger split-shipment --site 101 --product SLO_1001',
  ])
    .argument('<NAME>', `a step, or a scenario: ${names.join(', ')}`)
    .option('--order <ORDER>', 'the order that takes the step', wholeFrom(1))
    .option('--item <ITEM>', 'the line that takes the step; not needed if there is only one', wholeFrom(1))
    .option('--site <ID>', 'where a scenario orders', wholeFrom(1))
    .option('--product <ID>', 'what a scenario orders; one that needs no artwork unless told')
    .option('--quantity <COUNT>', 'how many of it', wholeFrom(1))
  made.addCommand(list(world))
  return runs<TriggerOptions>(made, world, async ({ flags, options }, name) => {
    const { client } = await openSession(world, flags, { sandbox: true })
    const scenario = Object.hasOwn(scenarios, name!) ? scenarios[name!] : undefined
    const { terminal, stop } = world
    if (!scenario) {
      const taken = await takeStep(client, name!, options, stop)
      if (flags.json) return terminal.json(taken)
      return terminal.print(green('✓ '), bold(taken.step), `: order ${taken.orderNumber} is ${taken.orderStatus}.`)
    }
    if (options.order !== undefined || options.item !== undefined) {
      throw usage(`The scenario ${name} makes an order of its own.`, 'Leave --order and --item out, or name a step.')
    }
    const done = await play(client, scenario, options, terminal, stop)
    if (flags.json) return terminal.json(done)
    if (done.submission.status === 'failed') {
      return terminal.print(
        green('✓ '),
        `The order ${done.submission.partnerOrderId} was not accepted, as it should be.`,
      )
    }
    terminal.print(green('✓ '), scenario.says, ' Order ', bold(done.order!.orderNumber), ` is ${done.order!.status}.`)
    terminal.say('See it: ', cyan(`partner-commerce orders get ${done.order!.orderNumber}`))
  })
}

function list(world: World): Command {
  const made = command('list', 'List the steps and scenarios', ['trigger list'])
  return runs(made, world, async ({ flags }) => {
    const { client } = await openSession(world, flags, { sandbox: true })
    const { steps } = await client.listScenarios({}, { signal: world.stop })
    const { terminal } = world
    const own = Object.entries(scenarios).map(([scenario, { says }]) => ({ scenario, says }))
    if (flags.json) return terminal.json({ scenarios: own, steps })
    terminal.table<(typeof own)[number]>(
      [
        { title: 'SCENARIO', cell: ({ scenario }) => bold(scenario) },
        { title: 'WHAT HAPPENS', cell: ({ says }) => says, cuts: true },
      ],
      own,
    )
    terminal.print()
    terminal.table<(typeof steps)[number]>(
      [
        { title: 'STEP', cell: ({ step }) => bold(step) },
        { title: 'NEEDS --item', cell: ({ ofLine }) => yesNo(ofLine) },
        { title: 'WHAT HAPPENS', cell: ({ says }) => says, cuts: true },
      ],
      steps,
    )
  })
}

async function takeStep(client: PartnerCommerce, name: string, { order, item }: TriggerOptions, stop: AbortSignal) {
  const { steps } = await client.listScenarios({}, { signal: stop })
  const step = steps.find((each) => each.step === name)
  if (!step) {
    throw usage(
      `There is no step and no scenario "${name}".`,
      `Steps: ${steps.map((each) => each.step).join(', ')}. Scenarios: ${Object.keys(scenarios).join(', ')}.`,
    )
  }
  if (order === undefined) {
    throw usage(
      `The step ${name} needs an order.`,
      `Name it: partner-commerce trigger ${name} --order N${step.ofLine ? ' --item M' : ''}`,
    )
  }
  if (!step.ofLine && item !== undefined) {
    throw usage(`The step ${name} is of the whole order.`, 'Leave --item out.')
  }
  const itemNumber = step.ofLine ? (item ?? (await onlyLine(client, name, order, stop))) : undefined
  return client.takeOrderStep(
    { orderNumber: order, body: { step: step.step as StepName, ...(itemNumber !== undefined && { itemNumber }) } },
    { signal: stop },
  )
}

async function onlyLine(
  client: PartnerCommerce,
  step: string,
  orderNumber: number,
  stop: AbortSignal,
): Promise<number> {
  const numbers = (await itemsOf(client, orderNumber, stop)).flatMap(({ itemNumber }) => itemNumber ?? [])
  if (numbers.length === 1) return numbers[0]!
  throw usage(`The step ${step} needs a line.`, `Name one with --item: ${numbers.join(', ')}.`)
}

type Played = { submission: Submission; order: OrderDetail | null; items: OrderItem[] }

async function play(
  client: PartnerCommerce,
  { steps, jobName, fails }: Scenario,
  options: TriggerOptions,
  terminal: Terminal,
  stop: AbortSignal,
): Promise<Played> {
  const call = { signal: stop }
  terminal.progress('Looking for a product …')
  const wish = await whatToOrder(client, options, stop)
  terminal.progress('Submitting the order …')
  const submission = await client
    .submitAndWait(
      {
        siteId: wish.siteId,
        partnerOrderId: `trigger-${randomUUID()}`,
        shipTo: recipient,
        lines: [
          { productId: wish.productId, partnerLineId: 'line-1', quantity: wish.quantity, ...(jobName && { jobName }) },
        ],
      },
      call,
    )
    .catch(rejected)
  terminal.progress(undefined)
  if (!submission.order) {
    if (fails) return { submission, order: null, items: [] }
    for (const { code, detail } of submission.errors ?? []) terminal.say('  ', detail, dim(`  ${code}`))
    throw notAccepted(submission)
  }
  const { orderNumber } = submission.order
  terminal.say(dim(`Order ${orderNumber} is placed.`))
  const items = await itemsOf(client, orderNumber, stop)
  const ofLine = new Set(
    (await client.listScenarios({}, call)).steps.filter((each) => each.ofLine).map(({ step }) => step),
  )
  for (const step of steps) {
    const itemNumber = items[0]!.itemNumber!
    terminal.progress(`${step} …`)
    if (step === 'decline') await declineWithAnyReason(client, { orderNumber, itemNumber }, stop)
    else await client.takeOrderStep({ orderNumber, body: { step, ...(ofLine.has(step) && { itemNumber }) } }, call)
    terminal.progress(undefined)
    terminal.say(dim(`${step}: done.`))
  }
  const order = await client.getOrder({ orderNumber }, call)
  return { submission, order, items: await itemsOf(client, orderNumber, stop) }
}

/** A made-up person at a real address, as the orders of the guides have it. */
const recipient = {
  name: 'Dana Reyes',
  address1: '500 Howard St',
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94105',
  country: 'US',
}

const usualQuantity = 250

/** A product that can be ordered without more, and how many of it. */
async function whatToOrder(
  client: PartnerCommerce,
  { site, product, quantity }: TriggerOptions,
  stop: AbortSignal,
): Promise<{ siteId: number; productId: string; quantity: number }> {
  const call = { signal: stop }
  if (product !== undefined) {
    const { siteId, productId, minQuantity } = await client.getProduct({ productId: product }, call)
    return { siteId: site ?? siteId, productId, quantity: quantity ?? Math.max(1, minQuantity ?? 1) }
  }
  const siteId = site ?? (await siteThatOrders(client, stop))
  for await (const each of client.listProducts({ siteId, serviceType: 'POD' }, call)) {
    if (!each.active || each.visibility !== 'PUBLIC' || !['UPLOAD', 'ON_FILE', 'NONE'].includes(each.artworkSource))
      continue
    const count = quantity ?? Math.min(Math.max(usualQuantity, each.minQuantity ?? 1), each.maxQuantity ?? Infinity)
    if (await canBePriced(client, each.productId, count, stop))
      return { siteId, productId: each.productId, quantity: count }
  }
  throw new Failure(
    'failed',
    `Site ${siteId} has no print-on-demand product that can be ordered without more.`,
    'Name a product with --product, and --quantity if it needs one.',
  )
}

async function siteThatOrders(client: PartnerCommerce, stop: AbortSignal): Promise<number> {
  for await (const { siteId, active, orderingProvisioned } of client.listSites({}, { signal: stop })) {
    if (active && orderingProvisioned) return siteId
  }
  throw new Failure('failed', 'Orders cannot be placed on any site of yours.', '`partner-commerce doctor` says why.')
}

async function canBePriced(
  client: PartnerCommerce,
  productId: string,
  quantity: number,
  stop: AbortSignal,
): Promise<boolean> {
  try {
    return (await client.quoteProduct({ productId, body: { quantity } }, { signal: stop })).lineTotal !== null
  } catch (error) {
    if (error instanceof Object && 'status' in error && (error.status === 404 || error.status === 422)) return false
    throw error
  }
}

async function itemsOf(client: PartnerCommerce, orderNumber: number, stop: AbortSignal): Promise<OrderItem[]> {
  return (await collected(client.listOrderItems({ orderNumber }, { signal: stop }))).records
}

async function declineWithAnyReason(
  client: PartnerCommerce,
  line: { orderNumber: number; itemNumber: number },
  stop: AbortSignal,
): Promise<void> {
  const { reasons } = await client.listDenialReasons(line, { signal: stop })
  await client.declineProof({ ...line, body: { reason: reasons[0]!.code } }, { signal: stop })
}
