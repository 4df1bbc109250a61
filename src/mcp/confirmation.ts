import { createHash } from 'node:crypto'
import {
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type CallToolResult,
  type InputRequiredResult,
  type RequestStateCodec,
} from '@modelcontextprotocol/server'
import { isJsonObject, type JsonObject } from '../vocabulary/json.ts'
import type { Settlement, ToolCaller } from './call-tool.ts'
import { factsOf } from './facts.ts'
import type { McpTool, McpTools } from './tools.ts'
import { type KeyRing, ofEach } from '../vocabulary/keys.ts'

/**
 * A person confirms what costs money or overwrites data, where their client can ask them. Nothing is kept between the
 * question and the answer: the question carries a signed state, which says what was asked of whom. The call is made only
 * if it is still the same call and the facts are still those that the person saw; otherwise they are asked again. A record
 * that changes at the very last is not touched: the call has the ETag of the one that the facts told of.
 */
export type Confirmations = {
  /** for the option of the protocol's library that checks what a client sends back */
  verify: RequestStateCodec<State>['verify']
  /**
   * what is answered instead of the call; or, when the person has confirmed, the ETag of the record as they were told of it
   * @throws Refusal that the call itself would get, before anybody is asked
   */
  settle: (
    tool: McpTool,
    args: JsonObject,
    by: ToolCaller,
    said: { responses: Record<string, unknown> | undefined; state: State | undefined },
  ) => Promise<Settlement<CallToolResult | InputRequiredResult>>
}

/** what the person was asked, as a digest */
type State = { asked: string }

/** How long a person may think about it. */
const ttlSeconds = 3600

const question = 'confirmation'
const field = 'goAhead'

/** @param keys `keyRing(masterKeys, environment, 'confirmation')` */
export function confirmations(keys: KeyRing, tools: McpTools): Confirmations {
  const [codec, ...olderCodecs] = ofEach(keys, (key) => createRequestStateCodec<State>({ key, ttlSeconds }))

  return {
    verify: async (state, ctx) => {
      for (const older of olderCodecs) {
        try {
          return await older.verify(state, ctx)
        } catch {
          // It is another key's.
        }
      }
      return codec.verify(state, ctx)
    },
    settle: async (tool, args, by, { responses, state }) => {
      const answer = inputResponse(responses, question)
      if (answer.kind === 'elicit' && !(answer.action === 'accept' && answer.content?.[field] === true)) {
        return { answer: unchanged(answer.action === 'cancel' ? 'closed the question without an answer' : 'declined') }
      }
      const { spend: _spend, called: _called, ...who } = by
      await tool.check({ ...who, ...tool.readInput(args) })
      const { says: message, etag } = await factsOf(tool, args, who, tools)
      const asked = digest(tool, args, by, { message, etag })
      if (answer.kind === 'elicit' && state?.asked === asked) return { ifMatch: etag }
      const asks = inputRequired({
        inputRequests: {
          [question]: inputRequired.elicit({
            message,
            requestedSchema: {
              type: 'object',
              properties: { [field]: { type: 'boolean', title: 'Go ahead', description: 'No changes nothing.' } },
              required: [field],
            },
          }),
        },
        requestState: await codec.mint({ asked }),
      })
      return { answer: asks }
    },
  }
}

/** Whether a client of the current revision can ask its person by a form; a bare declaration means that it can. */
export function canAsk(capabilities: unknown): boolean {
  if (!isJsonObject(capabilities) || !isJsonObject(capabilities.elicitation)) return false
  const modes = Object.keys(capabilities.elicitation)
  return modes.length === 0 || modes.includes('form')
}

function unchanged(what: string): CallToolResult {
  return { content: [{ type: 'text', text: `Nothing was changed: the person ${what}.` }], isError: true }
}

/** With the record itself: what the facts tell of it may be the same of another one. */
function digest(
  tool: McpTool,
  args: JsonObject,
  { caller }: ToolCaller,
  { message, etag }: { message: string; etag: string | undefined },
): string {
  const { partnerId, clientId, certificate, user } = caller
  const who = [partnerId, clientId, certificate?.serialNumber ?? null, user?.userName ?? null]
  return createHash('sha256')
    .update(JSON.stringify([who, tool.published.name, sorted(args), message, etag ?? null]))
    .digest('base64url')
}

/** The same value with the keys of every object in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)])
}
