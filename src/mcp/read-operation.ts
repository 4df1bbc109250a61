import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import type { Problem } from '../http/answering/problem.ts'
import { performTool, retryAfterOf, type ToolCaller } from './call-tool.ts'
import type { McpTools } from './tools.ts'

/**
 * Reads of operations for messages that are no tool calls: prompts, resources, completions. The same handler, checks and
 * scopes as for the tool of this name; each read spends one request of the limits.
 */
export type ReadOperation = (
  /** the tool's name */
  tool: string,
  inputs: { path?: Readonly<Record<string, string>>; query?: Readonly<Record<string, string | number | undefined>> },
  options?: { pictured?: boolean },
) => Promise<{ body: any; picture: { mediaType: string; bytes: Buffer } | undefined }> // eslint-disable-line typescript/no-explicit-any

/** A read that the operation refused. `data` is the problem document. */
export class ReadRefused extends ProtocolError {
  readonly problem: Problem

  constructor(problem: Problem, headers: Readonly<Record<string, string>>) {
    const wait = retryAfterOf(headers)
    const code = problem.status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
    super(code, wait === undefined ? problem.detail : `${problem.detail} Retry-After: ${wait} seconds`, problem)
    this.problem = problem
  }
}

/** @returns a function that rejects with `ReadRefused` */
export function operationReader(tools: McpTools, by: ToolCaller, log: Logger): ReadOperation {
  return async (name, { path = {}, query = {} }, options = {}) => {
    const asked = Object.entries(query).flatMap(([key, value]) =>
      value === undefined ? [] : `${key}=${encodeURIComponent(value)}`,
    )
    const input = { path, query: asked.join('&'), body: async () => undefined }
    const done = await performTool(tools.byName(name)!, input, by, log, options)
    if ('problem' in done) throw new ReadRefused(done.problem, done.headers)
    if ('settled' in done) throw new Error('nothing settles a read')
    return done
  }
}
