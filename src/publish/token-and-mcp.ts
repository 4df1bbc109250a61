import type { JsonObject } from './schemas.ts'

/** The two paths beside the contract, which follow standards of their own: the token endpoint and the MCP endpoint. */

export const tokenPath: JsonObject = {
  post: {
    operationId: 'requestToken',
    tags: ['Tokens'],
    summary: 'Exchanges client credentials for an access token',
    description:
      'RFC 6749, section 4.4. Not on the mutual-TLS host. Keep the token until shortly before `expires_in` has passed and ' +
      'never ask for one per request: this endpoint has a limit of its own. There is no refresh token: ask again. A scope ' +
      'you do not hold does not fail the request; it is missing from what the token can do.',
    security: [{ clientBasic: [] }, {}],
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            required: ['grant_type'],
            properties: {
              grant_type: { type: 'string', const: 'client_credentials' },
              client_id: { type: 'string', description: 'unless sent as HTTP Basic credentials' },
              client_secret: { type: 'string', description: 'unless sent as HTTP Basic credentials' },
              scope: { type: 'string', description: 'full scope names, separated by spaces' },
            },
          },
        },
      },
    },
    responses: {
      200: {
        description: 'An access token',
        headers: { 'Cache-Control': { $ref: '#/components/headers/Cache-Control' } },
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['access_token', 'token_type', 'expires_in'],
              properties: {
                access_token: { type: 'string' },
                token_type: { type: 'string', enum: ['Bearer'] },
                expires_in: { type: 'integer', description: 'seconds', examples: [3600] },
                scope: { type: 'string' },
              },
            },
          },
        },
      },
      400: { $ref: '#/components/responses/OAuthError' },
      401: { $ref: '#/components/responses/OAuthError' },
      429: {
        description: 'Too many token requests',
        headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
      },
      503: { $ref: '#/components/responses/ServiceUnavailable' },
    },
  },
}

export const oauthErrorResponse: JsonObject = {
  description: 'Refused, in the form of RFC 6749, section 5.2',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['error'],
        properties: { error: { type: 'string' }, error_description: { type: 'string' } },
      },
    },
  },
}

export const mcpPath: JsonObject = {
  post: {
    operationId: 'mcp',
    tags: ['MCP'],
    summary: 'Speaks the Model Context Protocol',
    description:
      'Streamable HTTP with JSON answers and no session. One tool per operation your scopes allow, named in snake case ' +
      '(`list_orders`, `submit_order`, …), with the same inputs, answers and problems; a failed call is `isError` with the ' +
      'problem document. Machine credentials are accepted, and tokens of people who signed in: an MCP client finds the way from the 401 on, by ' +
      '`/.well-known/oauth-protected-resource/v1/mcp`. Each tool call counts as one ' +
      "request of the partner's limits. Uploads are not offered.",
    security: [{ oauth2: [] }, { mutualTLS: [] }],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object', description: 'a JSON-RPC 2.0 message' } } },
    },
    responses: {
      200: {
        description: 'The JSON-RPC answer',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      202: { description: 'A notification was taken; there is nothing to answer' },
      400: {
        description: 'Not a message of the protocol',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      401: { $ref: '#/components/responses/Unauthorized' },
      403: {
        description:
          'Refused by the edge firewall, without a body; or called by a web page of another origin, with a JSON-RPC error',
      },
      404: {
        description: 'Not a method of the protocol that is offered',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      429: { $ref: '#/components/responses/TooManyRequests' },
      500: { $ref: '#/components/responses/InternalServerError' },
      503: { $ref: '#/components/responses/ServiceUnavailable' },
    },
  },
}
