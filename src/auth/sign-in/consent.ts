import type { Database, Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { recordConsent } from '../../partners/person-proof.ts'
import { isScope, publishedScope, readScopes, type Scope } from '../../vocabulary/scopes.ts'
import type { Page } from './pages/layout.ts'
import { consentPage } from './pages/consent-page.ts'
import type { StepForm } from './pages/proof-pages.ts'
import { stepEndedPage } from './pages/other-pages.ts'
import type { Step } from './step.ts'

/**
 * Consent. The scopes that an application asks for and its partner has are shown to the person. If allowed, they become
 * a grant of exactly those. Scopes that the partner gains later are not in it; scopes that it loses stop working on the
 * token's next use (SIGN-03).
 */

type Holder = { username: string; partnerName: string; capabilities: string[]; siteNames: string[] }

export async function askConsent(database: Database, step: Step, form: StepForm): Promise<Page> {
  const holder = await holderOf(database.statements, step)
  if (!holder) return stepEndedPage
  const who = { username: holder.username, partnerName: holder.partnerName, siteNames: holder.siteNames }
  return consentPage(form, who, givenOf(step, holder))
}

/** The id of the grant; undefined when the person may no longer sign in. */
export async function giveConsent(database: Database, step: Step): Promise<string | undefined> {
  const { library, interaction, request } = step
  const holder = await holderOf(database.statements, step)
  if (!holder) return undefined
  const scopes = givenOf(step, holder)
  const given = scopes.map(publishedScope)
  const { accountId } = interaction.session!
  const clientId = String(interaction.params.client_id)
  const { now, requestId } = request
  const recorded = await database.change((tx) => recordConsent(tx, { now, requestId }, accountId, { clientId, scopes }))
  if ('refused' in recorded) return undefined
  const grant = new library.Grant({ accountId, clientId })
  const { missingOIDCScope = [], missingResourceScopes = {} } = interaction.prompt.details as {
    missingOIDCScope?: string[]
    missingResourceScopes?: Record<string, string[]>
  }
  if (missingOIDCScope.length > 0) grant.addOIDCScope(missingOIDCScope.join(' '))
  for (const [resource, asked] of Object.entries(missingResourceScopes)) {
    grant.addResourceScope(resource, asked.filter((scope) => given.includes(scope)).join(' '))
    grant.rejectResourceScope(resource, asked.filter((scope) => !given.includes(scope)).join(' '))
  }
  return grant.save()
}

function givenOf({ interaction }: Step, { capabilities }: Holder): Scope[] {
  const available = capabilities.filter(isScope)
  return readScopes(String(interaction.params.scope ?? '')).filter((scope) => available.includes(scope))
}

async function holderOf(queries: Queries, { interaction }: Step): Promise<Holder | undefined> {
  const personId = interaction.session?.accountId
  if (personId === undefined) return undefined
  return queries.row(sql`
    select partner_person.username, partner.name as partner_name, partner.capabilities,
      array(
        select site.name from partner_site join site using (site_id)
        where partner_site.partner_id = partner.partner_id order by site.site_id
      ) as site_names
    from partner_person join partner using (partner_id)
    where person_id = ${personId} and partner_person.disabled_on is null and partner.disabled_on is null`)
}
