import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { Outage } from '../vocabulary/outage.ts'
import type { Outcome, Refused } from '../vocabulary/outcome.ts'
import { camelCase } from './names.ts'
import { planning } from './planning.ts'
import type { Sql } from './sql.ts'

/**
 * Access to PostgreSQL. It owns connections, transactions, the mapping of values, and the decision whether a failure is
 * an outage. It knows no table: queries are written where they are used.
 *
 * Connections are in classes, so that no work waits for work of another kind: single reads share pipelined connections
 * and with them round trips; lists, long reads and changes each take a connection of their own pool for as long as they
 * last. The server itself ends a statement that outlives the time of its class.
 */

export type Queries = {
  rows: <Row>(query: Sql) => Promise<Row[]>
  /** the first row, if there is one */
  row: <Row>(query: Sql) => Promise<Row | undefined>
}

export type Transaction = Queries & {
  /** NOTIFY after the transaction is committed, and only then. A hint may be lost, so it must never be a fact. */
  hint: (channel: string, payload?: string) => void
  /**
   * The last statement, sent together with the commit, so that its locks last for no round trip. When it fails, the
   * transaction is rolled back. No statement may follow it.
   */
  finish: (query: Sql) => Promise<void>
}

export type Database = {
  /**
   * reads of one record by its key, of credentials and of sessions, run on the primary. Whatever reads a list, or may
   * take more than a few milliseconds, would hold up all of these
   */
  reads: Queries
  /** reads of a partner's lists and searches */
  lists: Queries
  /** reads of staff's lists, searches and reports, and of workers that look at many rows: only a few run at once */
  longReads: Queries
  /** single statements and short scripts outside a transaction */
  statements: Queries
  /**
   * One transaction, READ COMMITTED, committed when `work` resolves and rolled back when it throws. Statements that are
   * not awaited one by one are sent together.
   */
  transaction: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>
  /**
   * Every change of state goes through here: a transaction that commits what `verb` has done, and rolls back when it
   * refuses or throws. A failed statement has already ended the transaction, so a verb may still turn its error into a
   * refusal.
   */
  change: <Result extends Outcome<unknown, Refused>>(verb: (tx: Transaction) => Promise<Result>) => Promise<Result>
  /**
   * calls back on each NOTIFY of the channel. It reconnects by itself, and calls back with '' after each (re)connect,
   * since notifications may have been missed
   */
  listen: (channel: string, onMessage: (payload: string) => void) => Promise<() => Promise<void>>
  /** NOTIFY shortly afterwards, coalesced, outside any transaction. A hint may be lost, so it must never be a fact */
  hint: (channel: string, payload: string) => void
  /**
   * What a new connection finds. Those there are may work on while a server takes no more. Calls at the same time share
   * one connection, which closes again
   */
  connectAnew: () => Promise<{ isStandby: boolean }>
  /** how many connections each class has at this moment, of how many that it may have */
  connections: () => ConnectionCount[]
  close: () => Promise<void>
}

export type ConnectionCount = { pool: ConnectionClass; total: number; idle: number; waiting: number; max: number }

/** How many connections each class may have. */
export type ConnectionLimits = Readonly<Record<ConnectionClass, number>>
export type ConnectionClass = 'reads' | 'lists' | 'long_reads' | 'changes'

/** More lists and long reads at once would only compete for the processors of a small machine. */
export const connectionLimits: ConnectionLimits = { reads: 2, lists: 6, long_reads: 4, changes: 20 }

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`a bigint column holds ${text}, beyond what a number can keep`)
  return value
})
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoFromPostgres)
types.setTypeParser(pg.types.builtins.NUMERIC, (text) => text)
types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** `2026-01-31 09:30:00.12+00` → `2026-01-31T09:30:00.120Z`; sessions run in UTC, columns keep milliseconds. */
function isoFromPostgres(text: string): string {
  const clock = text.slice(11, -3)
  const fraction = clock.length === 8 ? '.000' : clock.slice(8).padEnd(4, '0')
  return `${text.slice(0, 10)}T${clock.slice(0, 8)}${fraction}Z`
}

// Shorter than the time after which callers are told that there is no answer.
const timing = { connectMilliseconds: 4_000, queryMilliseconds: 4_000 }

/**
 * When the server ends a statement. It is earlier than the client gives up, because a pipelined connection whose client
 * gave up must be closed, and with it everything that was sent over it.
 */
const statementMilliseconds: Record<ConnectionClass, number> = {
  reads: 2_000,
  lists: 2_000,
  long_reads: 3_500,
  changes: 3_800,
}

