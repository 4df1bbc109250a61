import type { Database } from '../../database/database.ts'
import { findByLink, setPasswordByLink } from '../../partners/people.ts'
import { passwordRule } from '../../vocabulary/password.ts'
import type { Attempts } from './attempts.ts'
import type { PageAnswer, PageRequest } from './exchange.ts'
import { isOwnOrigin, readForm } from './forms.ts'
import { signInPaths } from './metadata.ts'
import { pageAnswer, type Page, type Site } from './pages/layout.ts'
import { foreignFormPage, invitationEndedPage, resetEndedPage } from './pages/other-pages.ts'
import { invitationAcceptedPage, invitationPage, resetPage } from './pages/proof-pages.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/** What differs between the page of an invited person and that of one who forgot the password. */
const pages = {
  invitation: { path: signInPaths.invitation, form: invitationPage, ended: invitationEndedPage },
  reset: { path: signInPaths.reset, form: resetPage, ended: resetEndedPage },
} as const

export type PasswordLink = keyof typeof pages

/** The page a link leads to, where the person sets a password. Whoever holds the link counts as the person it was sent to. */
export function passwordLinks(parts: {
  link: PasswordLink
  site: () => Site
  database: Database
  attempts: Attempts
  /** `keyRing(masterKeys, environment, 'link')` */
  linkKeys: KeyRing
}): Record<'show' | 'take', (request: PageRequest) => Promise<PageAnswer>> {
  const { link, site, database, attempts, linkKeys } = parts
  const { path, form: formPage, ended } = pages[link]
  const tokenOf = (request: PageRequest): string => request.path.slice(path.length + 1)

  async function shown(request: PageRequest, problem?: string): Promise<PageAnswer> {
    const invited = await findByLink(database.statements, link, linkKeys, tokenOf(request), request.now)
    if (!invited) return page(ended)
    const { username, partnerName } = invited
    return page({ ...formPage({ username, partnerName }, problem), status: problem === undefined ? 200 : 400 })
  }

  function page(what: Page): PageAnswer {
    return pageAnswer(site(), what)
  }

  return {
    show: (request) => shown(request),
    take: async (request) => {
      const { sourceAddress, now, requestId } = request
      const form = readForm(request)
      if (!form || !isOwnOrigin(request, site().baseUrl)) return page(foreignFormPage)
      if ((await attempts.ofInvitation(sourceAddress, now)) > 0) return page({ ...ended, status: 429 })
      const password = form.get('password') ?? ''
      if (password !== form.get('again'))
        return shown(request, 'The two passwords differ. Please enter the same password twice.')
      const accepted = await database.change((tx) =>
        setPasswordByLink(tx, { now, requestId }, link, linkKeys, tokenOf(request), password),
      )
      if ('done' in accepted) return page(invitationAcceptedPage(accepted.done.username))
      if (accepted.refused === 'link_not_valid') return page(ended)
      return shown(request, `This password cannot be used. ${passwordRule}`)
    },
  }
}

/** The path of a link on this host. */
export function passwordLinkPath(link: PasswordLink, token: string): string {
  return `${pages[link].path}/${token}`
}
