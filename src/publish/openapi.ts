import { Problem } from '../contract/problem-document.ts'
import { methodOf, pathOf, type Chapter, type Operation } from '../contract/operation.ts'
import { problemsOf } from '../contract/operation-problems.ts'
import { pathParameters } from '../contract/parameters.ts'
import { gatewayProblems } from '../contract/problems.ts'
import { webhookEvents } from '../contract/webhook-events.ts'
import { publishedScope, scopes, type Scope } from '../vocabulary/scopes.ts'
import { exampleOf } from './examples.ts'
import { guide, signatureVector, webhookGuide } from './guide.ts'
import { headerComponents, pathParameterObjects, publishedOperation } from './operation-object.ts'
import {
  edgeNote,
  edgeRefusal,
  publishedWords,
  refusalComponents,
  withEdge,
  type RefusalComponents,
  type RefusalWords,
} from './refusals.ts'
import { createSchemaComponents, type JsonObject, type SchemaComponents } from './schemas.ts'
import { mcpPath } from './mcp-path.ts'
import { oauthPaths, oauthResponses, oauthSchemas } from './oauth-paths.ts'

/**
 * The contract as an OpenAPI 3.1 document. A pure function of entries and hosts: the same input gives the same
 * document, in the same key order.
 */
export type Hosts = { baseUrl: string; mtlsBaseUrl: string; sandboxBaseUrl: string }

export function publishOpenapi(chapters: readonly Chapter[], hosts: Hosts): JsonObject {
  const components = createSchemaComponents()
  components.published(Problem)
  const refusals = refusalComponents(components, refusalWords)
  // The paths outside the contract refer to these by name.
  for (const code of gatewayProblems) refusals.of([code])
  for (const [name, schema] of Object.entries(oauthSchemas)) components.put(name, schema)
  const paths: Record<string, JsonObject> = { ...oauthPaths }
  for (const { name, operations } of chapters) {
    for (const entry of Object.values(operations)) {
      const path = (paths[pathOf(entry)] ??= {})
      path[methodOf(entry).toLowerCase()] = operationObject(entry, name, components, refusals)
    }
  }
  paths['/v1/mcp'] = mcpPath(components)
  const webhooks = webhookObjects(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner Commerce API',
      version: '1.0.0',
      description: guide(),
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [
      { url: hosts.baseUrl, description: 'bearer tokens' },
      { url: hosts.mtlsBaseUrl, description: 'mutual TLS: the client certificate is the credential, on every path' },
      { url: hosts.sandboxBaseUrl, description: 'sandbox, bearer tokens: the same API for tests' },
    ],
    tags: [
      {
        name: 'Tokens',
        description: 'Access tokens for the bearer hosts, and the sign-in of people for the MCP endpoint.',
      },
      ...chapters.map(({ name, says }) => ({ name, description: says })),
      { name: 'MCP', description: 'The API as tools for agents.' },
      { name: 'Webhooks', description: webhookGuide },
    ],
    paths,
    webhooks,
    components: {
      securitySchemes: securitySchemes(hosts),
      parameters: pathParameterObjects(pathParameters, Object.keys(paths), components),
      headers: headerComponents,
      responses: { ...refusals.responses(), EdgeRefusal: edgeRefusal, ...oauthResponses },
      examples: refusals.examples(),
      schemas: components.all(),
    },
  }
}

function operationObject(
  entry: Operation,
  tag: string,
  components: SchemaComponents,
  refusals: RefusalComponents,
): JsonObject {
  return publishedOperation(entry, {
    tag,
    security: security(entry),
    answerHeaders: ['Request-Id', 'RateLimit', 'RateLimit-Policy', 'Cache-Control'],
    refusals: withEdge(refusals.of(problemsOf(entry))),
    components,
  })
}

function security(entry: Operation): JsonObject[] {
  if (entry.open) return [{}, { mutualTLS: [] }]
  return [{ oauth2: entry.scope === null ? [] : [publishedScope(entry.scope)] }, { mutualTLS: [] }]
}

const refusalWords: RefusalWords = {
  ...publishedWords,
  headers: (status) => ['Request-Id', ...(refusalHeaders[status] ?? [])],
  note: edgeNote,
}

const refusalHeaders: Readonly<Record<number, readonly (keyof typeof headerComponents)[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
}

const scopeMeanings: Readonly<Record<Scope, string>> = {
  'credit:read': 'read credit accounts and their adjustments',
  'divisions:read': 'read divisions',
  'divisions:write': 'create and change divisions',
  'orders:read': 'read orders, lines, shipments and proofs',
  'orders:write': 'submit orders, read submissions, decide proofs, attach artwork',
  'products:read': 'read the catalog and segments, quote goods and delivery',
  'products:write': 'change products, variants, images and product segments',
  'sites:read': 'list the granted sites',
  'users:read': 'read users and their addresses',
  'users:write': 'create and change users and their segments',
}

function securitySchemes(hosts: Hosts): JsonObject {
  const named = Object.fromEntries(scopes.map((scope) => [publishedScope(scope), scopeMeanings[scope]]))
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Machines use client credentials. People of a partner can sign in for the MCP endpoint.',
      flows: {
        clientCredentials: { tokenUrl: `${hosts.baseUrl}/oauth2/token`, scopes: named },
        authorizationCode: {
          authorizationUrl: `${hosts.baseUrl}/oauth2/authorize`,
          tokenUrl: `${hosts.baseUrl}/oauth2/token`,
          scopes: named,
        },
      },
    },
    mutualTLS: { type: 'mutualTLS', description: 'A registered client certificate, on the mutual-TLS host.' },
    clientBasic: {
      type: 'http',
      scheme: 'basic',
      description: 'client_id and client_secret, at the token endpoint only.',
    },
  }
}

function webhookObjects(components: SchemaComponents): JsonObject {
  return Object.fromEntries(
    Object.entries(webhookEvents).map(([type, { payload, readAgain, says }]) => [
      type,
      {
        post: {
          operationId: `on_${type.replace('.', '_')}`,
          tags: ['Webhooks'],
          summary: says.replace(/\.$/, ''),
          description: `Read again: \`${readAgain}\`.`,
          security: [],
          parameters: webhookHeaders,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: components.published(payload),
                example: exampleOf(payload as unknown as JsonObject),
              },
            },
          },
          responses: {
            '2XX': { description: 'Delivered. Another status, or no answer within 5 seconds, is a failed delivery.' },
          },
        },
      },
    ]),
  )
}

const webhookHeaders: JsonObject[] = [
  {
    name: 'Platform-Event-Id',
    in: 'header',
    required: true,
    description: 'repeats the eventId',
    schema: { type: 'string' },
    example: '0c4f2d1e-6a3b-4f7d-9e25-1b8c7a60d3f4',
  },
  {
    name: 'Platform-Signature',
    in: 'header',
    description: 'present when your endpoint has a signing secret',
    schema: { type: 'string', pattern: '^t=\\d+,v1=[0-9a-f]{64}$' },
    example: `t=${signatureVector.timestamp},v1=${signatureVector.v1}`,
  },
  {
    name: 'traceparent',
    in: 'header',
    description: 'present when your request that led to the event had one (W3C Trace Context): its trace goes on here',
    schema: { type: 'string', pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$' },
    example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  },
]
