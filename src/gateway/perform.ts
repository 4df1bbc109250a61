import type { Caller } from '../contract/caller.ts'
import type { Answered, OpenStream, Operation } from '../contract/operation.ts'
import { Refusal } from '../contract/refusal.ts'
import {
  cursorBoundTo,
  handlerWith,
  path,
  query,
  type RawInputs,
  type ReadyOperation,
  type OperationContext,
} from '../http/perform.ts'
import type { Step } from '../http/steps.ts'
import { takeTurn } from '../database/turns.ts'
import { isOwnApplication } from '../vocabulary/own-applications.ts'
import { publishedScope } from '../vocabulary/scopes.ts'

/** The steps that only operations of partners take. Those that every operation takes are in `http/perform.ts`. */

export type PartnerOperation = ReadyOperation<Operation>

export type PartnerContext = OperationContext<Operation> & {
  /** undefined until the credential is resolved, and throughout for an open operation */
  caller: Caller | undefined
  /** the granted sites that the request concerns */
  siteIds: readonly number[]
  /** undefined until it is begun, and always for an operation that answers at once */
  stream: OpenStream | undefined
}

/** For the steps after the credential, which always have a caller. */
export function callerOf({ caller }: { caller: Caller | undefined }): Caller {
  if (!caller) throw new Error('this step needs a caller: it belongs after the credential')
  return caller
}

export function streamOf({ stream }: { stream: OpenStream | undefined }): OpenStream {
  if (!stream) throw new Error('this step needs a stream: it belongs after it')
  return stream
}

export function scope(context: PartnerContext): void {
  const { scope: needed } = context.operation.entry
  if (needed !== null && !callerOf(context).scopes.has(needed)) throw insufficientScope(needed)
}

function insufficientScope(needed: Parameters<typeof publishedScope>[0]): Refusal {
  const name = publishedScope(needed)
  return new Refusal('insufficient_scope', `This operation needs the scope ${name}.`, {
    'www-authenticate': `Bearer error="insufficient_scope", scope="${name}"`,
  })
}

/** What manages credentials or reads the log is not for the applications that people let act for them, such as agents. */
export function application(context: PartnerContext): void {
  if (!context.operation.entry.ownApplications) return
  const { authMethod, clientId } = callerOf(context)
  if (authMethod === 'IDP_USER' && !isOwnApplication(clientId)) throw new Refusal('application_not_allowed')
}

/** A cursor is bound to the operation and the partner. */
export const cursor = cursorBoundTo<PartnerContext>((context) => [
  context.operation.entry.id,
  callerOf(context).partnerId,
])

/** A site named in the path must be granted (404), one named in the query too (400); otherwise all granted sites. */
export function site(context: PartnerContext): void {
  const { read } = context
  const { siteIds } = callerOf(context)
  const named = (read.path.siteId ?? read.query.siteId) as number | undefined
  if (named === undefined) {
    context.siteIds = siteIds
    return
  }
  if (!siteIds.includes(named)) throw new Refusal(read.path.siteId === undefined ? 'invalid_site_id' : 'site_not_found')
  context.siteIds = [named]
}

export const handler: Step<PartnerContext> = handlerWith<PartnerContext>(
  ({ caller, siteIds, stream, now, requestId, traceContext }) =>
    caller && {
      caller,
      siteIds,
      ...(stream && { stream }),
      change: { actor: { kind: 'PARTNER', id: caller.partnerId }, now, requestId, traceContext },
    },
  { readSteps: () => [path, query, cursor, site, handler], takeTurn },
)

/** An operation asked for by a known caller, its inputs still as they came in. */
export type RawCall = RawInputs &
  Pick<PartnerContext, 'requestId' | 'traceContext' | 'now' | 'inTime'> & { caller: Caller }

/** An operation that can be performed outside of an HTTP request of its own, as a tool is. */
export type PerformedOperation = {
  entry: Operation
  perform: (raw: RawCall) => Promise<Answered>
  /** every check before the handler; rejects with the refusal that `perform` would begin with */
  check: (raw: RawCall) => Promise<void>
}
