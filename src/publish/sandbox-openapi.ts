import { methodOf, pathOf, type Chapter } from '../contract/operation.ts'
import { codesBeside, problemsOf } from '../contract/operation-problems.ts'
import { pathParameters } from '../contract/parameters.ts'
import { problemRecord } from '../contract/problem-document.ts'
import { headerComponents, pathParameterObjects, publishedOperation } from './operation-object.ts'
import { edgeNote, edgeRefusal, publishedWords, refusalComponents, withEdge, type RefusalWords } from './refusals.ts'
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
  components.published(problemRecord(codesBeside(chapters)))
  const refusals = refusalComponents(components, refusalWords)
  const paths: Record<string, JsonObject> = {}
  for (const { name, operations } of chapters) {
    for (const entry of Object.values(operations)) {
      const path = (paths[pathOf(entry)] ??= {})
      path[methodOf(entry).toLowerCase()] = publishedOperation(entry, {
        tag: name,
        security: [{ bearer: [] }],
        answerHeaders: ['Request-Id', 'RateLimit', 'RateLimit-Policy', 'Cache-Control'],
        refusals: withEdge(refusals.of(problemsOf(entry))),
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
      headers: headerComponents,
      responses: { ...refusals.responses(), EdgeRefusal: edgeRefusal },
      examples: refusals.examples(),
      schemas: components.all(),
    },
  }
}

const refusalWords: RefusalWords = {
  ...publishedWords,
  headers: (status) => ['Request-Id', ...(refusalHeaders[status] ?? [])],
  note: edgeNote,
}

const refusalHeaders: Readonly<Record<number, readonly (keyof typeof headerComponents)[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
}
