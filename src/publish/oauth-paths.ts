import { oauthErrors } from '../contract/oauth-errors.ts'
import { publishedScope, scopes } from '../vocabulary/scopes.ts'
import type { JsonObject } from './schemas.ts'

/** The paths by which tokens are had and ended. They stand outside the contract, because they follow RFC 6749 and 7009. */

const text = (description: string, example: string): JsonObject => ({
  type: 'string',
  description,
  examples: [example],
})

const clientId = text('the application; as HTTP Basic credentials or here', '1f0c7d0e5b2a4d35')
const publicClientId = text('the application', 'https://agent.example.com/client.json')
const scope = text(
  `full scope names, separated by spaces; one that you do not have is left out. Without it: all that you have (${scopes.length} exist)`,
  scopes.slice(0, 2).map(publishedScope).join(' '),
)
const resource = text(
  'what the token is for: the URL of the host or of its MCP endpoint (the default)',
  'https://api.example.com/v1/mcp',
)
const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const token = 'eyJhbGciOiJkaXIifQ..c2lnbmVkLWFuZC1zZWFsZWQ'

function grant(type: string, description: string, required: readonly string[], fields: JsonObject): JsonObject {
  return {
    type: 'object',
    description,
    required: ['grant_type', ...required],
    properties: { grant_type: { type: 'string', const: type, description: 'the kind of grant' }, ...fields },
  }
}

export const oauthSchemas: Readonly<Record<string, JsonObject>> = {
  ClientCredentialsGrant: grant('client_credentials', 'A machine of a partner asks for itself (RFC 6749 §4.4).', [], {
    client_id: clientId,
    client_secret: text('the secret of the application; as HTTP Basic credentials or here', 'its-secret'),
    scope,
  }),
  AuthorizationCodeGrant: grant(
    'authorization_code',
    'An application brings the code of a sign-in (RFC 6749 §4.1.3). A code works once, within 60 seconds.',
    ['code', 'client_id', 'redirect_uri', 'code_verifier'],
    {
      code: text('the code that the sign-in sent to redirect_uri', 'Yzk2NGY2ZTQ'),
      client_id: publicClientId,
      redirect_uri: text('the address of the sign-in request', 'http://127.0.0.1:33418/callback'),
      code_verifier: text('what code_challenge was made of (RFC 7636)', codeVerifier),
      resource,
    },
  ),
  RefreshTokenGrant: grant(
    'refresh_token',
    'An application goes on with a sign-in (RFC 6749 §6). A refresh token works once; its successor comes with the answer.',
    ['refresh_token', 'client_id'],
    { refresh_token: text('the last one that was answered', 'cmVmcmVzaA'), client_id: publicClientId, scope, resource },
  ),
  AccessToken: {
    type: 'object',
    required: ['access_token', 'token_type', 'expires_in', 'scope'],
    properties: {
      access_token: text('send it as `Authorization: Bearer`', token),
      token_type: { type: 'string', enum: ['Bearer'], description: 'how it is sent' },
      expires_in: { type: 'integer', description: 'seconds until it expires', examples: [3600] },
      scope: text('the scopes that it was given', publishedScope(scopes[0])),
      refresh_token: text('for the next token; only after a sign-in, and until 12 hours after it', 'cmVmcmVzaA'),
      id_token: text('who signed in, as a JWT; only when `openid` was asked for', 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln'),
    },
  },
  OAuthError: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        description: 'what is wrong; branch on this',
        anyOf: [
          {
            type: 'string',
            enum: Object.keys(oauthErrors),
          },
          { type: 'string' },
        ],
      },
      error_description: text('for people; never parse it', 'The client credentials are missing or not valid.'),
    },
  },
}

function oauthError(description: string, error: string, says: string, headers: JsonObject = {}): JsonObject {
  return {
    description,
    headers: { ...noStore, ...headers },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/OAuthError' },
        example: { error, error_description: says },
      },
    },
  }
}

const noStore: JsonObject = { 'Cache-Control': { $ref: '#/components/headers/Cache-Control' } }

export const oauthResponses: JsonObject = {
  OAuthRefused: oauthError(
    'The request is refused, in the form of RFC 6749 §5.2',
    'invalid_grant',
    'The code or refresh token is not good for this request, or no longer good.',
  ),
  OAuthClientRefused: oauthError(
    'The application did not prove itself: `invalid_client`. Who sent HTTP Basic credentials is told so in `WWW-Authenticate`',
    'invalid_client',
    'The client credentials are missing or not valid.',
    { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } },
  ),
  OAuthTooMany: oauthError(
    'Too many requests for tokens and of machines to revoke them, taken together: at most 20 a minute for an application, and 100 for a network',
    'temporarily_unavailable',
    'Too many requests. Wait as long as Retry-After says.',
    { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
  ),
}

const refused: JsonObject = {
  400: { $ref: '#/components/responses/OAuthRefused' },
  401: { $ref: '#/components/responses/OAuthClientRefused' },
}
const always: JsonObject = {
  403: { $ref: '#/components/responses/EdgeRefusal' },
  500: { $ref: '#/components/responses/InternalError' },
  503: { $ref: '#/components/responses/ServiceUnavailable' },
}

