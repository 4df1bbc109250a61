import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import type { ProblemCode } from '../contract/problems.ts'
import { Refusal } from '../contract/refusal.ts'
import { asRefusal } from '../http/answering/as-refusal.ts'
import { problemDocument, type Problem } from '../http/answering/problem.ts'
import type { RawCall } from '../gateway/perform.ts'
import type { CallerRequest } from '../gateway/host.ts'
import type { Spending } from '../gateway/throttle/throttle.ts'
import type { McpTool } from './tools.ts'

/** The caller of a tool, and the HTTP request it calls in. */
export type ToolCaller = Pick<RawCall, 'caller' | 'now' | 'requestId' | 'inTime'> & {
  /** spends one request of the caller's limits (LIM-07) */
  spend: () => Promise<Spending>
  called: CallerRequest['toolCalled']
}

/**
 * Performs one tool call: the same handler, the same checks and the same refusals as over HTTP. It never rejects: a
 * refusal or failure is a result with `isError` and the problem document, which a model can read and act on.
 */
export async function callTool(
  tool: McpTool,
  args: Readonly<Record<string, unknown>>,
  { spend, called, ...who }: ToolCaller,
  log: Logger,
): Promise<CallToolResult> {
  const startedAt = performance.now()
  const { entry } = tool
  let code: ProblemCode | undefined
  let status = 500
  try {
    const spending = await spend()
    if (!spending.allowed) {
      throw new Refusal('rate_limit_exceeded', undefined, { 'retry-after': String(spending.retryAfterSeconds) })
    }
    const answered = await tool.perform({ ...who, ...tool.readInput(args) })
    const { body, headers, picture } = answered
    status = answered.status
    const result = resultOf(body, headers)
    const shown = picture && (await who.inTime(picture()))
    if (shown) result.content.push({ type: 'image', mimeType: shown.mediaType, data: shown.bytes.toString('base64') })
    return result
  } catch (error) {
    const refusal = asRefusal(error, who.requestId, entry.id, log)
    code = refusal.code
    const problem = problemDocument(code, who.requestId, refusal.detail, refusal.errors)
    status = problem.status
    return { ...resultOf(inWordsOf(tool, problem), refusal.headers), isError: true }
  } finally {
    const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10
    const { requestId, caller } = who
    called({ operation: entry.id, status, code, milliseconds, siteId: args.siteId })
    log.info({ requestId, operation: entry.id, code, partnerId: caller.partnerId, milliseconds }, 'tool called')
  }
}

/** The problem in words of the tool, every fault of it. */
function inWordsOf({ inItsWords }: McpTool, problem: Problem): Problem {
  const errors = problem.errors?.map((fault) => ({ ...fault, detail: inItsWords(fault.detail) }))
  return { ...problem, detail: inItsWords(problem.detail), ...(errors && { errors }) }
}

type Headers = Readonly<Record<string, string>>

/** The body as structured content and, for clients that show only text, as text; then when to retry. */
function resultOf(body: unknown, headers: Headers = {}): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text: JSON.stringify(body) }]
  const wait = Object.entries(headers).find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
  if (wait !== undefined) content.push({ type: 'text', text: `Retry-After: ${wait} seconds` })
  return { content, structuredContent: body as Record<string, unknown> }
}
