import type { Database, Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { allowApplication, declinedScopes } from '../../partners/applications.ts'
import { isOwnApplication, ownApplications } from '../../vocabulary/own-applications.ts'
import { isScope, publishedScope, readScopes, type Scope } from '../../vocabulary/scopes.ts'
import type { Form } from './forms.ts'
import type { Page } from './pages/layout.ts'
import { confirmPage, consentPage, scopeField } from './pages/consent-page.ts'
import type { StepForm } from './pages/proof-pages.ts'
import { stepEndedPage } from './pages/other-pages.ts'
import type { Step } from './step.ts'

/**
 * Consent. The scopes that an application asks for and its partner has are shown to the person, who may leave some out.
 * Those that they allow become a grant of exactly these. Scopes that the partner gains later are not in it; scopes that
 * it loses stop working on the token's next use (SIGN-03). What a person leaves out is left out again, until they choose
 * otherwise.
 *
 * The service's own applications get all of them at once: they are the service's face to the person, who would see what
 * they do there anyway. Its portal asks for nothing, since the answer goes to the service's own page. Its command line
 * asks whether the person started it: any program on their device could send them here in its name.
 */

type Holder = { username: string; partnerName: string; capabilities: string[]; siteNames: string[] }

/** @param sent the form that the person is asked to correct; without it the page shows what they chose the last time */
export async function askConsent(database: Database, step: Step, form: StepForm, sent?: Form): Promise<Page> {
  const holder = await holderOf(database.statements, step)
  if (!holder) return stepEndedPage
  const who = { username: holder.username, partnerName: holder.partnerName, siteNames: holder.siteNames }
  const offered = givenOf(step, holder)
  if (isOwnApplication(clientIdOf(step))) return confirmPage(form, who, offered)
  const { accountId } = step.interaction.session!
  const declined = sent
    ? declinedIn(sent, offered)
    : await declinedScopes(database.statements, accountId, clientIdOf(step))
  return consentPage(form, who, offered, declined)
}

/** Whether the person is asked nothing. */
export function isConsentSilent(step: Step): boolean {
  return step.interaction.prompt.name === 'consent' && clientIdOf(step) === ownApplications.portal
}

/**
 * Answers the id of the grant. `ended`: the person may no longer sign in; `nothing`: they left everything out, or there is
 * nothing to give.
 * @param form what the person chose; the service's own applications need none
 */
export async function giveConsent(
  database: Database,
  step: Step,
  form?: Form,
): Promise<{ grantId: string } | 'ended' | 'nothing'> {
  const { library, interaction, request } = step
  const holder = await holderOf(database.statements, step)
  if (!holder) return 'ended'
  const offered = givenOf(step, holder)
  const clientId = clientIdOf(step)
  const declined = isOwnApplication(clientId) ? [] : declinedIn(form, offered)
  const scopes = offered.filter((scope) => !declined.includes(scope))
  if (scopes.length === 0) return 'nothing'
  const given = scopes.map(publishedScope)
  const { accountId } = interaction.session!
  const { now, requestId } = request
  const choice = { clientId, name: step.form.client.name, scopes, declined }
  const recorded = await database.change((tx) => allowApplication(tx, { now, requestId }, accountId, choice))
  if ('refused' in recorded) return 'ended'
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
  return { grantId: await grant.save() }
}

function clientIdOf({ interaction }: Step): string {
  return String(interaction.params.client_id)
}

function declinedIn(form: Form | undefined, offered: readonly Scope[]): Scope[] {
  return offered.filter((scope) => !form?.has(scopeField(scope)))
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
