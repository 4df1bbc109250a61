import { methodOf, pathOf, type Chapter } from '../contract/operation.ts'
import { codesBeside, problemsOf } from '../contract/operation-problems.ts'
import { pathParameters } from '../contract/parameters.ts'
import { problemRecord } from '../contract/problem-document.ts'
import type { Hosts } from './openapi.ts'
import { headerComponents, pathParameterObjects, publishedOperation } from './operation-object.ts'
import { edgeNote, publishedWords, refusalComponents, type RefusalWords } from './refusals.ts'
import { createSchemaComponents, type JsonObject } from './schemas.ts'

/** The developer API as its own document: it is about an integration, and no integration calls it to do its work. */

const guide = `
What your integration did, in production and in the sandbox: your calls of the last 14 days, the deliveries to your webhook
endpoints with the bytes that were sent, your credentials, and what is left of your limits. It changes nothing.

Every host of the partner API serves it beside that. It takes the same credentials, needs no scope and counts against the
same limits. A person's token works here only if the developer portal or the command line of this service got it, not if
the person let another application act for them. As in the partner API, errors are problem documents; this document lists
the codes of both.
`.trim()

export function publishDeveloperOpenapi(chapters: readonly Chapter[], hosts: Hosts): JsonObject {
  const components = createSchemaComponents()
  components.published(problemRecord(codesBeside(chapters)))
  const refusals = refusalComponents(components, refusalWords)
  const paths: Record<string, JsonObject> = {}
  for (const { name, operations } of chapters) {
    for (const entry of Object.values(operations)) {
      const path = (paths[pathOf(entry)] ??= {})
      path[methodOf(entry).toLowerCase()] = publishedOperation(entry, {
        tag: name,
        security: [{ bearer: [] }, { mutualTLS: [] }],
        answerHeaders: ['Request-Id', 'RateLimit', 'RateLimit-Policy', 'Cache-Control'],
        refusals: refusals.of(problemsOf(entry)),
        components,
      })
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner Commerce developer API',
      version: '1.0.0',
      description: guide,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [
      { url: hosts.baseUrl, description: 'bearer tokens' },
      { url: hosts.mtlsBaseUrl, description: 'mutual TLS: the client certificate is the credential' },
      { url: hosts.sandboxBaseUrl, description: 'sandbox, bearer tokens' },
    ],
    tags: chapters.map(({ name, says }) => ({ name, description: says })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of the same host, from its `POST /oauth2/token`.',
        },
        mutualTLS: { type: 'mutualTLS', description: 'A registered client certificate, on the mutual-TLS host.' },
      },
      parameters: pathParameterObjects(pathParameters, Object.keys(paths), components),
      headers,
      responses: refusals.responses(),
      examples: refusals.examples(),
      schemas: components.all(),
    },
  }
}

/** Nothing is made here, so no answer says where to read it. */
const { Location: _location, ...headers } = headerComponents

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
