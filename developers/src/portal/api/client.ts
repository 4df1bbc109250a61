import { baseUrlOf, type Environment } from '../environment.ts'
import { bearer, renew } from '../session/session.ts'
import { operationTable } from './contract.gen.ts'
import type { operations as DeveloperOperations } from './developer.gen.d.ts'
import type { operations as PartnerOperations } from './partner.gen.d.ts'
import { Refusal, Unreachable, type ProblemDocument } from './problems.ts'
import type { operations as SandboxOperations } from './sandbox.gen.d.ts'

/** The three APIs by the ids of their operations, with the types of their contracts. */

type Operations = PartnerOperations & DeveloperOperations & SandboxOperations
export type Operation = keyof Operations & keyof typeof operationTable

type Given<Id extends Operation, In extends 'path' | 'query'> = Operations[Id] extends {
  parameters: { [Key in In]?: infer Values }
}
  ? [Exclude<Values, undefined>] extends [never]
    ? unknown
    : Exclude<Values, undefined>
  : unknown

type BodyOf<Id extends Operation> = Operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? { body: Body }
  : Operations[Id] extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { body?: Body }
    : unknown

/** What an operation needs, in one object: parameters of path and query by their names, and `body`. */
export type InputOf<Id extends Operation> = Given<Id, 'path'> & Given<Id, 'query'> & BodyOf<Id>

export type AnswerOf<Id extends Operation> = Operations[Id] extends { responses: infer Answers }
  ? Answers[keyof Answers & (200 | 201 | 202)] extends { content: { 'application/json': infer Body } }
    ? Body
    : undefined
  : never

/**
 * Calls an operation as the person who is signed in. A token that was refused is renewed once; where the sign-in is
 * over, the call waits until somebody has signed in again.
 * @throws Refusal in the service's own words; Unreachable; OtherPerson
 */
export async function call<Id extends Operation>(
  environment: Environment,
  id: Id,
  input: InputOf<Id>,
  signal?: AbortSignal,
): Promise<AnswerOf<Id>> {
  const token = await bearer(environment)
  const answer = await send(environment, id, input as Input, token, signal)
  if (answer.status !== 401) return taken(answer, id)
  return taken(await send(environment, id, input as Input, await renew(environment, token), signal), id)
}

type Input = Readonly<Record<string, unknown>>

async function send(
  environment: Environment,
  id: Operation,
  input: Input,
  token: string,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const [method, template] = operationTable[id]
  const { body, ...parameters } = input
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])))
  const query = Object.entries(parameters).filter(
    ([name, value]) => !template.includes(`{${name}}`) && value !== undefined && value !== '',
  )
  const search = new URLSearchParams(query.map(([name, value]) => [name, String(value)])).toString()
  try {
    return await fetch(`${baseUrlOf(environment)}${path}${search && `?${search}`}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      credentials: 'omit',
      cache: 'no-store',
      ...(signal && { signal }),
    })
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    throw new Unreachable(method !== 'GET')
  }
}

async function taken<Answer>(response: Response, id: Operation): Promise<Answer> {
  const isChange = operationTable[id][0] !== 'GET'
  if (response.status === 204) return undefined as Answer
  const body = (await response.json().catch((cut: Error) => {
    if (cut.name === 'AbortError') throw cut
    throw new Unreachable(isChange)
  })) as Answer & Partial<ProblemDocument>
  if (response.ok) return body
  if (typeof body.code !== 'string') throw new Unreachable(isChange)
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  throw new Refusal(body as ProblemDocument, Number.isNaN(seconds) ? null : seconds)
}
