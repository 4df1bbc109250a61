import type { IncomingMessage } from 'node:http'
import { Refusal } from '../contract/refusal.ts'
import type { Body } from '../contract/operation.ts'
import type { Parameter } from '../contract/parameters.ts'
import type { Cursors } from '../http/answering/cursors.ts'
import type { Deadline } from '../http/answering/deadline.ts'
import { pageBinding, pager } from '../http/answering/pages.ts'
import { bodyReader } from '../http/reading/check-body.ts'
import { BodyRefused, readBytes, readDeclaredBody } from '../http/reading/read-body.ts'
import { pathReader } from '../http/reading/read-path.ts'
import { queryReader } from '../http/reading/read-query.ts'
import type { Session } from './session/sessions.ts'
import { permissionsOf } from '../vocabulary/staff-roles.ts'
import { staffPathNames, type AnyStaffHandler, type StaffCall, type StaffOperation } from './operation.ts'
import { staffPathParameters } from './parameters.ts'
import type { StaffWorlds } from './world.ts'

/** An operation asked for, its inputs still as they came in. */
export type RawStaffCall = {
  /** undefined only where the operation is open */
  session: Session | undefined
  request: IncomingMessage
  requestId: string
  now: Date
  sourceAddress: string
  path: Readonly<Record<string, string | undefined>>
  query: string
  deadline: Deadline
}

export type PerformedStaffOperation = {
  entry: StaffOperation
  perform: (raw: RawStaffCall) => ReturnType<AnyStaffHandler>
}

/** Everything between a session and a handler, in the order a caller sees refusals: permission, path, query, body. */
export function staffPerformer(
  entry: StaffOperation,
  handler: AnyStaffHandler,
  parts: { worlds: StaffWorlds; cursors: Cursors },
): PerformedStaffOperation['perform'] {
  const readPath = pathReader(staffPathNames(entry), answeredAlike(staffPathParameters))
  const readQuery = queryReader({ query: answeredAlike(entry.query ?? {}) })
  const body: Body | undefined = entry.body && { ...entry.body, malformed: 'invalid_request' }
  const checkBody = bodyReader(body)

  return async (raw) => {
    const { session, requestId, now } = raw
    if (entry.permission !== null && !(session && permissionsOf(session.roles).has(entry.permission))) {
      throw new Refusal<string>('not_permitted', `This needs the permission ${entry.permission}.`)
    }
    const path = readPath(raw.path)
    const query = readQuery(raw.query)
    const username = session?.username ?? ''
    const pages = pager(parts.cursors, query, pageBinding(['staff', entry.id, username], { ...path, ...query }))
    const upload = entry.upload && (await raw.deadline.apart(() => readUpload(raw.request, entry.upload!)))
    const value = entry.upload
      ? undefined
      : await checkBody(() => raw.deadline.apart(() => readDeclaredBody(raw.request, body)))
    const call: StaffCall<StaffOperation> = {
      session: session as Session,
      world: parts.worlds[(path as { environment?: keyof StaffWorlds }).environment ?? 'PRODUCTION'],
      path: path as never,
      query: query as never,
      body: value as never,
      upload: upload as never,
      ...pages,
      now,
      requestId,
      change: { actor: { kind: 'STAFF', id: username }, now, requestId },
      sourceAddress: raw.sourceAddress,
      refuse: (code, detail, headers) => new Refusal<string>(code, detail, headers),
    }
    return entry.takesTime ? raw.deadline.apart(() => handler(call)) : raw.deadline.inTime(handler(call))
  }
}

/** Forms shared with the partner API would bring its codes; here all that is malformed is `invalid_request`. */
function answeredAlike<Name extends string>(
  parameters: Readonly<Record<Name, Parameter<unknown>>>,
): Record<Name, Parameter<unknown>> {
  const alike = Object.entries<Parameter<unknown>>(parameters).map(([name, parameter]) => [
    name,
    { ...parameter, malformed: 'invalid_request' },
  ])
  return Object.fromEntries(alike) as Record<Name, Parameter<unknown>>
}

async function readUpload(
  request: IncomingMessage,
  { mediaTypes, bytesMax }: NonNullable<StaffOperation['upload']>,
): Promise<{ mediaType: string; bytes: Buffer }> {
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (!mediaTypes.includes(mediaType)) {
    throw new Refusal('invalid_request', `the body must be sent as Content-Type: ${mediaTypes.join(' or ')}`)
  }
  try {
    const bytes = await readBytes(request, bytesMax)
    if (bytes.length === 0) throw new BodyRefused('a body is required')
    return { mediaType, bytes }
  } catch (error) {
    if (error instanceof BodyRefused) throw new Refusal('invalid_request', error.message)
    throw error
  }
}
