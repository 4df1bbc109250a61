import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import { askPasswordReset } from '../../partners/people.ts'
import { usernameOf } from '../../partners/person-proof.ts'
import type { Attempts } from './attempts.ts'
import type { PageAnswer, PageRequest } from './exchange.ts'
import { isOwnOrigin, readForm } from './forms.ts'
import { pageAnswer, type Site } from './pages/layout.ts'
import { foreignFormPage } from './pages/other-pages.ts'
import { forgottenPage, resetAskedPage } from './pages/proof-pages.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/**
 * The page for people who forgot their password. It answers every name alike, and before anything is looked up: neither its
 * words nor its time tell who has an account.
 */
export function forgottenPasswords(parts: {
  site: () => Site
  database: Database
  attempts: Attempts
  /** `keyRing(masterKeys, environment, 'link')` */
  linkKeys: KeyRing
  log: Logger
}): Record<'show' | 'take', (request: PageRequest) => Promise<PageAnswer>> & { close: () => Promise<void> } {
  const { site, database, attempts, linkKeys, log } = parts
  const underWay = new Set<Promise<void>>()

  async function ask(username: string, { now, requestId }: PageRequest): Promise<void> {
    try {
      await database.change((tx) => askPasswordReset(tx, { now, requestId }, linkKeys, username))
    } catch (error) {
      log.error({ requestId, err: error }, 'a link for a forgotten password was not made; the person must ask again')
    }
  }

  return {
    show: async () => pageAnswer(site(), forgottenPage()),
    take: async (request) => {
      const form = readForm(request)
      if (!form || !isOwnOrigin(request, site().baseUrl)) return pageAnswer(site(), foreignFormPage)
      const username = usernameOf(form.get('username') ?? '')
      if (username === '') return pageAnswer(site(), { ...forgottenPage('Please enter your username.'), status: 400 })
      const wait = await attempts.ofReset(request.sourceAddress, request.now)
      if (wait > 0)
        return pageAnswer(site(), { ...forgottenPage(tooMany), status: 429, headers: { 'retry-after': String(wait) } })
      // Names are counted whether they exist or not. Beyond the limit nothing more is sent, and nobody learns of it; the links
      // that were sent stay good. Signing in is counted apart.
      const { sourceAddress, now } = request
      if ((await attempts.ofResetMail({ username, sourceAddress }, now)) === 0) {
        const asked = ask(username, request).finally(() => underWay.delete(asked))
        underWay.add(asked)
      }
      return pageAnswer(site(), resetAskedPage)
    },
    close: async () => {
      await Promise.all(underWay)
    },
  }
}

const tooMany = 'There were too many requests from your network. Please wait a quarter of an hour and try again.'