/** A peer that vanished is noticed on idle connections too: after this long and ten probes, a second apart. */
const keepAliveMilliseconds = 5_000

export function openDatabase(
  url: string,
  options: { log: Logger; connections?: Partial<ConnectionLimits>; applicationName?: string },
): Database {
  const { log } = options
  const limits = { ...connectionLimits, ...options.connections }
  const connection = {
    connectionString: url,
    types,
    application_name: options.applicationName ?? 'partner-commerce',
    connectionTimeoutMillis: timing.connectMilliseconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMilliseconds,
  } satisfies pg.ClientConfig
  const poolOf = (name: Exclude<ConnectionClass, 'reads'>, session: string, pipeline: boolean): pg.Pool => {
    const onConnect = async (client: pg.ClientBase): Promise<void> => {
      await ask(client, `${session}; set statement_timeout = ${statementMilliseconds[name]}`)
    }
    const made = new pg.Pool({
      ...connection,
      max: limits[name],
      pipeline,
      idleTimeoutMillis: 60_000,
      onConnect,
    } as pg.PoolConfig)
    made.on('error', (error) => log.warn({ error: error.message }, 'an idle database connection broke'))
    return made
  }
  const pools = {
    lists: poolOf('lists', readingSession, false),
    long_reads: poolOf('long_reads', readingSession, false),
    changes: poolOf('changes', anySession, true),
  }
  const pool = pools.changes
  const readers = Array.from({ length: limits.reads }, () =>
    pipelinedReader(connection, `${readingSession}; set statement_timeout = ${statementMilliseconds.reads}`, log),
  )

  const queriesOn = (from: pg.Pool): Queries =>
    queriesOver((query) => onConnection(from, (client) => ask(client, asConfig(query))))
  const hints = hintSender(connection, log)
  const channels = channelListener(connection, log)
  const newcomer = sharedNewcomer(connection)

  return {
    reads: queriesOver((query) => leastBusy(readers).query(query)),
    lists: queriesOn(pools.lists),
    longReads: queriesOn(pools.long_reads),
    statements: queriesOn(pool),
    transaction: (work) => inTransaction(pool, hints.send, work),
    change: (verb) => unlessRefused((work) => inTransaction(pool, hints.send, work), verb),
    listen: async (channel, onMessage) => channels.listen(channel, onMessage),
    hint: hints.send,
    connectAnew: newcomer,
    connections: () => [
      countOfReaders(readers),
      ...(['lists', 'long_reads', 'changes'] as const).map((name) => countOfPool(name, pools[name], limits[name])),
    ],
    close: async () => {
      await Promise.all([
        channels.close(),
        hints.close(),
        ...readers.map((reader) => reader.close()),
        ...Object.values(pools).map(endPool),
      ])
    },
  }
}

/**
 * Said on each connection rather than at its start, because a pooler in between passes no options on. Values are read
 * as texts of this form.
 */
const anySession = [
  ...Object.entries(planning).map(([name, value]) => `set ${name} = ${value}`),
  "set timezone = 'UTC'; set datestyle = 'ISO'; set lock_timeout = 3500; set idle_in_transaction_session_timeout = 15000",
].join('; ')

/** One plan fits all values of the hot reads; planning each time would cost as much as running them. */
const readingSession = `${anySession}; set plan_cache_mode = force_generic_plan`

function countOfReaders(readers: readonly Reader[]): ConnectionCount {
  const open = readers.filter((reader) => reader.isOpen())
  const idle = open.filter((reader) => reader.asked() === 0).length
  const asked = readers.reduce((sum, reader) => sum + reader.asked(), 0)
  const busy = open.length - idle
  return { pool: 'reads', total: open.length, idle, waiting: Math.max(asked - busy, 0), max: readers.length }
}

function countOfPool(
  name: ConnectionClass,
  { totalCount: total, idleCount: idle, waitingCount: waiting }: pg.Pool,
  max: number,
): ConnectionCount {
  return { pool: name, total, idle, waiting, max }
}

/** A connection that does not answer the end is left to itself. */
const endMilliseconds = 1_000

/** Ends a pool and its connections. The pool's own end does not wait for them, and a server that stops breaks the rest. */
async function endPool(pool: pg.Pool): Promise<void> {
  let left = pool.totalCount
  const gone = new Promise<void>((resolve) => {
    if (left === 0) resolve()
    pool.on('remove', () => --left === 0 && resolve())
  })
  await pool.end()
  await Promise.race([gone, delay(endMilliseconds, undefined, { ref: false })])
}

