import { randomBytes } from 'node:crypto'
import type { Database } from '../../database/database.ts'
import { allowedApplications, disconnectApplication } from '../../partners/applications.ts'
import { browserSession, usernameOf } from './browser-session.ts'
import type { PageAnswer, PageRequest } from './exchange.ts'
import { formProof, isOwnForm, readForm } from './forms.ts'
import { signInPaths } from './metadata.ts'
import { clientShown } from './pages/client-shown.ts'
import { connectedApplicationsPage } from './pages/connected-applications-page.ts'
import { pageAnswer, type Site } from './pages/layout.ts'
import { foreignFormPage, signedOutPage } from './pages/other-pages.ts'
import { ownClientId, type SignInProvider } from './provider.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/** The page on which a person sees which applications act for them, and disconnects them. */
export function connectedApplications(parts: {
  site: () => Site
  provider: () => Promise<SignInProvider>
  database: Database
  /** `keyRing(masterKeys, environment, 'session')` */
  keys: KeyRing
}): Record<'show' | 'take', (request: PageRequest) => Promise<PageAnswer>> {
  const { site, database, keys } = parts

  return {
    show: async (request) => {
      const person = await personAt('GET', request)
      const here = site().baseUrl + signInPaths.applications
      if (person) return request.query === '' ? shown(request, person) : leadTo(here)
      // Whoever comes back without a session cancelled, or keeps no cookies.
      return request.query === '' ? leadTo(signInUrl(here)) : pageAnswer(site(), signedOutPage)
    },
    take: async (request) => {
      const person = await personAt('POST', request)
      if (!person) return pageAnswer(site(), signedOutPage)
      const form = readForm(request)
      if (!form || !isOwnForm(request, form, site().baseUrl, keys, person.proofOf)) {
        return pageAnswer(site(), foreignFormPage)
      }
      const { now, requestId } = request
      const clientId = form.get('application') ?? ''
      const known = await allowedApplications(database.statements, person.personId, now)
      const application = known.find((each) => each.clientId === clientId)
      if (!application) return shown(request, person)
      await database.change((tx) => disconnectApplication(tx, { now, requestId }, person.personId, clientId))
      return shown(request, person, clientShown(clientId, application.name, '').name)
    },
  }

  async function shown(request: PageRequest, person: Person, ended?: string): Promise<PageAnswer> {
    const { personId, username, proofOf } = person
    const proof = formProof(keys, proofOf)
    const applications = await allowedApplications(database.statements, personId, request.now)
    return pageAnswer(site(), connectedApplicationsPage({ username, proof, applications, ended }))
  }

  async function personAt(method: 'GET' | 'POST', request: PageRequest): Promise<Person | undefined> {
    const session = await browserSession(await parts.provider(), site().baseUrl, method, request)
    const personId = session.accountId
    const username = personId === undefined ? undefined : await usernameOf(database.statements, personId)
    if (personId === undefined || username === undefined) return undefined
    return { personId, username, proofOf: `applications/${session.uid}` }
  }

  /** A sign-in for this page. Its code is never redeemed: the session is all that the page needs. */
  function signInUrl(here: string): string {
    const query = new URLSearchParams({
      client_id: ownClientId,
      response_type: 'code',
      redirect_uri: here,
      scope: 'openid',
      code_challenge: randomBytes(32).toString('base64url'),
      code_challenge_method: 'S256',
    })
    return `${site().baseUrl}${signInPaths.authorize}?${query}`
  }
}

type Person = { personId: string; username: string; proofOf: string }

function leadTo(location: string): PageAnswer {
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' }
}
