import type { Caller } from '../contract/caller.ts'
import type { ReadOperation } from './read-operation.ts'

/**
 * Values that an argument of a prompt, or a variable of a resource template, may take: the caller's own records, newest
 * first. Each completion reads one page, so it looks no further back than that.
 */
type Completion = { values: string[]; hasMore: boolean }

/** the protocol's limit */
const valuesMax = 100

const none: Completion = { values: [], hasMore: false }

/**
 * @param typed what the person has typed so far, with which values begin
 * @param given other arguments that are known already
 */
export async function complete(
  argument: string,
  typed: string,
  given: Readonly<Record<string, string>>,
  { caller, read, offers }: { caller: Caller; read: ReadOperation; offers: (tools: readonly string[]) => boolean },
): Promise<Completion> {
  const beginning = (values: readonly unknown[], hasMore: boolean): Completion => ({
    values: values.map(String).filter((value) => value.startsWith(typed)),
    hasMore,
  })
  const page = async (tool: string, plural: string, key: string, path = {}): Promise<Completion> => {
    if (!offers([tool])) return none
    const { body } = await read(tool, { path, query: { limit: valuesMax } })
    const values = body[plural].map((record: Record<string, unknown>) => record[key])
    return beginning(
      values.filter((value: unknown) => value !== null),
      body.nextCursor !== null,
    )
  }
  switch (argument) {
    case 'siteId':
      return beginning(caller.siteIds.slice(0, valuesMax), caller.siteIds.length > valuesMax)
    case 'orderNumber':
      return page('list_orders', 'orders', 'orderNumber')
    case 'itemNumber':
      return given.orderNumber === undefined
        ? none
        : page('list_order_items', 'items', 'itemNumber', { orderNumber: given.orderNumber })
    case 'productId':
      return page('list_products', 'products', 'productId')
    default:
      return none
  }
}