function asConfig(query: Sql): pg.QueryArrayConfig {
  return { text: query.text, name: query.name, values: query.values as unknown[], rowMode: 'array' }
}

function queriesOver(run: (query: Sql) => Promise<pg.QueryArrayResult>): Queries {
  const rows = async <Row>(query: Sql): Promise<Row[]> => {
    try {
      return namedRows(await run(query), query.name) as Row[]
    } catch (error) {
      // The driver's own leads to the socket that the error came from.
      if (error instanceof pg.DatabaseError) Error.captureStackTrace(error)
      throw asOutage(error)
    }
  }
  return { rows, row: async <Row>(query: Sql) => (await rows<Row>(query))[0] }
}

type Named = { names: readonly string[]; empty: Readonly<Record<string, null>> }

/** The columns' names in the program and a row of them without values, by the name of the statement. */
const namedByStatement = new Map<string, Named>()

/** Renames the columns of rows to the program's names: `placed_on` in SQL is `placedOn` here. */
function namedRows({ fields, rows }: pg.QueryArrayResult, statement: string): object[] {
  if (rows.length === 0) return []
  let named = namedByStatement.get(statement)
  if (!named) namedByStatement.set(statement, (named = namedBy(fields.map(({ name }) => camelCase(name)))))
  const { names, empty } = named
  return rows.map((values) => {
    const row: Record<string, unknown> = { ...empty }
    for (let column = 0; column < values.length; column++) row[names[column]!] = values[column]
    return row
  })
}

/** V8 keeps what JSON.parse made, and copies of it, in a fixed layout; an object that grows key by key becomes a hash table. */
function namedBy(names: readonly string[]): Named {
  const members = names.map((name) => `${JSON.stringify(name)}:null`)
  return { names, empty: JSON.parse(`{${members.join()}}`) as Named['empty'] }
}

/**
 * Asks over a connection. It does without the driver's promises and time-outs: their closures keep each result long after
 * it was answered, and make most work for the garbage collector. A connection that does not answer is of no further use.
 */
function ask(client: pg.ClientBase, query: pg.QueryArrayConfig | string): Promise<pg.QueryArrayResult> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error('timeout: the database did not answer'))
      streamOf(client).destroy()
    }, timing.queryMilliseconds)
    client.query(query as pg.QueryArrayConfig, (error: Error | null, result) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve(result)
    })
  })
}

/**
 * Lends a connection of the pool for as long as the work takes. One that failed, or whose state is unknown, does not return to
 * the pool.
 * @param undo runs after work that failed for another reason than an outage
 */
async function onConnection<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
  undo?: (client: pg.PoolClient) => Promise<unknown>,
): Promise<Result> {
  let client: pg.PoolClient
  try {
    client = await pool.connect()
  } catch (error) {
    throw asOutage(error)
  }
  let broken: Error | undefined
  // Statements under way fail by themselves; without a listener the loss of the connection would end the process.
  const onLoss = (error: Error): void => {
    broken = error
  }
  client.on('error', onLoss)
  try {
    return await work(client)
  } catch (error) {
    const outage = asOutage(error)
    if (outage instanceof Outage) broken = outage
    else await undo?.(client).catch((problem: Error) => (broken = problem))
    throw outage
  } finally {
    client.off('error', onLoss)
    client.release(broken)
  }
}

/** Sends with one write what is asked of a connection in one turn: on many machines a write costs more than a query. */
function send(client: pg.ClientBase, query: pg.QueryArrayConfig | string): Promise<pg.QueryArrayResult> {
  const stream = streamOf(client)
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  return ask(client, query)
}

function streamOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

/** Carries a refusal out of a transaction that is rolled back. */
class RolledBack extends Error {
  readonly refusal: Refused
  constructor(refusal: Refused) {
    super(refusal.refused)
    this.stack = undefined
    this.refusal = refusal
  }
}

