import { mcpQuery, toolsets } from '../contract/toolsets.ts'
import { queryParameter } from './operation-object.ts'
import type { JsonObject, SchemaComponents } from './schemas.ts'

/** The MCP endpoint, which follows a standard of its own and stands outside the contract. */
export function mcpPath(components: SchemaComponents): JsonObject {
  return {
    post: {
      operationId: 'mcp',
      tags: ['MCP'],
      summary: 'Speaks the Model Context Protocol',
      description:
        'Streamable HTTP with JSON answers and no session. Each operation that your scopes allow is a tool, named in snake case ' +
        '(`list_orders`, `submit_order`, …), with the same inputs, answers and problems; `attach_artwork_from_url` is one more. A failed call is `isError` with the ' +
        'problem document. The endpoint accepts machine credentials and tokens of people who signed in; an MCP client ' +
        'discovers the sign-in from the 401, through `/.well-known/oauth-protected-resource/v1/mcp`. Each tool call counts as ' +
        "one request in the partner's limits, and beyond them it is such a failed call; prompts, resources and completions cost " +
        'one for each operation that they read, and other messages nothing. ' +
        `The query narrows what is offered; the toolsets are ${toolsetWords}. Tools that cost money or overwrite data ask the ` +
        'person to confirm, where the client can ask.',
      security: [{ oauth2: [] }, { mutualTLS: [] }],
      parameters: [
        queryParameter('toolsets', mcpQuery.toolsets, components),
        { ...queryParameter('readonly', mcpQuery.readonly, components), allowEmptyValue: true },
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { type: 'object', description: 'a JSON-RPC 2.0 message' },
            example: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_me', arguments: {} } },
          },
        },
      },
      responses: {
        200: {
          description: 'The JSON-RPC answer',
          content: message({ jsonrpc: '2.0', id: 1, result: { content: [], isError: false } }),
        },
        202: { description: 'The notification was accepted; there is no answer' },
        400: {
          description: 'The body is not a message of the protocol',
          content: message({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }),
        },
        401: { $ref: '#/components/responses/InvalidToken' },
        403: {
          description:
            'The edge firewall refused the request, without a body; or a web page of another origin sent it, with a JSON-RPC error',
        },
        404: {
          description: 'The endpoint does not offer this method of the protocol',
          content: message({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }),
        },
        500: { $ref: '#/components/responses/InternalError' },
        503: { $ref: '#/components/responses/ServiceUnavailable' },
      },
    },
  }
}

const toolsetWords = Object.entries(toolsets)
  .map(([name, holds]) => `\`${name}\` (${holds})`)
  .join(', ')

function message(example: JsonObject): JsonObject {
  return { 'application/json': { schema: { type: 'object' }, example } }
}
