import type { JsonObject } from './schemas.ts'

/** The two paths outside the contract, which follow standards of their own: the token endpoint and the MCP endpoint. */

export const tokenPath: JsonObject = {
  post: {
    operationId: 'requestToken',
    tags: ['Tokens'],
    summary: 'Exchanges client credentials for an access token',
    description:
      'RFC 6749, section 4.4. The mutual-TLS host does not offer it. Keep the token until shortly before it expires ' +
      '(`expires_in`) and do not request one per call: this endpoint has a limit of its own. There is no refresh token: ' +
      'request a new token. A scope that you do not have does not fail the request; the token lacks it.',
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
              client_id: { type: 'string', description: 'required unless sent as HTTP Basic credentials' },
              client_secret: { type: 'string', description: 'required unless sent as HTTP Basic credentials' },
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
  description: 'An error in the form of RFC 6749, section 5.2',
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
      'Streamable HTTP with JSON answers and no session. Each operation that your scopes allow is a tool, named in snake case ' +
      '(`list_orders`, `submit_order`, …), with the same inputs, answers and problems. A failed call is `isError` with the ' +
      'problem document. The endpoint accepts machine credentials and tokens of people who signed in; an MCP client ' +
      'discovers the sign-in from the 401, through `/.well-known/oauth-protected-resource/v1/mcp`. Each tool call counts as ' +
      "one request in the partner's limits, and beyond them it is such a failed call; other messages cost nothing.",
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
      202: { description: 'The notification was accepted; there is no answer' },
      400: {
        description: 'The body is not a message of the protocol',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      401: { $ref: '#/components/responses/Unauthorized' },
      403: {
        description:
          'The edge firewall refused the request, without a body; or a web page of another origin sent it, with a JSON-RPC error',
      },
      404: {
        description: 'The endpoint does not offer this method of the protocol',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      500: { $ref: '#/components/responses/InternalServerError' },
      503: { $ref: '#/components/responses/ServiceUnavailable' },
    },
  },
}
