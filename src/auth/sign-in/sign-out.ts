import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { endSignIns } from '../../partners/end-sign-ins.ts'
import { openExchange, type PageAnswer, type PageRequest } from './exchange.ts'
import { formProof, isOwnForm, readForm } from './forms.ts'
import { pageAnswer, type Site } from './pages/layout.ts'
import { foreignFormPage, signedOutPage, signOutPage } from './pages/other-pages.ts'
import type { SignInProvider } from './provider.ts'

/** Signs out of this browser and, if the person wants, of every application too. */
export function signOut(parts: {
  site: () => Site
  provider: () => Promise<SignInProvider>
  database: Database
  /** `deriveKey(masterKey, environment, 'session')` */
  key: Buffer
}): Record<'show' | 'take', (request: PageRequest) => Promise<PageAnswer>> {
  const { site, database, key } = parts

  return {
    show: async (request) => {
      const { session } = await sessionOf('GET', request)
      const username = session.accountId === undefined ? undefined : await usernameOf(session.accountId)
      if (username === undefined) return pageAnswer(site(), signedOutPage)
      return pageAnswer(site(), signOutPage(username, formProof(key, session.uid)))
    },
    take: async (request) => {
      const { session } = await sessionOf('POST', request)
      const form = readForm(request)
      if (session.accountId === undefined) return pageAnswer(site(), signedOutPage)
      if (!form || !isOwnForm(request, form, site().baseUrl, formProof(key, session.uid))) {
        return pageAnswer(site(), foreignFormPage)
      }
      if (form.get('action') === 'everything') await endSignIns(database.statements, session.accountId)
      await session.destroy()
      return pageAnswer(site(), signedOutPage)
    },
  }

  async function sessionOf(method: 'GET' | 'POST', request: PageRequest) {
    const { library } = await parts.provider()
    const exchange = openExchange(site().baseUrl, method, { ...request, body: Buffer.alloc(0) })
    const context = library.createContext(exchange.request, exchange.response)
    return { session: await library.Session.get(context as Parameters<typeof library.Session.get>[0]) }
  }

  async function usernameOf(personId: string): Promise<string | undefined> {
    const person = await database.statements.row<{ username: string }>(sql`
      select username from partner_person where person_id = ${personId} and disabled_on is null`)
    return person?.username
  }
}
