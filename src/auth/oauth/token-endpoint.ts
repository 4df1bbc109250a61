import { publishedScope, readScopes, scopeForm } from '../../vocabulary/scopes.ts'
import { accessTokenLifetimeSeconds, type AccessTokens } from '../bearer/access-token.ts'
import { namedClient, presentsSecret, type MachineClients } from './machine-clients.ts'
import { answer, invalidClient, refused, type TokenAnswer } from './token-answers.ts'
import { readForm, type TokenForm, type TokenRequest } from './token-form.ts'

/**
 * `POST /oauth2/token`: the client credentials grant (RFC 6749 §4.4), and the entry for other grants. It does not own
 * app clients (`partners/`), how they prove themselves (`machine-clients.ts`), nor what a token may do later: a disabled
 * partner gets its token, and 401 with it.
 */
export type TokenEndpoint = (request: TokenRequest) => Promise<TokenAnswer>

/** The grants of people's sign-in. */
export type OtherGrants = {
  types: readonly string[]
  answer: (form: TokenForm, request: TokenRequest) => Promise<TokenAnswer>
}

/** Larger bodies are not token requests. */
export const tokenRequestBytesMax = 8192

/** Answers a token request. @throws Outage when the primary database cannot answer */
export function tokenEndpoint(parts: {
  clients: MachineClients
  tokens: AccessTokens
  otherGrants?: OtherGrants
}): TokenEndpoint {
  const { clients, tokens, otherGrants } = parts

  return async (request) => {
    const tooOften = clients.refuseNetwork(request)
    if (tooOften) return tooOften
    const form = readForm(request)
    if (typeof form === 'string') return refuseTokenRequest(form)
    const answered = await answerForm(request, form)
    return { ...answered, told: { ...answered.told, clientId: namedClient(request, form) } }
  }

  async function answerForm(request: TokenRequest, form: TokenForm): Promise<TokenAnswer> {
    const grantType = form.get('grant_type')
    if (grantType === undefined) return refused(400, 'invalid_request', 'grant_type is missing.')
    if (grantType === 'client_credentials') return clientCredentials(request, form)
    if (!otherGrants?.types.includes(grantType)) {
      return refused(400, 'unsupported_grant_type', 'This grant_type is not offered.')
    }
    return presentsSecret(request, form) ? refuseMachine(request, form) : forPerson(otherGrants, request, form)
  }

  async function forPerson(grants: OtherGrants, request: TokenRequest, form: TokenForm): Promise<TokenAnswer> {
    const clientId = form.get('client_id')
    if (clientId === undefined) return invalidClient()
    return clients.refuseClient(clientId, request) ?? grants.answer(form, request)
  }

  /** App clients are for client credentials only (AUTH-09). */
  async function refuseMachine(request: TokenRequest, form: TokenForm): Promise<TokenAnswer> {
    const proof = await clients.prove(request, form)
    if ('answer' in proof) return proof.answer
    return refused(400, 'unauthorized_client', 'An app client may use the client_credentials grant only.')
  }

  async function clientCredentials(request: TokenRequest, form: TokenForm): Promise<TokenAnswer> {
    const proof = await clients.prove(request, form)
    if ('answer' in proof) return proof.answer
    const { client } = proof
    const tooOften = clients.refuseProven(client, request)
    if (tooOften) return tooOften
    const requested = form.get('scope')
    if (requested !== undefined && !scopeForm.test(requested)) {
      return refused(400, 'invalid_scope', 'scope must be scope names, separated by single spaces.')
    }
    const asked = requested === undefined ? client.capabilities : readScopes(requested)
    const scopes = client.capabilities.filter((scope) => asked.includes(scope))
    const { now } = request
    const expiresOn = new Date(now.getTime() + accessTokenLifetimeSeconds * 1000)
    return answer(200, {
      access_token: tokens.mint({ kind: 'client', subject: client.clientId, scopes, issuedOn: now, expiresOn }),
      token_type: 'Bearer',
      expires_in: accessTokenLifetimeSeconds,
      scope: scopes.map(publishedScope).join(' '),
    })
  }
}

/** Refuses what is not a token request, in RFC 6749's form. @param says what is wrong with it, a sentence */
export function refuseTokenRequest(says: string): TokenAnswer {
  return refused(400, 'invalid_request', says)
}
