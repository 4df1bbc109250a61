import type { Database } from '../../database/database.ts'
import { endSignIns } from '../../partners/end-sign-ins.ts'
import { browserSession, usernameOf } from './browser-session.ts'
import type { PageAnswer, PageRequest } from './exchange.ts'
import { formProof, isOwnForm, readForm } from './forms.ts'
import { pageAnswer, type Site } from './pages/layout.ts'
import { foreignFormPage, signedOutPage, signOutPage } from './pages/other-pages.ts'
import type { SignInProvider } from './provider.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/** Signs out of this browser and, if the person wants, of every application too. */
export function signOut(parts: {
  site: () => Site
  provider: () => Promise<SignInProvider>
  database: Database
  /** `keyRing(masterKeys, environment, 'session')` */
  keys: KeyRing
}): Record<'show' | 'take', (request: PageRequest) => Promise<PageAnswer>> {
  const { site, database, keys } = parts

  return {
    show: async (request) => {
      const session = await browserSession(await parts.provider(), site().baseUrl, 'GET', request)
      const username =
        session.accountId === undefined ? undefined : await usernameOf(database.statements, session.accountId)
      if (username === undefined) return pageAnswer(site(), signedOutPage)
      return pageAnswer(site(), signOutPage(username, formProof(keys, session.uid)))
    },
    take: async (request) => {
      const session = await browserSession(await parts.provider(), site().baseUrl, 'POST', request)
      const form = readForm(request)
      if (session.accountId === undefined) return pageAnswer(site(), signedOutPage)
      if (!form || !isOwnForm(request, form, site().baseUrl, keys, session.uid)) {
        return pageAnswer(site(), foreignFormPage)
      }
      if (form.get('action') === 'everything') await endSignIns(database.statements, session.accountId)
      await session.destroy()
      return pageAnswer(site(), signedOutPage)
    },
  }
}
