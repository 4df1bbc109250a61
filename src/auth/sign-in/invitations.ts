import type { Database } from '../../database/database.ts'
import { acceptInvitation, findInvitation } from '../../partners/people.ts'
import { passwordRule } from '../../vocabulary/password.ts'
import type { Attempts } from './attempts.ts'
import type { PageAnswer, PageRequest } from './exchange.ts'
import { isOwnOrigin, readForm } from './forms.ts'
import { signInPaths } from './metadata.ts'
import { pageAnswer, type Page, type Site } from './pages/layout.ts'
import { foreignFormPage, invitationEndedPage } from './pages/other-pages.ts'
import { invitationAcceptedPage, invitationPage } from './pages/proof-pages.ts'

/** The page an invitation leads to, where the person sets a password. Whoever holds the link counts as the person invited. */
export function invitations(parts: {
  site: () => Site
  database: Database
  attempts: Attempts
  /** `deriveKey(masterKey, environment, 'link')` */
  linkKey: Buffer
}): Record<'show' | 'take', (request: PageRequest) => Promise<PageAnswer>> {
  const { site, database, attempts, linkKey } = parts

  async function shown(request: PageRequest, problem?: string): Promise<PageAnswer> {
    const invited = await findInvitation(database.statements, linkKey, tokenOf(request), request.now)
    if (!invited) return page(invitationEndedPage)
    const { username, partnerName } = invited
    return page({ ...invitationPage({ username, partnerName }, problem), status: problem === undefined ? 200 : 400 })
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
      if ((await attempts.ofInvitation(sourceAddress, now)) > 0) return page({ ...invitationEndedPage, status: 429 })
      const password = form.get('password') ?? ''
      if (password !== form.get('again'))
        return shown(request, 'The two passwords differ. Please enter the same password twice.')
      const accepted = await database.change((tx) =>
        acceptInvitation(tx, { now, requestId }, linkKey, tokenOf(request), password),
      )
      if ('done' in accepted) return page(invitationAcceptedPage(accepted.done.username))
      if (accepted.refused === 'invitation_not_valid') return page(invitationEndedPage)
      return shown(request, `This password cannot be used. ${passwordRule}`)
    },
  }
}

/** The path of an invitation's link on this host. */
export function invitationPath(token: string): string {
  return `${signInPaths.invitation}/${token}`
}

function tokenOf({ path }: PageRequest): string {
  return path.slice(signInPaths.invitation.length + 1)
}