/** Commits what a verb has done. If the verb refuses, rolls back and returns the refusal. */
export async function unlessRefused<Result extends Outcome<unknown, Refused>>(
  transaction: Database['transaction'],
  verb: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await transaction(async (tx) => {
      const outcome = await verb(tx)
      if ('refused' in outcome) throw new RolledBack(outcome)
      return outcome
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.refusal as Result
    throw error
  }
}

function inTransaction<Result>(
  pool: pg.Pool,
  sendHint: Database['hint'],
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const transact = async (client: pg.PoolClient): Promise<Result> => {
    let finished = false
    let isOver = false
    const hints: [channel: string, payload: string][] = []
    let failure: unknown
    /** Every statement after a failed one fails with the same error, so it does not matter which of them is heard first. */
    const run = async (query: Sql): Promise<pg.QueryArrayResult> => {
      // The connection is others' by then: what runs on beside work that failed would change their transactions.
      if (isOver) throw new Error('the transaction of this statement is over')
      try {
        const result = await send(client, asConfig(query))
        failure = undefined
        return result
      } catch (error) {
        if (!followsFailure(error) || failure === undefined) failure = query.failsAs?.(error) ?? asOutage(error)
        throw failure
      }
    }
    // Not awaited: it is sent with the first statement, which fails too if this one fails.
    send(client, 'begin').catch(() => undefined)
    const result = await work({
      ...queriesOver(run),
      hint: (channel, payload = '') => void hints.push([channel, payload]),
      finish: async (query) => {
        finished = true
        await Promise.all([run(query), commit(client)])
      },
    }).finally(() => (isOver = true))
    if (!finished) await commit(client)
    for (const [channel, payload] of hints) sendHint(channel, payload)
    return result
  }
  return onConnection(pool, transact, (client) => ask(client, 'rollback'))
}

/** PostgreSQL answers the commit of a failed transaction with a rollback, not with an error. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await send(client, 'commit')
  if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
}

type Reader = ReturnType<typeof pipelinedReader>

/** The one of which the fewest answers are still awaited. */
function leastBusy(readers: readonly Reader[]): Reader {
  return readers.reduce((best, reader) => (reader.asked() < best.asked() ? reader : best))
}

/** One pipelined connection, opened at first use and again after it broke. `session`: what is set on it first. */
function pipelinedReader(connection: pg.ClientConfig, session: string, log: Logger) {
  let current: Promise<pg.Client> | undefined
  let asked = 0
  let closed = false

  function connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...connection, pipeline: true } as pg.ClientConfig)
    const attempt = client
      .connect()
      .then(() => ask(client, session))
      .then(() => client)
    const forget = (): void => {
      if (current === attempt) current = undefined
    }
    client.on('error', (error) => {
      log.warn({ error: error.message }, 'a reading database connection broke')
      forget()
    })
    client.on('end', forget)
    attempt.catch(() => {
      forget()
      client.end().catch(() => undefined)
    })
    return attempt
  }

  return {
    query: async (query: Sql) => {
      if (closed) throw new Outage('the database is closed')
      asked++
      try {
        current ??= connect()
        const client = await current
        return await send(client, asConfig(query))
      } finally {
        asked--
      }
    },
    /** how many statements have no answer yet */
    asked: () => asked,
    isOpen: () => current !== undefined,
    close: async () => {
      closed = true
      const client = await current?.catch(() => undefined)
      await client?.end().catch(() => undefined)
    },
  }
}

/** Whoever asks wants to know within this time. */
const newcomerMilliseconds = 2_000

/** Opens one connection at a time, asks it what it leads to, and closes it. */
function sharedNewcomer(connection: pg.ClientConfig) {
  let current: Promise<{ isStandby: boolean }> | undefined

  async function look(): Promise<{ isStandby: boolean }> {
    const client = new pg.Client({
      ...connection,
      connectionTimeoutMillis: newcomerMilliseconds,
      query_timeout: newcomerMilliseconds,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
      return { isStandby: rows[0]!.standby }
    } catch (error) {
      throw asOutage(error)
    } finally {
      await Promise.race([client.end().catch(() => undefined), delay(endMilliseconds, undefined, { ref: false })])
      streamOf(client).destroy()
    }
  }

  return (): Promise<{ isStandby: boolean }> => {
    current ??= look().finally(() => (current = undefined))
    return current
  }
}

/**
 * Sends hints on a connection of its own, which does not wait for the disk, after gathering them for a few
 * milliseconds. A NOTIFY inside the transactions would make their commits wait for each other.
 */
function hintSender(connection: pg.ClientConfig, log: Logger) {
  const reader = pipelinedReader(connection, `${anySession}; set synchronous_commit = off`, log)
  let waiting: { channel: string; payload: string }[] = []
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    timer = undefined
    const batch = waiting
    waiting = []
    await reader
      .query({
        text: 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) hint(channel, payload)',
        name: 'hints',
        values: [batch.map((hint) => hint.channel), batch.map((hint) => hint.payload)],
      })
      .catch((error: Error) => log.warn({ error: error.message }, 'could not send hints; polling will find the work'))
  }

  return {
    send: (channel: string, payload: string) => {
      waiting.push({ channel, payload })
      timer ??= setTimeout(() => void flush(), 2)
    },
    close: async () => {
      if (timer) {
        clearTimeout(timer)
        await flush()
      }
      await reader.close()
    },
  }
}

