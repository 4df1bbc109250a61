import { setTimeout as wait } from 'node:timers/promises'
import type { ListRequestsInput, LoggedRequest, PartnerCommerce } from '@partner-commerce/client'
import { Option, type Command } from 'commander'
import { command, runs, wholeFrom } from '../command.ts'
import { readSince } from '../durations.ts'
import { guideAt } from '../guides.ts'
import { collected } from '../pages.ts'
import { openSession } from '../session.ts'
import { bold, dim, red } from '../terminal/pieces.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { httpStatus, orDash, time, when } from '../terminal/words.ts'
import type { World } from '../world.ts'
import { sayCut } from './orders.ts'

type LogsOptions = {
  follow?: true
  failed?: true
  since?: string
  operation?: string
  status?: number
  code?: string
  credential?: string
  limit: number
}

export function logsCommand(world: World): Command {
  const made = command('logs', 'Show your calls of the last 14 days', [
    'logs --failed --since 1d',
    'logs --follow',
    'logs --operation submitOrder --json',
    'logs show 0b9b6f6e-8b1f-4a43-8d4b-0b8f9a0d6c11',
  ])
    .option('-f, --follow', 'go on and show new calls as they come, oldest first')
    .option('--failed', 'only calls that failed')
    .option('--since <TIME>', 'only since then: 15m, 5h, 3d ago, or an instant')
    .option('--operation <ID>', 'only calls of this operation, such as submitOrder')
    .addOption(new Option('--status <STATUS>', 'only answers with this status').argParser(wholeFrom(100, 599)))
    .option('--code <CODE>', 'only answers with this problem code')
    .option('--credential <ID>', 'only calls by this client id, or by the certificate of this serial number')
    .option('-n, --limit <COUNT>', 'how many to show', wholeFrom(1, 10_000), 30)
  made.addCommand(show(world))
  return runs<LogsOptions>(made, world, async ({ flags, options }) => {
    const { client } = await openSession(world, flags)
    const { terminal, stop } = world
    const { follow, failed, since, operation, status, code, credential, limit } = options
    const filters: ListRequestsInput = {
      ...(failed && { outcome: 'failed' }),
      ...(since !== undefined && { since: readSince(since, world.now()) }),
      ...(operation !== undefined && { operation }),
      ...(status !== undefined && { status }),
      ...(code !== undefined && { code }),
      ...(credential !== undefined && { credential }),
    }
    const found = await collected(client.listRequests(filters, { signal: stop }), limit)
    if (follow) {
      const printed = (request: LoggedRequest): void =>
        flags.json ? terminal.json(request, 'line') : line(terminal, request)
      if (!flags.json) terminal.say(dim('Following your calls … Ctrl-C ends it.'))
      return followed(client, filters, found.records, stop, printed)
    }
    if (flags.json) return terminal.json({ requests: found.records })
    terminal.table<LoggedRequest>(
      [
        { title: 'TIME', cell: ({ receivedOn }) => receivedOn.slice(0, 19).replace('T', ' ') },
        { title: 'STATUS', cell: ({ status: answered }) => httpStatus(answered), right: true },
        { title: 'OPERATION', cell: ({ operation: called }) => orDash(called) },
        { title: 'PATH', cell: ({ method, path }) => `${method} ${path}`, cuts: true },
        { title: 'CODE', cell: ({ code: told }) => orDash(told) },
        { title: 'MS', cell: ({ milliseconds }) => String(Math.round(milliseconds)), right: true },
        { title: 'REQUEST', cell: ({ requestId }) => dim(requestId) },
      ],
      found.records,
    )
    sayCut(terminal, found.records.length, found.isCut)
  })
}

const pollMilliseconds = 2_000
/** A call may come into the log later than one that came in after it. */
const overlapMilliseconds = 30_000

/** Prints what is there, oldest first, and then each call once, as it appears in the log. Ends when the person does. */
async function followed(
  client: PartnerCommerce,
  filters: ListRequestsInput,
  first: readonly LoggedRequest[],
  stop: AbortSignal,
  print: (request: LoggedRequest) => void,
): Promise<void> {
  const printed = new Map<string, number>()
  let latest = Date.parse(first[0]?.receivedOn ?? filters.since ?? new Date().toISOString())
  const printNew = (requests: readonly LoggedRequest[]): void => {
    for (const request of requests.toReversed()) {
      if (printed.has(request.requestId)) continue
      const at = Date.parse(request.receivedOn)
      printed.set(request.requestId, at)
      latest = Math.max(latest, at)
      print(request)
    }
    for (const [id, at] of printed) if (at < latest - 2 * overlapMilliseconds) printed.delete(id)
  }
  printNew(first)
  const begin = Date.parse(filters.since ?? '') || latest - overlapMilliseconds
  for (;;) {
    await wait(pollMilliseconds, undefined, { signal: stop })
    const since = new Date(Math.max(begin, latest - overlapMilliseconds)).toISOString()
    const { records } = await collected(client.listRequests({ ...filters, since }, { signal: stop }))
    printNew(records)
  }
}

function line(terminal: Terminal, request: LoggedRequest): void {
  const { receivedOn, status, operation, method, path, code, milliseconds, requestId } = request
  terminal.print(
    dim(time(receivedOn)),
    '  ',
    httpStatus(status),
    '  ',
    bold(operation ?? `${method} ${path}`),
    `  ${Math.round(milliseconds)} ms`,
    ...(code ? ['  ', red(code)] : []),
    '  ',
    dim(requestId),
  )
}

function show(world: World): Command {
  const made = command('show', 'Show one of your calls, and what its code means', [
    'logs show 0b9b6f6e-8b1f-4a43-8d4b-0b8f9a0d6c11',
  ]).argument('<REQUEST>', 'the id that the service gave it: Request-Id')
  return runs(made, world, async ({ flags }, requestId) => {
    const { client } = await openSession(world, flags)
    const { data: request, response } = await client
      .getRequest({ requestId: requestId! }, { signal: world.stop })
      .withResponse()
    const { terminal } = world
    if (flags.json) return terminal.json(request)
    terminal.facts([
      ['Request', bold(request.requestId)],
      ['Time', when(request.receivedOn)],
      ['Operation', orDash(request.operation)],
      ['Call', `${request.method} ${request.path}`],
      ['Status', httpStatus(request.status)],
      ['Code', orDash(request.code)],
      ['Meaning', orDash(request.meaning)],
      ['Guide', orDash(request.guide && guideAt(response.headers, request.guide))],
      ['Took', `${Math.round(request.milliseconds)} ms`],
      ['Credential', orDash(request.credential)],
      ['From', request.sourceAddress],
    ])
  })
}
