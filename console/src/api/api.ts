import createClient from 'openapi-fetch'
import { operationTable } from './operations.gen.ts'
import { OtherPerson, Refusal, Unreachable, type ProblemDocument } from './problems.ts'
import { doubt } from './reach.ts'
import type { operations, paths } from './staff.gen.d.ts'

/** The staff API by the ids of its operations, with the types of its contract. */

export type Operation = keyof operations & keyof typeof operationTable
export type Environment = 'production' | 'sandbox'

type Parameters<Id extends Operation, In extends 'path' | 'query'> = operations[Id] extends {
  parameters: { [Key in In]?: infer Given }
}
  ? Exclude<Given, undefined>
  : never

type PathOf<Id extends Operation> = [Parameters<Id, 'path'>] extends [never]
  ? Record<never, never>
  : Omit<Parameters<Id, 'path'>, 'environment'>
export type QueryOf<Id extends Operation> = Parameters<Id, 'query'>

export type BodyOf<Id extends Operation> = operations[Id] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : operations[Id] extends { requestBody?: { content: unknown } }
    ? Blob | string
    : undefined

type Success = 200 | 201 | 202
type Content<Answer> = Answer extends { content: { 'application/json': infer Body } }
  ? Body
  : Answer extends { content: unknown }
    ? Blob
    : undefined
export type AnswerOf<Id extends Operation> = operations[Id] extends { responses: infer Answers }
  ? Content<Answers[keyof Answers & Success]>
  : never

type Required<Name extends string, Value> = [keyof Value] extends [never]
  ? { [Key in Name]?: undefined }
  : { [Key in Name]: Value }

/** What an operation needs: `path` without the environment, `query`, `body`. */
export type InputOf<Id extends Operation> = Required<'path', PathOf<Id>> & {
  query?: QueryOf<Id> | undefined
} & ([BodyOf<Id>] extends [undefined]
    ? { body?: undefined }
    : undefined extends BodyOf<Id>
      ? { body?: BodyOf<Id> }
      : { body: BodyOf<Id> })

export type Extra = {
  /** the revision that the change was made from; another person's change in between is then refused */
  ifMatch?: string | undefined
  signal?: AbortSignal | undefined
  /** of a body that is a file */
  contentType?: string | undefined
}

const client = createClient<paths>({
  // Lists of values are separated by commas.
  querySerializer: { array: { style: 'form', explode: false } },
})

/** Who is signed in, and what a change needs to prove that this page made it. Set by whoever signs in. */
type Signed = { username: string; csrfToken: string | null }
let signed: Signed | undefined
export function keepSigned({ username, csrfToken }: Signed): void {
  signed = { username, csrfToken }
}

/** Resolves once somebody has signed in again; the call that found the session ended is then repeated. */
let signInAgain: () => Promise<void> = () => Promise.reject(new Unreachable())
export function whenSessionEnds(ask: () => Promise<void>): void {
  signInAgain = ask
}

const revisions = new WeakMap<object, string>()

/** The revision of an answer, for `ifMatch`. */
export function revisionOf(answer: object | undefined): string | undefined {
  return answer && revisions.get(answer)
}

/** An answer that stands for another one, such as a copy, has its revision. */
export function keepRevision<Answer>(of: unknown, heir: Answer): Answer {
  const revision = isObject(of) ? revisions.get(of) : undefined
  if (revision !== undefined && isObject(heir)) revisions.set(heir, revision)
  return heir
}

/**
 * Calls an operation.
 * @throws Refusal in the service's own words; Unreachable
 */
export async function call<Id extends Operation>(
  id: Id,
  environment: Environment,
  input: InputOf<Id>,
  extra: Extra = {},
): Promise<AnswerOf<Id>> {
  const answer = await send(id, environment, input, extra)
  const isChange = operationOf(id).method !== 'GET'
  if (id === 'readSession') return taken(answer, isChange)
  if (isProblem(answer.error, 'request_forged')) await takeNewerSession()
  else if (answer.response.status === 401 && id !== 'signIn') await signInAgain()
  else return taken(answer, isChange)
  return taken(await send(id, environment, input, extra), isChange)
}

/** Somebody signed in anew in another window, so this one proves its changes by an older session. */
async function takeNewerSession(): Promise<void> {
  const { response } = await send('readSession', 'production', {}, {})
  if (!response.ok) return
  const newer = (await response.json()) as Signed
  if (signed && newer.username !== signed.username) throw new OtherPerson()
  keepSigned(newer)
}

/** The method, the path and the permission that an operation needs. */
export function operationOf(id: Operation) {
  const [method, path, permission] = operationTable[id]
  return { method, path, permission }
}

async function send(id: Operation, environment: Environment, input: object, extra: Extra): Promise<Answered> {
  const { method, path } = operationOf(id)
  const { path: names, body, query } = input as { path?: object; body?: unknown; query?: object }
  const isFile = body instanceof Blob || extra.contentType !== undefined
  const request = {
    params: { path: { ...names, environment }, query: said(query) },
    ...(body !== undefined && { body }),
    ...(isFile && { bodySerializer: (bytes: unknown) => bytes as BodyInit }),
    headers: {
      ...(signed?.csrfToken && method !== 'GET' && { 'X-CSRF-Token': signed.csrfToken }),
      ...(extra.ifMatch !== undefined && { 'If-Match': extra.ifMatch }),
      ...(isFile && { 'Content-Type': extra.contentType ?? (body as Blob).type }),
    },
    parseAs: 'stream',
    signal: extra.signal,
  }
  try {
    // The table has the path of the operation, whose types are those of `call`.
    return await (client.request as unknown as Anything)(method.toLowerCase(), path, request)
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    doubt()
    throw new Unreachable(method !== 'GET')
  }
}

/** An answer, and what it says if it is no success. */
type Answered = { response: Response; error?: unknown }
type Anything = (method: string, path: string, init: unknown) => Promise<Answered>

/** A query without what nothing was said about. */
function said(query: object | undefined): object {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== ''))
}

async function taken<Answer>({ response, error }: Answered, isChange: boolean): Promise<Answer> {
  if (!response.ok) {
    // A file that is refused answers with its report, as one that is taken.
    if (isRecordWith(error, 'imported')) return error as Answer
    if (isRecordWith(error, 'code')) throw new Refusal(error as ProblemDocument)
    doubt()
    throw new Unreachable(isChange)
  }
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  const answer = await (isJson ? response.json() : response.blob()).catch((cut: Error) => {
    throw cut.name === 'AbortError' ? cut : new Unreachable(isChange)
  })
  if (!isJson) return answer as Answer
  const revision = response.headers.get('etag')
  if (revision !== null) revisions.set(answer, revision)
  return answer
}

function isProblem(value: unknown, code: string): boolean {
  return isRecordWith(value, 'code') && (value as ProblemDocument).code === code
}

function isRecordWith(value: unknown, name: string): boolean {
  return isObject(value) && name in value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
