import { problemMeaning, type ProblemCode } from '../../src/contract/problems.ts'
import {
  kebab,
  operationsOf,
  responseOf,
  codesOf,
  titleOf,
  type JsonObject,
  type Json,
  type OpenapiDocument,
  type OperationObject,
  type Published,
  type ResponseObject,
} from './documents.ts'
import { samplesOf } from './samples.ts'

/**
 * The documents as one, in the form in which the reference shows it: an operation is named by its id, carries its samples,
 * and tells its refusals by their codes, each of which has a page of its own.
 */
export function referenceDocument(documents: readonly Published[]): JsonObject {
  const [partners] = documents
  if (partners === undefined) throw new Error('openapi/partner-commerce.json is missing')
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operationsOf(documents)) {
    const { method, path, object, document } = operation
    const samples = samplesOf(operation)
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = {
      ...shown(object, document),
      servers: document.servers,
      'x-codeSamples': samples.map(({ language, highlight, source }) => ({ label: language, lang: highlight, source })),
    } as unknown as Json
  }
  const webhooks = Object.fromEntries(
    Object.entries(partners.document.webhooks ?? {}).map(([type, methods]) => [
      type,
      Object.fromEntries(
        Object.entries(methods).map(([method, object]) => [
          method,
          { ...shown(object, partners.document), operationId: kebab(type), summary: type },
        ]),
      ),
    ]),
  )
  const components = (kind: keyof OpenapiDocument['components']) =>
    Object.assign({}, ...documents.toReversed().map(({ document }) => document.components[kind] ?? {})) as JsonObject
  const { parameters, schemas, headers, securitySchemes } = {
    parameters: components('parameters'),
    schemas: components('schemas'),
    headers: components('headers'),
    securitySchemes: components('securitySchemes'),
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'API reference',
      version: partners.document.info.version,
      description:
        'Every operation that partners can call. Those below `/sandbox` exist in the sandbox only; all others work the same in both environments. The documents to work from: [the partner API](/openapi.json), [the developer API](/developer/openapi.json), [the control API of the sandbox](/sandbox/openapi.json).',
    },
    servers: partners.document.servers as unknown as Json,
    tags: documents.flatMap(({ document }) =>
      document.tags.filter(({ name }) => name !== 'Webhooks').map(({ name }) => ({ name })),
    ),
    paths: paths as JsonObject,
    webhooks: webhooks as unknown as Json,
    components: { parameters, schemas, headers, securitySchemes } as JsonObject,
  }
}

function shown(object: OperationObject, document: OpenapiDocument): OperationObject {
  return {
    ...object,
    operationId: kebab(object.operationId),
    summary: titleOf(object.operationId),
    description: [`${object.summary}.`, object.description].filter(Boolean).join('\n\n'),
    responses: Object.fromEntries(
      Object.entries(object.responses).map(([status, response]) => [status, shownResponse(status, response, document)]),
    ),
  }
}

/** A refusal is told by its codes; what it looks like is told once, on the pages of the codes. */
function shownResponse(status: string, given: ResponseObject, document: OpenapiDocument): ResponseObject {
  const response = responseOf(given, document)
  const codes = codesOf(given, document)
  if (codes.length === 0) {
    return Number(status) >= 400 ? { description: response.description ?? '' } : withoutCommonHeaders(response)
  }
  const notes = (response.description ?? '')
    .split('\n')
    .filter((line) => !line.startsWith('- `'))
    .map((line) => codes.reduce((rest, code) => rest.replace(problemMeaning(code as ProblemCode), ''), line).trim())
    .filter(Boolean)
  const told = codes.map((code) => `- [\`${code}\`](/guides/errors/${code}/): ${problemMeaning(code as ProblemCode)}`)
  return { description: [...notes, '', ...told].join('\n').trim() }
}

/** Every answer has these, and a guide tells them. */
const commonHeaders = new Set(['Request-Id', 'RateLimit', 'RateLimit-Policy', 'Cache-Control'])

function withoutCommonHeaders({ headers, ...response }: ResponseObject): ResponseObject {
  const own = Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !commonHeaders.has(name)))
  return Object.keys(own).length === 0 ? response : { ...response, headers: own }
}
