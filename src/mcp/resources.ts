import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { Caller } from '../contract/caller.ts'
import { toolPage } from '../publish/mcp.ts'
import { isJsonObject } from '../vocabulary/json.ts'
import type { McpAddress } from './address.ts'
import { ReadRefused, type ReadOperation } from './read-operation.ts'
import type { McpTools } from './tools.ts'

/**
 * Orders, products and proofs as resources: what a person can put before an agent without a tool call. Each is what one
 * operation answers, and is read through it. Nothing here is kept or watched.
 */
export type ResourceTemplate = {
  uriTemplate: string
  name: string
  title: string
  description: string
  mimeType: 'application/json' | 'image/png'
}

export type Resource = { uri: string; name: string; title: string; description: string; mimeType: string }

export type ResourceContents =
  | { uri: string; mimeType: string; text: string }
  | { uri: string; mimeType: string; blob: string }

const scheme = 'partner-commerce://'
const json = 'application/json'

/** In the order in which they are listed. `tool` is the read that a resource is. */
const templates = [
  {
    tool: 'get_order',
    uriTemplate: `${scheme}orders/{orderNumber}`,
    name: 'order',
    title: 'Order',
    description: 'One order, as get_order answers it.',
    mimeType: json,
  },
  {
    tool: 'list_order_items',
    uriTemplate: `${scheme}orders/{orderNumber}/items`,
    name: 'order_items',
    title: 'Lines of an order',
    description: `The first ${toolPage.max} lines of an order, as list_order_items answers them.`,
    mimeType: json,
  },
  {
    tool: 'list_shipments',
    uriTemplate: `${scheme}orders/{orderNumber}/shipments`,
    name: 'order_shipments',
    title: 'Shipments of an order',
    description: `The first ${toolPage.max} shipments of an order with their tracking numbers, as list_shipments answers them.`,
    mimeType: json,
  },
  {
    tool: 'get_proof',
    uriTemplate: `${scheme}orders/{orderNumber}/items/{itemNumber}/proof`,
    name: 'proof',
    title: 'Proof of a line',
    description: 'The proof of a line: its status and files, as get_proof answers it.',
    mimeType: json,
  },
  {
    tool: 'get_proof',
    uriTemplate: `${scheme}orders/{orderNumber}/items/{itemNumber}/proof/picture`,
    name: 'proof_picture',
    title: 'Picture of a proof',
    description: 'The rendered preview of the current proof of a line, to look at.',
    mimeType: 'image/png',
  },
  {
    tool: 'get_product',
    uriTemplate: `${scheme}products/{productId}`,
    name: 'product',
    title: 'Product',
    description: 'One product with its variants, as get_product answers it.',
    mimeType: json,
  },
] as const satisfies readonly (ResourceTemplate & { tool: string })[]

const forms = templates.map((template) => ({
  ...template,
  form: new RegExp(`^${template.uriTemplate.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?#]+)')}$`),
}))

/** The templates whose operation the caller may call at this address. */
export function templatesFor(tools: McpTools, caller: Caller, address: McpAddress): ResourceTemplate[] {
  return templates
    .filter(({ tool }) => tools.offers([tool], caller, address))
    .map(({ tool: _tool, ...template }) => template)
}

