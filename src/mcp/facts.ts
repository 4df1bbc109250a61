import { Refusal } from '../contract/refusal.ts'
import type { RawCall } from '../gateway/perform.ts'
import { entityTag, recordOf, revisionOf } from '../http/answering/entity-tags.ts'
import { isJsonObject, type JsonObject } from '../vocabulary/json.ts'
import type { McpTool, McpTools } from './tools.ts'

/**
 * What a person is told before they confirm the call of a tool: what happens, to which record, what it costs and what
 * cannot be undone. A few lines of plain text. Names and notes in it come from records and from the agent, so each
 * stays on its line and is cut when it is long.
 */
type Who = Omit<RawCall, 'path' | 'query' | 'body' | 'ifMatch'>

/** undefined = the caller has no scope for it, so the person decides without it */
type Read = (tool: string, args: JsonObject) => Promise<any> // eslint-disable-line typescript/no-explicit-any

export type Facts = {
  says: string
  /** the ETag of the record that they tell of, for `If-Match`; undefined where the call revises none, or it cannot be read */
  etag: string | undefined
}

/** @throws Refusal where the record is not there, or the call is refused anyway */
export async function factsOf(tool: McpTool, args: JsonObject, who: Who, tools: McpTools): Promise<Facts> {
  let etag: string | undefined
  const read: Read = async (name, inputs) => {
    const reader = tools.byName(name)
    if (!reader) return undefined
    const input = reader.readInput(inputs)
    try {
      const { body, links } = await reader.perform({ ...who, ...input })
      if (reader.entry.id === tool.entry.revises && input.query === '') {
        // Links are signed anew while the person thinks about it.
        etag = entityTag(recordOf(revisionOf(JSON.stringify(body), links)), undefined)
      }
      return body
    } catch (error) {
      if (error instanceof Refusal && error.code === 'insufficient_scope') return undefined
      throw error
    }
  }
  const tell = tellers[tool.entry.id]
  const says = await (tell ? tell(args, read) : changeFacts(tool, args, read, tools))
  return { says, etag }
}

const tellers: Readonly<Record<string, (args: JsonObject, read: Read) => Promise<string>>> = {
  submitOrder: orderFacts,
  approveProof: approvalFacts,
}

const linesShown = 10

async function orderFacts(args: JsonObject, read: Read): Promise<string> {
  const { partnerOrderId: _key, ...body } = args
  const lines = args.lines as JsonObject[]
  const more = lines.length - linesShown
  return text([
    `Place this order on site ${shown(args.siteId)} as ${shown(args.partnerOrderId)}?`,
    ...lines.slice(0, linesShown).map((line) => `- ${shown(line.quantity)} × ${nameOf(line)}`),
    ...(more > 0 ? [`- and ${more} more lines`] : []),
    placeOf(args.shipTo ?? lines[0]?.shipTo, lines.some((line) => line.shipTo !== undefined) && lines.length > 1),
    await totalOf(body, read),
    'If it is accepted, it is produced and charged.',
  ])
}

/** An order that has no price now is asked about all the same: whether it is accepted, only placing it can tell. */
async function totalOf(body: JsonObject, read: Read): Promise<string> {
  try {
    const quote = await read('quote_order', body)
    return quote ? `Total: ${quote.totalPrice} ${quote.currency}` : 'What it costs is known once it is placed.'
  } catch (error) {
    if (error instanceof Refusal && error.code === 'quote_invalid')
      return `It has no price now: ${shown(error.message)}`
    throw error
  }
}

async function approvalFacts({ orderNumber, itemNumber }: JsonObject, read: Read): Promise<string> {
  const of = { orderNumber, itemNumber }
  const proof = await read('get_proof', of)
  if (proof && proof.proofStatus !== 'PENDING_REVIEW') throw new Refusal('proof_not_pending_review')
  const [order, page] = await Promise.all([
    read('get_order', { orderNumber }),
    read('list_order_items', { orderNumber, limit: linesRead }),
  ])
  const line = page?.items.find((each: JsonObject) => each.itemNumber === Number(itemNumber))
  const current = proof?.files.find((file: JsonObject) => file.active)
  return text([
    `Approve the proof of line ${shown(itemNumber)} of order ${shown(orderNumber)}?`,
    ...(line ? [`- ${line.quantity} × ${nameOf({ ...line, productId: line.productName })}`] : []),
    ...(current ? [`The proof is ${shown(current.name)} of ${shown(current.createdOn)}.`] : []),
    ...(line?.lineTotal ? [`The line costs ${line.lineTotal} ${order.currency}, without delivery and tax.`] : []),
    'It is produced and charged as the proof shows it. This cannot be undone.',
  ])
}

/** An order has seldom more. A line beyond them is told by its number alone. */
const linesRead = 25

/** What a change overwrites, where the record can be read. */
async function changeFacts(tool: McpTool, args: JsonObject, read: Read, tools: McpTools): Promise<string> {
  const { entry, published, readInput } = tool
  const { path } = readInput(args)
  const changed = Object.entries(args).filter(([name]) => !(name in path))
  const reader = entry.revises === undefined ? undefined : tools.byOperation(entry.revises)
  const names = Object.keys((reader?.published.inputSchema.properties as JsonObject | undefined) ?? {})
  const asked = Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)))
  const record = reader && (await read(reader.published.name, asked))
  // The record of a part of it, such as a variant of a product, has fields of its own.
  const isWhole = Object.keys(path).length === Object.keys(asked).length
  const before = (name: string): string =>
    isWhole && isJsonObject(record) && name in record ? `${shown(record[name])} → ` : ''
  return text([
    `${published.name}: ${entry.says}`,
    ...Object.entries(path).map(([name, value]) => `${name} ${shown(value)}`),
    ...changed.slice(0, linesShown).map(([name, value]) => `- ${name}: ${before(name)}${shown(value)}`),
    ...(changed.length > linesShown ? [`- and ${changed.length - linesShown} more`] : []),
    'What is there now is overwritten.',
  ])
}

function nameOf({ productId, jobName }: JsonObject): string {
  return typeof jobName === 'string' ? `${shown(productId)}, ${shown(jobName)}` : shown(productId)
}

function placeOf(place: unknown, isFirst: boolean): string {
  if (!isJsonObject(place)) return 'No address.'
  const { name, address1, city, state, postalCode, country } = place
  const parts = [name, address1, city, state, postalCode, country].filter((part) => part !== undefined)
  return `To ${parts.map(shown).join(', ')}${isFirst ? ', and as its other lines say' : ''}`
}

const shownMax = 120

/** A value on one line. */
function shown(value: unknown): string {
  const told = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  // eslint-disable-next-line no-control-regex
  const line = told.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
  return line.length > shownMax ? `${line.slice(0, shownMax)}…` : line
}

function text(lines: readonly string[]): string {
  return lines.join('\n')
}
