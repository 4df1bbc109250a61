import type { Chapter } from '../contract/operation.ts'
import { publishBeside } from './document-beside.ts'
import type { JsonObject } from './schemas.ts'

/** The control API of the sandbox as its own document, since it does not exist in production. */

const guide = `
Control over your part of the sandbox: your clock, your orders and your own receivers of webhooks.

The sandbox host serves it beside the partner API. It takes the same bearer tokens and counts against the same limits. What
changes orders needs the scope \`orders:write\`, the rest none. Receivers, events, app clients and the go-live list are not for
applications that you let act for you, such as agents. As in the partner API, bodies are strict JSON and errors are problem
documents; this document lists the codes of both. \`GET /sandbox/scenarios\` lists what you can make happen and what happens
by itself.
`.trim()

export function publishSandboxOpenapi(chapters: readonly Chapter[], sandboxBaseUrl: string): JsonObject {
  return publishBeside(chapters, {
    title: 'Partner Commerce sandbox control API',
    description: guide,
    servers: [{ url: sandboxBaseUrl }],
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'A token of the sandbox, from its `POST /oauth2/token`.',
      },
    },
  })
}