/**
 * One connection that listens to every channel asked for. It opens with the first, opens again after it broke, and ends
 * with the last: a process that listens to many would otherwise sign in for each of them, all at once after a failover.
 */
function channelListener(connection: pg.ClientConfig, log: Logger) {
  const listeners = new Map<string, Set<(payload: string) => void>>()
  let client: pg.Client | undefined
  let isOpen = false
  let isBroken = false
  let retry: NodeJS.Timeout | undefined

  const tell = (channel: string, payload: string): void => listeners.get(channel)?.forEach((heard) => heard(payload))

  function connect(): void {
    retry = undefined
    const fresh = new pg.Client({ ...connection, pipeline: true } as pg.ClientConfig)
    client = fresh
    const lost = (error?: Error): void => {
      fresh.end().catch(() => undefined)
      if (client !== fresh) return
      client = undefined
      isOpen = false
      if (error && !isBroken) log.warn({ error: error.message }, 'the listening database connection broke')
      isBroken ||= error !== undefined
      retry ??= setTimeout(connect, 500)
    }
    fresh.on('error', lost)
    fresh.on('end', () => lost())
    fresh.on('notification', ({ channel, payload = '' }) => tell(channel, payload))
    open(fresh).catch(lost)
  }

  async function open(fresh: pg.Client): Promise<void> {
    await fresh.connect()
    if (client !== fresh) return
    isOpen = true
    await listenTo(fresh, [...listeners.keys()])
    if (isBroken) log.info('the listening database connection is there again')
    isBroken = false
  }

  async function listenTo(opened: pg.Client, channels: readonly string[]): Promise<void> {
    await opened.query(channels.map((channel) => `listen ${channel}`).join('; '))
    for (const channel of channels) tell(channel, '')
  }

  async function stopListening(channel: string, heard: (payload: string) => void): Promise<void> {
    const all = listeners.get(channel)
    if (!all?.delete(heard) || all.size > 0) return
    listeners.delete(channel)
    if (listeners.size === 0) await end()
    // A connection that breaks here is opened again for the channels that are left.
    else if (isOpen) await client!.query(`unlisten ${channel}`).catch(() => undefined)
  }

  async function end(): Promise<void> {
    listeners.clear()
    clearTimeout(retry)
    retry = undefined
    const last = client
    client = undefined
    isOpen = false
    await last?.end().catch(() => undefined)
  }

  return {
    listen: (channel: string, onMessage: (payload: string) => void) => {
      // Its own, since the same function may listen twice.
      const heard = (payload: string): void => onMessage(payload)
      const all = listeners.get(channel)
      if (all) all.add(heard)
      else listeners.set(channel, new Set([heard]))
      if (client === undefined) {
        if (retry === undefined) connect()
      } else if (isOpen) {
        // A failure here is that of the connection, which tells of it by itself.
        listenTo(client, [channel]).catch(() => undefined)
      }
      return () => stopListening(channel, heard)
    },
    close: end,
  }
}

/** SQLSTATE classes and codes that describe the server's state, not the statement. */
const outageStates = new Set(['25006', '40P01', '55P03', '57014', '57P01', '57P02', '57P03', '57P04', '57P05', '25P03'])
// 28 and 3D: the role, its password or the database are no longer what they were.
const outageClasses = new Set(['08', '28', '3D', '53', '58'])

/**
 * Turns an error of the driver into an `Outage` if the database could not do its work; returns any other error as it
 * is.
 */
export function asOutage(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const state = error.code ?? ''
    return outageStates.has(state) || outageClasses.has(state.slice(0, 2)) ? new Outage('the database', error) : error
  }
  // A verb's refusal is none, whatever its code is called.
  if (error instanceof RolledBack) return error
  if (error instanceof Error && isConnectionFailure(error)) return new Outage('the database', error)
  return error
}

const connectionMessages =
  /timeout|terminated|Connection ended|not queryable|closed|connect E|read E|write E|Cannot use a pool|getaddrinfo/

function isConnectionFailure(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code
  if (code !== undefined && /^(E[A-Z]+|ERR_STREAM_)/.test(code)) return true
  return connectionMessages.test(error.message)
}

/** True when the error is a violation of the named constraint. */
export function breaksConstraint(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint
}

/** True when the statement did not run because an earlier one in the transaction had failed. */
function followsFailure(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02'
}
