import { methodOf, pathOf, type Chapter } from '../contract/operation.ts'
import { codesBeside, problemsOf } from '../contract/operation-problems.ts'
import { pathParameters } from '../contract/parameters.ts'
import { problemRecord } from '../contract/problem-document.ts'
import { headerComponents, pathParameterObjects, publishedOperation } from './operation-object.ts'
import { edgeNote, edgeRefusal, publishedWords, refusalComponents, withEdge, type RefusalWords } from './refusals.ts'
import { createSchemaComponents, type JsonObject } from './schemas.ts'

/** The OpenAPI document of an API that the hosts serve beside the partner API, with the same credentials and limits. */
export function publishBeside(
  chapters: readonly Chapter[],
  words: { title: string; description: string; servers: JsonObject[]; securitySchemes: JsonObject },
): JsonObject {
  const { title, description, servers, securitySchemes } = words
  const components = createSchemaComponents()
  components.published(problemRecord(codesBeside(chapters)))
  const refusals = refusalComponents(components, refusalWords)
  const paths: Record<string, JsonObject> = {}
  for (const { name, operations } of chapters) {
    for (const entry of Object.values(operations)) {
      const path = (paths[pathOf(entry)] ??= {})
      path[methodOf(entry).toLowerCase()] = publishedOperation(entry, {
        tag: name,
        security: Object.keys(securitySchemes).map((way) => ({ [way]: [] })),
        answerHeaders: ['Request-Id', 'RateLimit', 'RateLimit-Policy', 'Cache-Control'],
        refusals: withEdge(refusals.of(problemsOf(entry))),
        components,
      })
    }
  }
  const text = JSON.stringify(paths)
  const used = (kind: string, all: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers,
    tags: chapters.map(({ name, says }) => ({ name, description: says })),
    paths,
    components: {
      securitySchemes,
      parameters: pathParameterObjects(pathParameters, Object.keys(paths), components),
      headers: { ...used('headers', { Location }), ...headers },
      responses: { ...refusals.responses(), ...used('responses', { EdgeRefusal: edgeRefusal }) },
      examples: refusals.examples(),
      schemas: components.all(),
    },
  }
}

const { Location, ...headers } = headerComponents

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