function form(schema: JsonObject, example: JsonObject): JsonObject {
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema, example } } }
}

const grants = {
  client_credentials: 'ClientCredentialsGrant',
  authorization_code: 'AuthorizationCodeGrant',
  refresh_token: 'RefreshTokenGrant',
}
const grantSchemas = Object.entries(grants).map(([type, name]) => [type, `#/components/schemas/${name}`] as const)

const tokenPath: JsonObject = {
  post: {
    operationId: 'requestToken',
    tags: ['Tokens'],
    summary: 'Exchanges client credentials, the code of a sign-in or a refresh token for an access token',
    description:
      'RFC 6749. The mutual-TLS host does not offer it. Keep the token until shortly before it expires (`expires_in`) and ' +
      'do not request one per call: this endpoint has a limit of its own. Machines get no refresh token: they request a ' +
      'new token. A scope that you do not have does not fail the request; the token lacks it.',
    security: [{ clientBasic: [] }, {}],
    requestBody: form(
      {
        oneOf: grantSchemas.map(([, $ref]) => ({ $ref })),
        discriminator: { propertyName: 'grant_type', mapping: Object.fromEntries(grantSchemas) },
      },
      { grant_type: 'client_credentials', client_id: '1f0c7d0e5b2a4d35', client_secret: 'its-secret' },
    ),
    responses: {
      200: {
        description: 'An access token',
        headers: noStore,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/AccessToken' },
            example: {
              access_token: token,
              token_type: 'Bearer',
              expires_in: 3600,
              scope: scopes.slice(0, 2).map(publishedScope).join(' '),
            },
          },
        },
      },
      ...refused,
      429: { $ref: '#/components/responses/OAuthTooMany' },
      ...always,
    },
  },
}

function query(name: string, description: string, example: string, more: JsonObject = {}): JsonObject {
  const { required = false, ...schema } = more
  return { name, in: 'query', required, description, schema: { type: 'string', ...schema }, example }
}

const page: JsonObject = { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } }

const authorizePath: JsonObject = {
  get: {
    operationId: 'authorize',
    tags: ['Tokens'],
    summary: 'Sends a person to the sign-in, and back to the application with a code',
    description:
      'RFC 6749 §4.1 with PKCE (RFC 7636) and resource indicators (RFC 8707), for a browser. Applications are registered by ' +
      'staff, or their `client_id` is the address of a document about them (Client ID Metadata Document). ' +
      '`/.well-known/oauth-authorization-server` describes the server.',
    security: [],
    parameters: [
      query('response_type', 'what is asked for', 'code', { required: true, enum: ['code'] }),
      query('client_id', 'the application', 'https://agent.example.com/client.json', { required: true }),
      query('redirect_uri', 'one of its registered addresses', 'http://127.0.0.1:33418/callback', { required: true }),
      query('code_challenge', 'SHA-256 of code_verifier, as base64url', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', {
        required: true,
      }),
      query('code_challenge_method', 'how code_challenge was made', 'S256', { required: true, enum: ['S256'] }),
      query('state', 'comes back unchanged: compare it', 'a7Xk2'),
      query('scope', 'full scope names, separated by spaces; all of them if absent', publishedScope(scopes[0])),
      query('resource', 'the URL of the host or of its MCP endpoint (the default)', 'https://api.example.com/v1/mcp', {
        format: 'uri',
      }),
    ],
    responses: {
      303: {
        description:
          'To the sign-in; after it to `redirect_uri` with `code`, `state` and `iss`, or with `error` and `error_description`',
        headers: { Location: { $ref: '#/components/headers/Location' } },
      },
      400: { description: 'The request cannot be sent back to an application: a page that says why', content: page },
      403: { $ref: '#/components/responses/EdgeRefusal' },
      503: {
        description: 'The sign-in is unavailable: a page that says so',
        headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
        content: page,
      },
    },
  },
}

const revokePath: JsonObject = {
  post: {
    operationId: 'revokeToken',
    tags: ['Tokens'],
    summary: 'Ends a token',
    description:
      'RFC 7009. A machine sends its secret and ends this one token of its own. An application in which a person signed in ' +
      'sends its `client_id`, and any token of the sign-in ends the sign-in with all its tokens. A token that is unknown, ' +
      "has ended or is another's answers 200 too. A request with neither is 401.",
    security: [{ clientBasic: [] }, {}],
    requestBody: form(
      {
        type: 'object',
        required: ['token'],
        properties: {
          token: text('the access or refresh token', token),
          token_type_hint: text('`access_token` or `refresh_token`; it changes nothing', 'access_token'),
          client_id: publicClientId,
          client_secret: text('the secret of a machine; as HTTP Basic credentials or here', 'its-secret'),
        },
      },
      { token, client_id: 'https://agent.example.com/client.json' },
    ),
    responses: {
      200: { description: 'The token has ended; no body' },
      ...refused,
      429: { $ref: '#/components/responses/OAuthTooMany' },
      ...always,
    },
  },
}

export const oauthPaths: Readonly<Record<string, JsonObject>> = {
  '/oauth2/token': tokenPath,
  '/oauth2/authorize': authorizePath,
  '/oauth2/revoke': revokePath,
}