/** @returns the names in the braces of a template; undefined = there is no such template here */
export function variablesOf(uriTemplate: string, offered: readonly ResourceTemplate[]): string[] | undefined {
  const template = offered.find((each) => each.uriTemplate === uriTemplate)
  return template && [...template.uriTemplate.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
}

/**
 * One resource. What the operation does not find, or cannot be meant by any id, is no resource: a foreign record as well
 * as a missing one.
 * @throws ProtocolError
 */
export async function readResource(
  uri: string,
  isAtAddress: (tool: string) => boolean,
  read: ReadOperation,
): Promise<ResourceContents> {
  const found = forms.map((template) => ({ template, match: template.form.exec(uri) })).find(({ match }) => match)
  const path = found && decoded(found.match!.groups!)
  if (!path || !isAtAddress(found.template.tool)) throw noSuch(uri)
  const { tool, mimeType } = found.template
  const query: { limit?: number } = tool.startsWith('list_') ? { limit: toolPage.max } : {}
  try {
    const { body, picture } = await read(tool, { path, query }, { pictured: mimeType !== json })
    if (mimeType === json) return { uri, mimeType, text: JSON.stringify(body) }
    if (!picture) throw noSuch(uri, 'There is no picture of this proof now.')
    return { uri, mimeType: picture.mediaType, blob: picture.bytes.toString('base64') }
  } catch (error) {
    if (error instanceof ReadRefused && [400, 404].includes(error.problem.status)) {
      throw noSuch(uri, error.problem.detail)
    }
    throw error
  }
}

function noSuch(uri: string, says = 'There is no such resource.'): ResourceNotFoundError {
  return new ResourceNotFoundError(uri, says)
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch {
    return undefined
  }
}

/**
 * The list of resources: the newest orders, then the first products. It is for choosing among what is near at hand;
 * everything else is found by the tools and read by the templates. So each part ends after a few pages.
 */
const listed = [
  { of: 'orders', needs: ['list_orders', 'get_order'], pagesMax: 4, entry: orderEntry },
  { of: 'products', needs: ['list_products', 'get_product'], pagesMax: 8, entry: productEntry },
] as const

/** Where a page of the list begins: in which part, at which of its pages, and the cursor of its operation. */
type Place = { part: number; page: number; cursor?: string }

/** @throws ProtocolError for a cursor that this list did not give */
export async function listResources(
  cursor: string | undefined,
  offers: (tools: readonly string[]) => boolean,
  read: ReadOperation,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const nextPart = (after: number): number => listed.findIndex(({ needs }, part) => part > after && offers(needs))
  const place = cursor === undefined ? { part: nextPart(-1), page: 1 } : readCursor(cursor)
  const part = listed[place.part]
  if (!part) return { resources: [] }
  if (!offers(part.needs)) throw wrongCursor()
  const { body } = await read(part.needs[0], { query: { limit: toolPage.max, cursor: place.cursor } })
  const following = nextPart(place.part)
  const next: Place | undefined =
    body.nextCursor !== null && place.page < part.pagesMax
      ? { part: place.part, page: place.page + 1, cursor: body.nextCursor as string }
      : following === -1
        ? undefined
        : { part: following, page: 1 }
  return { resources: body[part.of].map(part.entry), ...(next && { nextCursor: writtenCursor(next) }) }
}

function writtenCursor(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

function readCursor(text: string): Place {
  let place: unknown
  try {
    place = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw wrongCursor()
  }
  if (!isJsonObject(place)) throw wrongCursor()
  const { part, page, cursor } = place
  const isPlace =
    Number.isSafeInteger(part) &&
    listed[part as number] !== undefined &&
    Number.isSafeInteger(page) &&
    (page as number) >= 1 &&
    (page as number) <= listed[part as number]!.pagesMax &&
    (cursor === undefined || typeof cursor === 'string')
  if (!isPlace) throw wrongCursor()
  return place as Place
}

function wrongCursor(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor must be the nextCursor of a page of this list.')
}

type Order = {
  orderNumber: number
  status: string
  placedOn: string
  itemCount: number
  totalPrice: unknown
  currency: string
}

function orderEntry(order: Order): Resource {
  const { orderNumber, status, placedOn, itemCount, totalPrice, currency } = order
  const price = typeof totalPrice === 'string' ? `, ${totalPrice} ${currency}` : ''
  return {
    uri: `${scheme}orders/${orderNumber}`,
    name: `order ${orderNumber}`,
    title: `Order ${orderNumber}`,
    description: `${status}, placed on ${placedOn.slice(0, 10)}, ${itemCount} ${itemCount === 1 ? 'line' : 'lines'}${price}`,
    mimeType: json,
  }
}

type Product = { productId: string; name: string; code: string; serviceType: string; active: boolean }

function productEntry({ productId, name, code, serviceType, active }: Product): Resource {
  return {
    uri: `${scheme}products/${productId}`,
    name: `product ${productId}`,
    title: name,
    description: `${code}, ${serviceType}${active ? '' : ', not active'}`,
    mimeType: json,
  }
}
