import { Problem } from '../contract/problem-document.ts'
import { methodOf, pathOf, type AnswerHeader, type Chapter, type Operation } from '../contract/operation.ts'
import { problemsOf } from '../contract/operation-problems.ts'
import { pathParameters } from '../contract/parameters.ts'
import { gatewayProblems, problemMeaning, problemStatus, problemTitle, type ProblemCode } from '../contract/problems.ts'
import { webhookEvents } from '../contract/webhook-events.ts'
import { publishedScope, scopes, type Scope } from '../vocabulary/scopes.ts'
import { guide, webhookGuide } from './guide.ts'
import { pathParameterObjects, publishedOperation, publishedProblem } from './operation-object.ts'
import { createSchemaComponents, type JsonObject, type SchemaComponents } from './schemas.ts'
import { mcpPath, oauthErrorResponse, tokenPath } from './token-and-mcp.ts'

/**
 * The contract as an OpenAPI 3.1 document. A pure function of entries and hosts: the same input gives the same
 * document, in the same key order.
 */
export type Hosts = { baseUrl: string; mtlsBaseUrl: string; sandboxBaseUrl: string }

export function publishOpenapi(chapters: readonly Chapter[], hosts: Hosts): JsonObject {
  const components = createSchemaComponents()
  components.published(Problem)
  const paths: Record<string, JsonObject> = { '/oauth2/token': tokenPath }
  for (const { name, operations } of chapters) {
    for (const entry of Object.values(operations)) {
      const path = (paths[pathOf(entry)] ??= {})
      path[methodOf(entry).toLowerCase()] = operationObject(entry, name, components)
    }
  }
  paths['/v1/mcp'] = mcpPath
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
      { name: 'Tokens', description: 'Access tokens for the bearer hosts.' },
      ...chapters.map(({ name, says }) => ({ name, description: says })),
      { name: 'MCP', description: 'The API as tools for agents.' },
      { name: 'Webhooks', description: webhookGuide },
    ],
    paths,
    webhooks,
    components: {
      securitySchemes: securitySchemes(hosts),
      parameters: pathParameterObjects(pathParameters, Object.keys(paths), components),
      headers,
      responses: sharedResponses,
      schemas: components.all(),
    },
  }
}

function operationObject(entry: Operation, tag: string, components: SchemaComponents): JsonObject {
  return publishedOperation(entry, {
    tag,
    security: security(entry),
    answerHeaders: ['Request-Id', 'RateLimit', 'RateLimit-Policy'],
    refusals: refusals(entry),
    components,
  })
}

function security(entry: Operation): JsonObject[] {
  if (entry.open) return [{}, { mutualTLS: [] }]
  return [{ oauth2: entry.scope === null ? [] : [publishedScope(entry.scope)] }, { mutualTLS: [] }]
}

function refusals(entry: Operation): JsonObject {
  const codesByStatus = Map.groupBy(problemsOf(entry), problemStatus)
  // The edge firewall is in front of every operation, whatever its scope.
  if (!codesByStatus.has(403)) codesByStatus.set(403, [])
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [
      status,
      sharedResponse(status, codes) ?? problemResponse(status, codes),
    ]),
  )
}

function sharedResponse(status: number, codes: readonly ProblemCode[]): JsonObject | undefined {
  if (codes.length === 0) return { $ref: '#/components/responses/EdgeRefusal' }
  const isShared = codes.every((code) => (gatewayProblems as readonly ProblemCode[]).includes(code))
  return isShared ? { $ref: `#/components/responses/${responseName(status)}` } : undefined
}

/** `Too Many Requests` → `TooManyRequests` */
function responseName(status: number): string {
  return problemTitle(status).replaceAll(' ', '')
}

type HeaderName = keyof typeof headers

function problemResponse(status: number, codes: readonly ProblemCode[]): JsonObject {
  const more: Readonly<Record<number, readonly HeaderName[]>> = {
    401: ['WWW-Authenticate'],
    403: ['WWW-Authenticate'],
    429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  }
  const edge = status === 403 ? 'A 403 without a body comes from the edge firewall.\n\n' : ''
  const meanings = codes.map((code) => `- \`${code}\`: ${problemMeaning(code)}`).join('\n')
  return publishedProblem(status, codes, edge + meanings, ['Request-Id', ...(more[status] ?? [])])
}

const headers = {
  'Request-Id': { description: 'identifies this request to support', schema: { type: 'string' } },
  RateLimit: { description: 'what is left of your limits', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'your limits', schema: { type: 'string' } },
  'Retry-After': { description: 'seconds to wait', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'how to authenticate, or the scope that is missing', schema: { type: 'string' } },
  Location: { description: 'where to read the new record', schema: { type: 'string', format: 'uri-reference' } },
  'Cache-Control': { description: '`no-store`', schema: { type: 'string' } },
} satisfies Record<string, JsonObject> & Record<AnswerHeader, JsonObject>

const sharedResponses: JsonObject = {
  ...Object.fromEntries(
    [...Map.groupBy(gatewayProblems, problemStatus)].map(([status, codes]) => [
      responseName(status),
      problemResponse(status, codes),
    ]),
  ),
  EdgeRefusal: { description: 'The edge firewall refused the request; no body.' },
  OAuthError: oauthErrorResponse,
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
          requestBody: { required: true, content: { 'application/json': { schema: components.published(payload) } } },
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
  },
  {
    name: 'Platform-Signature',
    in: 'header',
    description: 'present when your endpoint has a signing secret',
    schema: { type: 'string', pattern: '^t=\\d+,v1=[0-9a-f]{64}$' },
  },
]
