import { baseUrlOf, type Environment } from '../environment.ts'
import { bearer, renew } from '../session/session.ts'
import { answerFields, operationTable } from './contract.gen.ts'
import type { operations as DeveloperOperations } from './developer.gen.d.ts'
import type { operations as PartnerOperations } from './partner.gen.d.ts'
import { exchange, type Exchange } from './exchange.ts'
import { isProblem, NotUnderstood, Refusal, Unreachable } from './problems.ts'
import type { operations as SandboxOperations } from './sandbox.gen.d.ts'
import { hold, inTurn } from './turns.ts'

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

export type CallSettings = {
  signal?: AbortSignal
  /** of a change: the ETag of what the person looked at. It is made only if that is still so */
  ifMatch?: string | undefined
}

/** What was read, and the ETag by which a change can name it. */
export type Revised<Answer> = { answer: Answer; tag: string | undefined }

/**
 * Calls an operation as the person who is signed in. A token that was refused is renewed once; where the sign-in is
 * over, the call waits until somebody has signed in again.
 * @throws Refusal in the service's own words; Unreachable, NoAnswer, NotUnderstood; OtherPerson, SignedOut
 */
export async function call<Id extends Operation>(
  environment: Environment,
  id: Id,
  input: InputOf<Id>,
  settings: CallSettings = {},
): Promise<AnswerOf<Id>> {
  return (await callRevised(environment, id, input, settings)).answer
}

/** The same, with the ETag of the answer. */
export async function callRevised<Id extends Operation>(
  environment: Environment,
  id: Id,
  input: InputOf<Id>,
  settings: CallSettings = {},
): Promise<Revised<AnswerOf<Id>>> {
  const token = await bearer(environment)
  const answer = await sendPatiently(environment, id, input as Input, token, settings)
  if (answer.response.status !== 401) return taken(answer, id)
  return taken(await sendPatiently(environment, id, input as Input, await renew(environment, token), settings), id)
}

type Input = Readonly<Record<string, unknown>>

/** A wait that the host names is kept if it is not long. A call that was refused so has done nothing. */
const secondsHeldMax = 60
const timesHeldMax = 4

async function sendPatiently(
  environment: Environment,
  id: Operation,
  input: Input,
  token: string,
  settings: CallSettings,
) {
  const isChange = operationTable[id][0] !== 'GET'
  for (let times = 0; ; times++) {
    const { answer, isHeld } = await inTurn(environment, attempt, {
      signal: settings.signal,
      // Somebody waits for a change; and who was refused has waited before.
      isFirst: isChange || times > 0,
    })
    if (!isHeld || times === timesHeldMax) return answer
  }

  async function attempt(): Promise<{ answer: Exchange; isHeld: boolean }> {
    const answer = await send(environment, id, input, token, settings)
    const seconds = retryAfter(answer.response)
    const isHeld = answer.response.status === 429 && seconds !== null && seconds <= secondsHeldMax
    // Before the next one has its turn.
    if (isHeld) hold(environment, seconds)
    return { answer, isHeld }
  }
}

function send(
  environment: Environment,
  id: Operation,
  input: Input,
  token: string,
  { signal, ifMatch }: CallSettings,
): Promise<Exchange> {
  const [method, template] = operationTable[id]
  const { body, ...parameters } = input
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])))
  const query = Object.entries(parameters).filter(
    ([name, value]) => !template.includes(`{${name}}`) && value !== undefined && value !== '',
  )
  const search = new URLSearchParams(query.map(([name, value]) => [name, String(value)])).toString()
  return exchange(`${baseUrlOf(environment)}${path}${search && `?${search}`}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

function taken<Answer>({ response, body }: Exchange, id: Operation): Revised<Answer> {
  const isChange = operationTable[id][0] !== 'GET'
  if (response.ok) {
    if (response.status !== 204 && !isAnswerOf(id, body)) throw new NotUnderstood(isChange)
    return { answer: body as Answer, tag: response.headers.get('etag') ?? undefined }
  }
  if (isProblem(body)) throw new Refusal(body, retryAfter(response))
  // What stands before the service says so when the service is away.
  throw [502, 503, 504].includes(response.status) ? new Unreachable(isChange) : new NotUnderstood(isChange)
}

/** Whether it has all that its contract promises, as far as one looks at its outside. */
function isAnswerOf(id: Operation, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  const given = body as Readonly<Record<string, unknown>>
  return answerFields[id].every((name) =>
    name.endsWith('[]') ? Array.isArray(given[name.slice(0, -2)]) : given[name] !== undefined,
  )
}

/** null = the host did not say */
function retryAfter({ headers }: Response): number | null {
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
  return Number.isNaN(seconds) ? null : seconds
}
