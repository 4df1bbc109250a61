import type { Queries } from '../../database/database.ts'
import type { PageAnswer, PageRequest } from '../sign-in/exchange.ts'
import type { AccessTokens } from '../bearer/access-token.ts'
import { revokeToken } from '../bearer/revoked-tokens.ts'
import { namedClient, presentsSecret, type MachineClients } from './machine-clients.ts'
import { invalidClient, refused, type TokenAnswer } from './token-answers.ts'
import { refuseTokenRequest } from './token-endpoint.ts'
import { readForm, type TokenForm } from './token-form.ts'

/**
 * `POST /oauth2/revoke` (RFC 7009). A client with a secret revokes its own access tokens, each alone; sign-ins of people
 * are ended by the library. A token that is not one, or not the client's, is answered like a revoked one.
 */
export function revocationEndpoint(parts: {
  clients: MachineClients
  tokens: AccessTokens
  statements: Queries
  ofSignIn: (request: PageRequest) => Promise<PageAnswer>
}): (request: PageRequest) => Promise<PageAnswer> {
  const { clients, tokens, statements, ofSignIn } = parts

  return async (request) => {
    const form = readForm(request)
    if (typeof form === 'string') return refuseTokenRequest(form)
    if (presentsSecret(request, form)) {
      const answered = await ofMachine(request, form)
      return { ...answered, told: { ...answered.told, clientId: namedClient(request, form) } }
    }
    return form.has('client_id') ? ofSignIn(request) : invalidClient()
  }

  async function ofMachine(request: PageRequest, form: TokenForm): Promise<TokenAnswer> {
    const tooOften = clients.refuseNetwork(request)
    if (tooOften) return tooOften
    const proof = await clients.prove(request, form)
    if ('answer' in proof) return proof.answer
    const presented = form.get('token')
    if (presented === undefined) return refused(400, 'invalid_request', 'token is missing.')
    const claims = tokens.read(presented, request.now)
    if (claims?.kind === 'client' && claims.subject === proof.client.clientId) await revokeToken(statements, claims)
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: '' }
  }
}
