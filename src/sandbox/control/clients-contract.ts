import { bodyObject, described, flag, record, text, textUpTo } from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import type { JsonObject } from '../../vocabulary/json.ts'
import { nameFault } from '../../vocabulary/text.ts'

/** App clients that a partner's developers make themselves. In production staff issue them. */

const nameLengthMax = 200

function checkName({ name }: JsonObject): string | undefined {
  return typeof name === 'string' ? nameFault('name', name, nameLengthMax) : undefined
}

export const clients = {
  createSandboxClient: operation({
    id: 'createSandboxClient',
    at: 'POST /sandbox/clients',
    scope: null,
    ownApplications: true,
    body: {
      schema: bodyObject({
        name: described(textUpTo(nameLengthMax), 'what it is for, such as a machine or a developer'),
      }),
      malformed: 'invalid_request',
      check: checkName,
      example: { name: 'Dana, at her desk' },
    },
    answers: {
      201: record('SandboxClient', {
        clientId: text,
        name: text,
        clientSecret: described(text, 'shown only in this answer'),
      }),
    },
    confidential: true,
    refuses: ['insufficient_scope', 'not_a_bearer_partner', 'too_many_clients', 'audit_unavailable'],
    says: 'Makes an app client for the sandbox. Its tokens may do all that you may do here; a token with fewer scopes makes none.',
    agentNote:
      'You can have five live ones, beside those that staff issued. `listCredentials` of the developer API lists them all.',
  }),
  revokeSandboxClient: operation({
    id: 'revokeSandboxClient',
    at: 'POST /sandbox/clients/{clientId}/revoke',
    scope: null,
    ownApplications: true,
    answers: { 200: record('RevokedSandboxClient', { clientId: text, revoked: described(flag, 'always true') }) },
    refuses: ['client_not_found', 'audit_unavailable'],
    says: 'Revokes an app client that you made: it gets no further token, and its tokens answer 401 from the next call on.',
  }),
}
