import { Type } from 'typebox'
import { bodyObject, described, flag, instant, record, text, textUpTo } from '../../contract/fields.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const isNative = described(flag, "true = runs on the person's machine: a loopback redirect may use any port")

export const SignInClientView = record('SignInClient', {
  clientId: text,
  name: described(text, 'people see it when they are asked for consent'),
  redirectUris: Type.Array(text),
  isNative,
  registeredOn: instant,
})

export const signInClients = staffSubject({
  name: 'Sign-in clients',
  says:
    "Applications with which partners' people sign in. They have no secret. Most applications need no " +
    'registration: they publish a document about themselves.',
  problems: {
    sign_in_client_not_found: [404, 'No such application.'],
    client_id_taken: [409, 'An application with this client id is registered already.'],
    client_id_not_usable: [
      422,
      'A client id has 3 to 100 letters, digits, dots, dashes or underscores and begins with a letter or digit.',
    ],
    client_name_not_usable: [422, 'A name has 1 to 100 characters and is not blank.'],
    redirect_uris_not_usable: [
      422,
      "Send one to ten redirect URIs: https, a scheme of the application's own, or http on a loopback address.",
    ],
  },
  operations: {
    listSignInClients: staffOperation({
      id: 'listSignInClients',
      at: 'GET /staff/v1/{environment}/sign-in-clients',
      permission: 'partners:read',
      answers: { 200: record('SignInClients', { clients: Type.Array(SignInClientView) }) },
      refuses: [],
      says: 'Lists the registered applications by client id.',
    }),
    registerSignInClient: staffOperation({
      id: 'registerSignInClient',
      at: 'POST /staff/v1/{environment}/sign-in-clients',
      permission: 'partners:write',
      body: {
        schema: bodyObject({
          clientId: textUpTo(200),
          name: textUpTo(400),
          redirectUris: Type.Array(textUpTo(1_000), { maxItems: 100 }),
          isNative: Type.Optional(isNative),
        }),
      },
      answers: { 201: SignInClientView },
      refuses: ['client_id_not_usable', 'client_name_not_usable', 'redirect_uris_not_usable', 'client_id_taken'],
      says: 'Registers an application.',
    }),
    removeSignInClient: staffOperation({
      id: 'removeSignInClient',
      at: 'POST /staff/v1/{environment}/sign-in-clients/{signInClientId}/remove',
      permission: 'partners:write',
      answers: { 200: record('RemovedSignInClient', { removed: Type.Literal(true) }) },
      refuses: ['sign_in_client_not_found'],
      says: 'Removes an application: people cannot sign in with it any more, and everyone is signed out of it.',
    }),
  },
})
