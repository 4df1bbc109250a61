import type { Caller } from '../contract/caller.ts'
import type { Answered, Operation } from '../contract/operation.ts'
import { Refusal } from '../contract/refusal.ts'
import { cursorOf, handlerWith, type RawInputs, type ReadyOperation, type Visit } from '../http/perform.ts'
import { publishedScope } from '../vocabulary/scopes.ts'

/** The steps of an operation that only partners' callers take. The others are in `http/perform.ts`. */

export type PartnerOperation = ReadyOperation<Operation>

export type PartnerVisit = Visit<Operation> & {
  /** undefined before the credential is resolved, and where the operation is open */
  caller: Caller | undefined
  /** the granted sites the visit speaks of */
  siteIds: readonly number[]
}

/** What stands behind the credential has a caller. */
export function callerOf({ caller }: { caller: Caller | undefined }): Caller {
  if (!caller) throw new Error('a step that asks for the caller stands before the credential')
  return caller
}

export function scope(visit: PartnerVisit): void {
  const { scope: needed } = visit.operation.entry
  if (needed !== null && !callerOf(visit).scopes.has(needed)) throw insufficientScope(needed)
}

function insufficientScope(needed: Parameters<typeof publishedScope>[0]): Refusal {
  const name = publishedScope(needed)
  return new Refusal('insufficient_scope', `This operation needs the scope ${name}.`, {
    'www-authenticate': `Bearer error="insufficient_scope", scope="${name}"`,
  })
}

/** A cursor is valid for the operation and the partner. */
export const cursor = cursorOf<PartnerVisit>((visit) => [visit.operation.entry.id, callerOf(visit).partnerId])

/** A site named in the path must be granted (404), one named in the query too (400); otherwise all granted sites. */
export function site(visit: PartnerVisit): void {
  const { path, query } = visit.read
  const { siteIds } = callerOf(visit)
  const named = (path.siteId ?? query.siteId) as number | undefined
  if (named === undefined) {
    visit.siteIds = siteIds
    return
  }
  if (!siteIds.includes(named)) throw new Refusal(path.siteId === undefined ? 'invalid_site_id' : 'site_not_found')
  visit.siteIds = [named]
}

export const handler = handlerWith<PartnerVisit>(
  ({ caller, siteIds, now, requestId }) =>
    caller && { caller, siteIds, change: { actor: { kind: 'PARTNER', id: caller.partnerId }, now, requestId } },
)

/** An operation asked for by a known caller, its inputs still as they came in. */
export type RawCall = RawInputs & Pick<PartnerVisit, 'requestId' | 'now' | 'inTime'> & { caller: Caller }

/** An operation and the way to have it done in another form than HTTP's own. */
export type PerformedOperation = { entry: Operation; perform: (raw: RawCall) => Promise<Answered> }
