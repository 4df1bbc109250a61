import { methodOf, pathOf, type Chapter, type Operation } from '../contract/operation.ts'
import { problemsOf } from '../contract/operation-problems.ts'
import { pathParameters } from '../contract/parameters.ts'
import { problemRecord } from '../contract/problem-document.ts'
import { problemCodes, problemMeaning, problemStatus, sandboxProblemCodes } from '../contract/problems.ts'
import { pathParameterObjects, publishedOperation, publishedProblem } from './operation-object.ts'
import { createSchemaComponents, type JsonObject } from './schemas.ts'

/** The control API of the sandbox as its own document, since it does not exist in production. */

const guide = `
Control over your part of the sandbox: your clock, your orders and your own receivers of webhooks.

The sandbox host serves it beside the partner API. It takes the same bearer tokens, needs no scope and counts against the
same limits. As in the partner API, bodies are strict JSON and errors are problem documents; this document lists the codes
of both. \`GET /sandbox/scenarios\` lists what you can make happen and what happens by itself.
`.trim()

export function publishSandboxOpenapi(chapters: readonly Chapter[], sandboxBaseUrl: string): JsonObject {
  const components = createSchemaComponents()
  components.published(problemRecord([...problemCodes, ...sandboxProblemCodes]))
  const paths: Record<string, JsonObject> = {}
  for (const { name, operations } of chapters) {
    for (const entry of Object.values(operations)) {
      const path = (paths[pathOf(entry)] ??= {})
      path[methodOf(entry).toLowerCase()] = publishedOperation(entry, {
        tag: name,
        security: [{ bearer: [] }],
        answerHeaders: ['Request-Id', 'RateLimit', 'RateLimit-Policy'],
        refusals: refusals(entry),
        components,
      })
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner Commerce sandbox control API',
      version: '1.0.0',
      description: guide,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: sandboxBaseUrl }],
    tags: chapters.map(({ name, says }) => ({ name, description: says })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of the sandbox, from its `POST /oauth2/token`.',
        },
      },
      parameters: pathParameterObjects(pathParameters, Object.keys(paths), components),
      headers,
      schemas: components.all(),
    },
  }
}

function refusals(entry: Operation): JsonObject {
  const more: Readonly<Record<number, readonly (keyof typeof headers)[]>> = {
    401: ['WWW-Authenticate'],
    429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  }
  const published = [...Map.groupBy(problemsOf(entry), problemStatus)].map(([status, codes]): [string, JsonObject] => {
    const meanings = codes.map((code) => `- \`${code}\`: ${problemMeaning(code)}`).join('\n')
    return [String(status), publishedProblem(status, codes, meanings, ['Request-Id', ...(more[status] ?? [])])]
  })
  return { ...Object.fromEntries(published), 403: { description: 'The edge firewall refused the request; no body.' } }
}

const headers = {
  'Request-Id': { description: 'identifies this request to support', schema: { type: 'string' } },
  RateLimit: { description: 'what is left of your limits', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'your limits', schema: { type: 'string' } },
  'Retry-After': { description: 'seconds to wait', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'how to authenticate', schema: { type: 'string' } },
  Location: { description: 'where to read the new record', schema: { type: 'string', format: 'uri-reference' } },
  'Cache-Control': { description: '`no-store`', schema: { type: 'string' } },
} satisfies JsonObject
