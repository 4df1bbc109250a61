import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import type { ProblemCode } from '../contract/problems.ts'
import { Refusal } from '../contract/refusal.ts'
import { asRefusal, traceIdOf } from '../http/answering/as-refusal.ts'
import { problemDocument, type Problem } from '../http/answering/problem.ts'
import type { RawCall } from '../gateway/perform.ts'
import type { CallerRequest } from '../gateway/host.ts'
import type { Spending } from '../gateway/throttle/throttle.ts'
import { JsonText } from '../vocabulary/json-text.ts'
import type { ToolInput } from './tool-input.ts'
import type { McpTool } from './tools.ts'

/** The caller of a tool, and the HTTP request it calls in. */
export type ToolCaller = Pick<RawCall, 'caller' | 'now' | 'requestId' | 'traceContext' | 'inTime'> & {
  /** spends one request of the caller's limits (LIM-07) */
  spend: () => Promise<Spending>
  called: CallerRequest['toolCalled']
}

type Performed<Settled> =
  | { body: unknown; headers: Headers; picture: Picture | undefined }
  | { problem: Problem; headers: Headers }
  | { settled: Settled }
type Headers = Readonly<Record<string, string>>
type Picture = { mediaType: string; bytes: Buffer }

/** What is answered instead of a call; or with which `If-Match` the call is made. */
export type Settlement<Answer> = { answer: Answer } | { ifMatch: string | undefined }

/**
 * Performs one tool call: the same handler, the same checks and the same refusals as over HTTP. It never rejects: a
 * refusal or failure is a result with `isError` and the problem document, which a model can read and act on.
 */
export async function callTool<Settled = never>(
  tool: McpTool,
  args: Readonly<Record<string, unknown>>,
  by: ToolCaller,
  log: Logger,
  settle?: () => Promise<Settlement<Settled>>,
): Promise<CallToolResult | Settled> {
  const done = await performTool(tool, tool.readInput(args), by, log, { pictured: true, siteId: args.siteId, settle })
  if ('settled' in done) return done.settled
  if ('problem' in done) return { ...resultOf(done.problem, done.headers), isError: true }
  const result = resultOf(done.body, done.headers)
  const { picture } = done
  if (picture) {
    result.content.push({ type: 'image', mimeType: picture.mediaType, data: picture.bytes.toString('base64') })
  }
  return result
}

/**
 * Spends one request, performs the operation of a tool, and tells the log. It never rejects.
 * @param more `pictured`: the picture is loaded too; `siteId`: the argument, for the log; `settle`: where it has
 *   an answer, that is answered instead, and no call is told
 */
export async function performTool<Settled = never>(
  tool: McpTool,
  input: ToolInput,
  { spend, called, ...who }: ToolCaller,
  log: Logger,
  more: { pictured?: boolean; siteId?: unknown; settle?: (() => Promise<Settlement<Settled>>) | undefined } = {},
): Promise<Performed<Settled>> {
  const startedAt = performance.now()
  const { entry } = tool
  let isCalled = true
  let code: ProblemCode | undefined
  let status = 500
  try {
    const spending = await spend()
    if (!spending.allowed) {
      throw new Refusal('rate_limit_exceeded', undefined, { 'retry-after': String(spending.retryAfterSeconds) })
    }
    const settlement = (await more.settle?.()) ?? { ifMatch: undefined }
    if ('answer' in settlement) {
      isCalled = false
      return { settled: settlement.answer }
    }
    const { ifMatch } = settlement
    const { body, headers = {}, picture, ...answered } = await tool.perform({ ...who, ...input, ifMatch })
    status = answered.status
    const shown = more.pictured && picture ? await who.inTime(picture()) : undefined
    return { body: body instanceof JsonText ? body.toJSON() : body, headers, picture: shown }
  } catch (error) {
    const refusal = asRefusal(error, who, entry.id, log)
    code = refusal.code
    const problem = problemDocument(code, who.requestId, refusal.detail, refusal.errors)
    status = problem.status
    return { problem: inWordsOf(tool, problem), headers: refusal.headers ?? {} }
  } finally {
    if (isCalled) {
      const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10
      const { requestId, caller } = who
      const traceId = traceIdOf(who)
      called({ operation: entry.id, status, code, milliseconds, siteId: more.siteId })
      log.info(
        { requestId, traceId, operation: entry.id, code, partnerId: caller.partnerId, milliseconds },
        'tool called',
      )
    }
  }
}

/** The problem in words of the tool, every fault of it. */
function inWordsOf({ inItsWords }: McpTool, problem: Problem): Problem {
  const errors = problem.errors?.map((fault) => ({ ...fault, detail: inItsWords(fault.detail) }))
  return { ...problem, detail: inItsWords(problem.detail), ...(errors && { errors }) }
}

/** The body as structured content and, for clients that show only text, as text; then when to retry. */
function resultOf(body: unknown, headers: Headers): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text: JSON.stringify(body) }]
  const wait = retryAfterOf(headers)
  if (wait !== undefined) content.push({ type: 'text', text: `Retry-After: ${wait} seconds` })
  return { content, structuredContent: body as Record<string, unknown> }
}

/** in seconds */
export function retryAfterOf(headers: Headers): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
}
