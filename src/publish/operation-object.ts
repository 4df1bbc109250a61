import { pathParameterNames, type AnyOperation } from '../contract/operation.ts'
import { isList, type Parameter } from '../contract/parameters.ts'
import type { JsonObject, SchemaComponents } from './schemas.ts'

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
}

export function publishedOperation(entry: AnyOperation, around: Surroundings): JsonObject {
  const { components } = around
  const query = Object.entries(entry.query ?? {}).map(([name, parameter]) =>
    queryParameter(name, parameter, components),
  )
  const path = pathParameterNames(entry).map((name) => ({ $ref: `#/components/parameters/${name}` }))
  const body = requestBody(entry, components)
  return {
    operationId: entry.id,
    tags: [around.tag],
    summary: entry.says.replace(/\.$/, ''),
    ...(entry.agentNote ? { description: entry.agentNote } : {}),
    security: around.security,
    ...(path.length + query.length > 0 ? { parameters: [...path, ...query] } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: { ...answers(entry, around), ...around.refusals },
  }
}

function queryParameter(name: string, parameter: Parameter<unknown>, components: SchemaComponents): JsonObject {
  // Several values stand in one parameter, separated by commas.
  const several: JsonObject = isList(parameter) ? { explode: false } : {}
  return { name, in: 'query', description: parameter.says, ...several, schema: components.published(parameter.schema) }
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
      { name, in: 'path', required: true, description: says, schema: components.published(schema) },
    ]),
  )
}

function requestBody(entry: AnyOperation, components: SchemaComponents): JsonObject | undefined {
  if (entry.upload) {
    const content = entry.upload.mediaTypes.map((mediaType): [string, JsonObject] => [mediaType, {}])
    return { required: true, content: Object.fromEntries(content) }
  }
  if (!entry.body) return undefined
  const { schema, optional, example } = entry.body
  return {
    required: !optional,
    content: {
      'application/json': {
        schema: components.add(`${entry.id[0]!.toUpperCase()}${entry.id.slice(1)}Body`, schema),
        ...(example ? { example: example as JsonObject } : {}),
      },
    },
  }
}

const answerTitles: Readonly<Record<string, string>> = { 200: 'Done', 201: 'Created', 202: 'Accepted', 422: 'Refused' }

function answers(entry: AnyOperation, { answerHeaders, components }: Surroundings): JsonObject {
  return Object.fromEntries(
    Object.entries(entry.answers).map(([status, schema]) => [
      status,
      {
        description: answerTitles[status]!,
        headers: headersOf([...answerHeaders, ...(entry.headers?.[Number(status)] ?? [])]),
        content: { [entry.download?.mediaType ?? 'application/json']: { schema: components.published(schema) } },
      },
    ]),
  )
}

export function publishedProblem(
  status: number,
  codes: readonly string[],
  description: string,
  headerNames: readonly string[],
): JsonObject {
  return {
    description,
    headers: headersOf(headerNames),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { status: { const: status }, code: { enum: [...codes] } } },
          ],
        },
      },
    },
  }
}

function headersOf(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
