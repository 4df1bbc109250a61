import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Caller } from '../contract/caller.ts'
import { toolPage } from '../publish/mcp.ts'
import type { McpAddress } from './address.ts'
import type { ReadOperation } from './read-operation.ts'
import type { McpTools } from './tools.ts'

/**
 * Prompts: tasks that a person starts by name. Each begins with what the service knows at that moment, and says step by
 * step which tools lead to the end, and where the person decides.
 */
export type Prompt = {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
}

export type PromptMessage = {
  role: 'user'
  content:
    | { type: 'text'; text: string }
    | { type: 'resource'; resource: { uri: string; mimeType: string; text: string } }
}

type Told = Prompt & {
  /** the tools that the task takes; a caller who lacks one is not offered the prompt */
  needs: readonly string[]
  begin: (args: Readonly<Record<string, string>>, read: ReadOperation) => Promise<PromptMessage[]>
}

const orderNumber = { name: 'orderNumber', description: 'the number of the order', required: true }

const prompts: readonly Told[] = [
  {
    name: 'reorder',
    title: 'Order again',
    description: 'Orders again what an earlier order had, after telling what has changed: prices and availability.',
    arguments: [
      orderNumber,
      { name: 'changes', description: 'what should be different this time, in your words', required: false },
    ],
    needs: ['get_order', 'list_order_items', 'get_product', 'quote_order', 'submit_order'],
    begin: async ({ orderNumber: number = '', changes }, read) => [
      text(`
I want to order again what order ${number} had.${changes === undefined ? '' : ` What should be different: ${changes}`}
The order and its lines follow. Cancelled lines are not ordered again.

1. Call get_product for every line. Say so if a product is no longer active or its quantity limits do not allow the
   quantity. A STOCK product needs a variantId: choose the variant with the line's sku and attributes. Say so if it is
   gone, inactive, or has less in stock than is needed.
2. Print files and values of a template do not come along: ask me for them where a line needs some.
3. Call quote_order with what submit_order would get: the order's siteId and shipTo, and the lines. It answers what the whole
   order costs now with shipping and tax, or every problem at once. Compare prices with those of the order.
4. Tell me line by line what changed, and what it costs now. Ask whether to order, and where to ship to if I want
   another address than the order's.
5. Only when I say yes, call submit_order once, with what was quoted and a new partnerOrderId. Then tell me the number of the
   new order.
`),
      await resource(read, 'get_order', { orderNumber: number }, `orders/${number}`),
      await resource(read, 'list_order_items', { orderNumber: number }, `orders/${number}/items`),
    ],
  },
  {
    name: 'check_proofs',
    title: 'Check proofs',
    description: 'Goes through the proofs that wait for you: shows each picture, and approves or declines as you say.',
    arguments: [{ name: 'siteId', description: 'only orders on this site', required: false }],
    needs: ['list_orders', 'list_order_items', 'get_proof', 'list_denial_reasons', 'approve_proof', 'decline_proof'],
    begin: async ({ siteId }, read) => {
      const { body } = await read('list_orders', { query: { awaitingProof: 'true', limit: toolPage.max, siteId } })
      return [
        text(`
Which proofs wait for my decision? The orders that wait for someone follow, newest first. If nextCursor is not null, there
are more: call list_orders with awaitingProof true.

1. Call list_order_items for each order. Only lines with the proofStatus PENDING_REVIEW wait for me; DECLINED waits for a
   new proof.
2. Call get_proof for each of these lines and look at the picture. Describe what you see: names, dates, numbers and
   addresses letter by letter, and anything that looks wrong. Do not judge colours from a screen.
3. Ask me for my word on each proof. Never decide yourself.
4. On my yes call approve_proof: the line is produced and charged, which cannot be undone. On my no call
   list_denial_reasons, let me choose one of the offered reasons, and call decline_proof with its code and my comment.
5. At the end list what was approved, what was declined, and what still waits.
`),
        text(JSON.stringify(body)),
      ]
    },
  },
  {
    name: 'order_status',
    title: 'Status of an order',
    description:
      'Tells where an order stands: what is done, what it waits for, when it ships and where its parcels are.',
    arguments: [orderNumber],
    needs: ['get_order', 'list_order_items', 'list_shipments'],
    begin: async ({ orderNumber: number = '' }, read) => [
      text(`
Where does order ${number} stand? The order, its lines and its shipments follow.

Tell me in a few sentences: its status; for each line where it is in production; what it waits for, above all a proof that
waits for my decision (proofStatus PENDING_REVIEW) or a line with a problem; when it ships (estimates may move, say so);
and for every package that is under way the carrier and the tracking number with its link.
`),
      await resource(read, 'get_order', { orderNumber: number }, `orders/${number}`),
      await resource(read, 'list_order_items', { orderNumber: number }, `orders/${number}/items`),
      await resource(read, 'list_shipments', { orderNumber: number }, `orders/${number}/shipments`),
    ],
  },
]

/** The prompts whose every step the caller may take at this address. */
export function promptsFor(tools: McpTools, caller: Caller, address: McpAddress): Prompt[] {
  return offeredTo(tools, caller, address).map(({ needs: _needs, begin: _begin, ...prompt }) => prompt)
}

function offeredTo(tools: McpTools, caller: Caller, address: McpAddress): Told[] {
  return prompts.filter(({ needs }) => tools.offers(needs, caller, address))
}

/** @throws ProtocolError for a prompt that is not offered, and for wrong arguments */
export async function beginPrompt(
  name: string,
  args: Readonly<Record<string, string>>,
  offered: readonly Prompt[],
  read: ReadOperation,
): Promise<{ description: string; messages: PromptMessage[] }> {
  const prompt = offered.some((each) => each.name === name) && prompts.find((each) => each.name === name)
  if (!prompt) throw wrong(`Unknown prompt: ${name.slice(0, 100)}`)
  const names = prompt.arguments.map((argument) => argument.name)
  const unknown = Object.keys(args).find((each) => !names.includes(each))
  if (unknown !== undefined) {
    throw wrong(
      `The argument ${JSON.stringify(unknown.slice(0, 100))} is not accepted here. Accepted: ${names.join(', ')}.`,
    )
  }
  for (const argument of prompt.arguments) {
    const value = args[argument.name]
    if (argument.required && value === undefined) throw wrong(`The argument ${argument.name} is required.`)
    if (value !== undefined && value.length > argumentLengthMax) {
      throw wrong(`The argument ${argument.name} must have at most ${argumentLengthMax} characters.`)
    }
  }
  return { description: prompt.description, messages: await prompt.begin(args, read) }
}

const argumentLengthMax = 2000

function wrong(says: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, says)
}

function text(said: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text: said.trim() } }
}

/** What the operation answers, as the resource that it also is. */
async function resource(
  read: ReadOperation,
  tool: string,
  path: Readonly<Record<string, string>>,
  at: string,
): Promise<PromptMessage> {
  const { body } = await read(tool, { path, query: tool.startsWith('list_') ? { limit: toolPage.max } : {} })
  return {
    role: 'user',
    content: {
      type: 'resource',
      resource: { uri: `partner-commerce://${at}`, mimeType: 'application/json', text: JSON.stringify(body) },
    },
  }
}
