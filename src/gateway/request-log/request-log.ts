import type { Logger } from 'pino'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { Outage } from '../../vocabulary/outage.ts'
import type { LoggedRequest } from './read-request-log.ts'
import { madeDays } from './request-log-days.ts'

/**
 * The log of partners' calls: each with its outcome, its caller and its time, without bodies, headers and queries. A
 * call is noted in memory after its answer, so that no answer waits for the log. What was noted is written within a
 * second, many rows at a time. A crash loses what is not written yet. What exceeds the room in memory, because the
 * database cannot follow, is dropped and counted.
 */
export type RequestLog = {
  note: (call: LoggedCall) => void
  /** writes what was noted. May be called again */
  close: () => Promise<void>
}

/** `path` as it came, without the query. */
export type LoggedCall = Omit<LoggedRequest, 'recordedOn'> & {
  recordedOn: Date
  /** the seconds of `Retry-After`; null = the answer had none */
  retryAfter: number | null
  /** it asked for a page behind the first one */
  continued: boolean
  /** an app client that was named but not resolved, as at the token endpoint; noted only if there is one with this id */
  claimedClient?: string | undefined
}

export type RequestLogTiming = { writeEveryMilliseconds: number; batchRows: number; waitingMax: number }

const usual: RequestLogTiming = { writeEveryMilliseconds: 1_000, batchRows: 1_000, waitingMax: 20_000 }

/** @param parts `dropped` is told how many calls will never be in the log */
export function createRequestLog(parts: {
  statements: Queries
  log: Pick<Logger, 'warn'>
  dropped: (calls: number) => void
  timing?: RequestLogTiming
}): RequestLog {
  const { statements, log, dropped } = parts
  const { writeEveryMilliseconds, batchRows, waitingMax } = parts.timing ?? usual
  const days = madeDays(statements)
  let waiting: LoggedCall[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  /** how many of those that wait may be in the log already: the answer to their insert did not come */
  let mayBeWritten = 0
  let lastFailure: string | undefined

  function note(call: LoggedCall): void {
    if (waiting.length >= waitingMax) return dropped(1)
    waiting.push(call)
    if (waiting.length === batchRows) void write()
    else later()
  }

  function later(): void {
    timer ??= setTimeout(() => void write(), writeEveryMilliseconds)
  }

  /** Writes what waits, unless that is under way. */
  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeBatches().finally(() => {
      writing = undefined
      if (waiting.length > 0) later()
    })
    return writing
  }

  async function writeBatches(): Promise<void> {
    do {
      const batch = waiting.slice(0, batchRows)
      try {
        await days.make(batch)
        await writeCalls(statements, batch, mayBeWritten > 0)
        lastFailure = undefined
      } catch (error) {
        const { message } = error as Error
        if (message !== lastFailure) log.warn({ err: error }, 'could not write the request log')
        lastFailure = message
        if (error instanceof Outage) {
          mayBeWritten = Math.max(mayBeWritten, batch.length)
          return
        }
        // Such as a day that the log cannot have, when a clock is far off: it would not succeed later either.
        dropped(batch.length)
      }
      waiting = waiting.slice(batch.length)
      mayBeWritten = Math.max(0, mayBeWritten - batch.length)
    } while (waiting.length >= batchRows)
  }

  return {
    note,
    close: async () => {
      await writing
      for (let before = Infinity; waiting.length > 0 && waiting.length < before;) {
        before = waiting.length
        await write()
      }
      clearTimeout(timer)
      timer = undefined
      if (waiting.length > 0) dropped(waiting.length)
      waiting = []
    },
  }
}

/** @param mayBeThere leave out calls that an earlier insert wrote, whose answer was lost */
async function writeCalls(statements: Queries, calls: readonly LoggedCall[], mayBeThere: boolean): Promise<void> {
  const partners = await partnersOfClients(statements, calls)
  const callers = calls.map((call) => {
    const partnerId = call.claimedClient === undefined ? undefined : partners.get(call.claimedClient)
    return partnerId === undefined ? call : { credential: call.claimedClient!, partnerId }
  })
  const each = (key: keyof LoggedCall) => calls.map((call) => call[key])
  const unlessThere = sqlText`
    where not exists (
      select from request_log as there
      where there.request_id = given.request_id and there.recorded_on = given.recorded_on
        and there.operation is not distinct from given.operation
    )`
  // The log is not worth waiting for the disk. An array for each column costs half of what JSON does.
  await statements.rows(sql`
    with hurry as (select set_config('synchronous_commit', 'off', true))
    insert into request_log (${columns})
    select ${columns}
    from hurry, unnest(
      ${calls.map(({ recordedOn }) => recordedOn.toISOString())}::timestamptz[], ${each('requestId')}::uuid[],
      ${each('operation')}::text[], ${each('toolCall')}::boolean[], ${each('method')}::text[],
      ${calls.map(({ path }) => loggedPath(path))}::text[], ${each('status')}::smallint[], ${each('code')}::text[],
      ${each('milliseconds')}::real[], ${each('authMethod')}::text[],
      ${callers.map(({ credential }) => credential)}::text[], ${callers.map(({ partnerId }) => partnerId)}::uuid[],
      ${each('siteId')}::int[], ${each('sourceAddress')}::text[], ${each('retryAfter')}::int[],
      ${each('continued')}::boolean[]
    ) as given (${columns})
    ${mayBeThere ? unlessThere : nothing}`)
}

const columns = sqlText`recorded_on, request_id, operation, tool_call, method, path, status, code, milliseconds,
  auth_method, credential, partner_id, site_id, source_address, retry_after, continued`

/** The partners of the app clients that were named. Anything else in the place of a client id might be a secret. */
async function partnersOfClients(
  statements: Queries,
  calls: readonly LoggedCall[],
): Promise<ReadonlyMap<string, string>> {
  const claimed = [...new Set(calls.map(({ claimedClient }) => claimedClient).filter((id) => id !== undefined))]
  if (claimed.length === 0) return new Map()
  const found = await statements.rows<{ clientId: string; partnerId: string }>(sql`
    select client_id, partner_id from app_client where client_id = any(${claimed})`)
  return new Map(found.map(({ clientId, partnerId }) => [clientId, partnerId]))
}

/** Words of our paths, numbers and UUIDs. */
const plain = String.raw`[a-z]{1,20}(?:-[a-z]{1,20}){0,3}\d?|\d{1,15}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|SL[OS]_\d{1,15}`
const plainSegment = new RegExp(`^(?:${plain})?$`)
const segmentsMax = 12
/** most paths, which are kept as they are */
const plainPath = new RegExp(`^(?:/(?:${plain})?){1,${segmentsMax - 1}}$`)

/** The path with `…` for what is no word or id of ours: callers may have put a name, an e-mail address or a token there. */
export function loggedPath(path: string): string {
  if (plainPath.test(path)) return path
  const [first, ...rest] = path.split('/', segmentsMax)
  return [first, ...rest.map((segment) => (plainSegment.test(segment) ? segment : '…'))].join('/')
}
