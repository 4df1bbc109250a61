import { pathParameterNames, type AnyOperation, type Operation } from '../contract/operation.ts'
import { isList, type Parameter } from '../contract/parameters.ts'
import { exampleOf } from './examples.ts'
import { headersOf } from './refusals.ts'
import type { Json, JsonObject, SchemaComponents } from './schemas.ts'

/** The parts of an OpenAPI document that all contracts of this service share. */

/** The parts that differ between the contracts. */
export type Surroundings = {
  tag: string
  security: JsonObject[]
  /** names of the header components of every answer */
  answerHeaders: readonly string[]
  /** by status */
  refusals: JsonObject
  components: SchemaComponents
  exchanged?: Exchanged | undefined
}

/** A call as it was made: what was sent, if anything, and what was answered. */
export type Exchanged = { body?: Json; status: number; answer: Json }

export function publishedOperation(
  entry: AnyOperation & Pick<Operation, 'ownApplications'>,
  around: Surroundings,
): JsonObject {
  const { components } = around
  const query = Object.entries(entry.query ?? {}).map(([name, parameter]) =>
    queryParameter(name, parameter, components),
  )
  const path = pathParameterNames(entry).map((name) => ({ $ref: `#/components/parameters/${name}` }))
  const parameters = [...path, ...query, ...conditions(entry)]
  const body = requestBody(entry, around)
  const description = [entry.agentNote, entry.ownApplications && ofOwnApplications].filter(Boolean).join('\n\n')
  return {
    operationId: entry.id,
    tags: [around.tag],
    summary: entry.says.replace(/\.$/, ''),
    ...(description === '' ? {} : { description }),
    security: around.security,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: { ...answers(entry, around), ...around.refusals },
  }
}

const ofOwnApplications =
  'The token of a person who signed in is accepted only if the developer portal or the command line of this service got ' +
  'it; another application, such as an agent, gets 403.'

/** The headers of conditional requests (RFC 9110 §13), and the one by which a client goes on with events. */
function conditions(entry: AnyOperation): JsonObject[] {
  const header = (name: string, description: string, example = revisionExample): JsonObject => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
    example,
  })
  if (entry.download?.goesOn)
    return [
      header(
        'Last-Event-ID',
        'the `id` of the last event that was read: what came after it is told first',
        entry.download.goesOn.idExample,
      ),
    ]
  if (hasRevision(entry))
    return [header('If-None-Match', 'the ETag of an earlier answer; 304 = nothing has changed since')]
  if (entry.revises === undefined) return []
  const says = `the ETag that ${entry.revises} answered; 412 = the record has changed since, and stays as it is`
  return [header('If-Match', says)]
}

function hasRevision(entry: AnyOperation): boolean {
  return entry.at.startsWith('GET ') && !entry.download
}

const revisionExample = '"6dcd4ce23d88e2ee9568ba546c007c63d9131c1b"'

export function queryParameter(name: string, parameter: Parameter<unknown>, components: SchemaComponents): JsonObject {
  const isSeveral = isList(parameter)
  return {
    name,
    in: 'query',
    description: isSeveral ? `${parameter.says}; one value, or several separated by commas` : parameter.says,
    ...(isSeveral && { explode: false }),
    schema: components.published(parameter.schema),
    example: exampleOf(parameter.schema as unknown as JsonObject, {}, name),
  }
}

/** The components that the paths refer to, by name. */
export function pathParameterObjects(
  parameters: Readonly<Record<string, Parameter<unknown>>>,
  paths: readonly string[],
  components: SchemaComponents,
): JsonObject {
  const used = Object.entries(parameters).filter(([name]) => paths.some((path) => path.includes(`{${name}}`)))
  return Object.fromEntries(
    used.map(([name, { says, schema }]) => [
      name,
      {
        name,
        in: 'path',
        required: true,
        description: says,
        schema: components.published(schema),
        example: exampleOf(schema as unknown as JsonObject, {}, name),
      },
    ]),
  )
}

function requestBody(entry: AnyOperation, { components, exchanged }: Surroundings): JsonObject | undefined {
  const sent = exchanged?.body
  if (entry.upload) {
    const example: JsonObject = sent === undefined ? {} : { example: sent }
    const content = entry.upload.mediaTypes.map((mediaType): [string, JsonObject] => [mediaType, example])
    return { required: true, content: Object.fromEntries(content) }
  }
  if (!entry.body) return undefined
  const { schema, optional, example } = entry.body
  return {
    required: !optional,
    content: {
      'application/json': {
        schema: components.add(`${entry.id[0]!.toUpperCase()}${entry.id.slice(1)}Body`, schema),
        example: sent ?? (example as JsonObject | undefined) ?? exampleOf(schema as unknown as JsonObject),
      },
    },
  }
}

const answerTitles: Readonly<Record<string, string>> = { 200: 'Done', 201: 'Created', 202: 'Accepted', 422: 'Refused' }

function answers(entry: AnyOperation, { answerHeaders, components, exchanged }: Surroundings): JsonObject {
  const own = (entry.body?.example ?? {}) as Readonly<Record<string, Json>>
  const revised: JsonObject = hasRevision(entry)
    ? { 304: { description: 'Nothing has changed', headers: headersOf([...answerHeaders, 'ETag']) } }
    : {}
  const described = Object.fromEntries(
    Object.entries(entry.answers).map(([status, schema]) => [
      status,
      {
        description: answerTitles[status]!,
        headers: headersOf([
          ...answerHeaders,
          ...(hasRevision(entry) && status === '200' ? ['ETag'] : []),
          ...(entry.headers?.[Number(status)] ?? []),
        ]),
        content: {
          [entry.download?.mediaType ?? 'application/json']: {
            schema: components.published(schema),
            example:
              // A repeated call answers the same record with another status.
              exchanged && entry.answers[exchanged.status] === schema
                ? exchanged.answer
                : exampleOf(schema as unknown as JsonObject, own),
          },
        },
      },
    ]),
  )
  return { ...described, ...revised }
}

/** The headers of answers, by name. */
export const headerComponents = {
  'Request-Id': {
    description: 'identifies this request to support',
    schema: { type: 'string', format: 'uuid' },
    example: '7f1a6c1e-2b70-4c0c-9a51-3f2d8e5b9c44',
  },
  RateLimit: {
    description: 'what is left of your limits, and in how many seconds they are full again',
    schema: { type: 'string' },
    example: '"burst";r=19;t=1, "daily";r=99999;t=52200',
  },
  'RateLimit-Policy': {
    description: 'your limits',
    schema: { type: 'string' },
    example: '"burst";q=20;w=2, "daily";q=100000;w=86400',
  },
  'Retry-After': { description: 'seconds to wait', schema: { type: 'integer' }, example: 2 },
  'WWW-Authenticate': {
    description: 'how to authenticate, or the scope that is missing',
    schema: { type: 'string' },
    example: 'Bearer error="insufficient_scope", scope="partner-api/orders:write"',
  },
  Location: {
    description: 'where to read the new record',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/orders/submissions/0c4f2d1e-6a3b-4f7d-9e25-1b8c7a60d3f4',
  },
  ETag: {
    description: 'the revision of the answer: equal as long as nothing in it changes',
    schema: { type: 'string' },
    example: revisionExample,
  },
  'Cache-Control': { description: 'nobody may keep the answer', schema: { type: 'string' }, example: 'no-store' },
} satisfies Record<string, JsonObject>
