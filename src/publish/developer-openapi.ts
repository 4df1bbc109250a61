import type { Chapter } from '../contract/operation.ts'
import { publishBeside } from './document-beside.ts'
import type { Hosts } from './openapi.ts'
import type { JsonObject } from './schemas.ts'

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
  return publishBeside(chapters, {
    title: 'Partner Commerce developer API',
    description: guide,
    servers: [
      { url: hosts.baseUrl, description: 'bearer tokens' },
      { url: hosts.mtlsBaseUrl, description: 'mutual TLS: the client certificate is the credential' },
      { url: hosts.sandboxBaseUrl, description: 'sandbox, bearer tokens' },
    ],
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'A token of the same host, from its `POST /oauth2/token`.',
      },
      mutualTLS: { type: 'mutualTLS', description: 'A registered client certificate, on the mutual-TLS host.' },
    },
  })
}
