import type { Scope } from '../../../vocabulary/scopes.ts'
import { clientLine, whereTo } from './client-shown.ts'
import { html, type Html } from './html.ts'
import type { Page } from './layout.ts'
import type { StepForm } from './proof-pages.ts'
import { inOrder, scopeWords } from './scope-words.ts'

/** For whom an application would act, and on which sites. */
export type ActingFor = { username: string; partnerName: string; siteNames: readonly string[] }

const sitesShownMax = 8

/** The name of a scope's box in the form. */
export function scopeField(scope: Scope): string {
  return `allow.${scope}`
}

/**
 * What the application would get: what it asks for, as far as the partner has it.
 * @param declined what the person left out; it is not chosen again
 */
export function consentPage(form: StepForm, who: ActingFor, given: readonly Scope[], declined: readonly Scope[]): Page {
  const { client, mayLeadTo, problem } = form
  const canDo = given.length > 0 && who.siteNames.length > 0
  return {
    title: canDo ? `Allow ${client.name}?` : `${client.name} cannot do anything here`,
    problem,
    mayLeadTo,
    body: html`${whoLine(form, who)} ${canDo ? asking(form, who, given, declined) : nothingToGive(form, who)}`,
  }
}

/** The same for an application of the service's own, which gets all of it: the person only says that they started it. */
export function confirmPage(form: StepForm, who: ActingFor, given: readonly Scope[]): Page {
  const { client, mayLeadTo, problem, proof } = form
  const canDo = given.length > 0 && who.siteNames.length > 0
  const asked = html`<p>${clientLine(client)} would act for you with all access that ${who.partnerName} has.</p>
    <form method="post">
      <input type="hidden" name="proof" value="${proof}" />
      <p class="note">${whereTo(client)}</p>
      <p class="quiet">${untilWhen}</p>
      <div class="actions">
        <button name="action" value="allow">Continue</button>
        <button class="second" name="action" value="cancel">Cancel</button>
      </div>
    </form>`
  return {
    title: canDo ? `Sign in to ${client.name}?` : `${client.name} cannot do anything here`,
    problem,
    mayLeadTo,
    body: html`${whoLine(form, who)} ${canDo ? asked : nothingToGive(form, who)}`,
  }
}

const untilWhen = html`This access ends after 12 hours at the latest. You can end it earlier under
  <a href="../applications">your connected applications</a>.`

function whoLine({ proof }: StepForm, { username, partnerName }: ActingFor): Html {
  return html`<form method="post" class="who">
    <input type="hidden" name="proof" value="${proof}" />
    <span>Signed in as <strong>${username}</strong>, ${partnerName}</span>
    <button class="link" name="action" value="switch">Not you?</button>
  </form>`
}

function asking(form: StepForm, { siteNames }: ActingFor, given: readonly Scope[], declined: readonly Scope[]): Html {
  const { client, proof } = form
  const sites = siteNames.slice(0, sitesShownMax)
  const more = siteNames.length - sites.length
  return html`<p>${clientLine(client)} would like to act for you. Choose what it may do:</p>
    <form method="post">
      <input type="hidden" name="proof" value="${proof}" />
      <ul class="choices">
        ${inOrder(given).map((scope) => choice(scope, !declined.includes(scope)))}
      </ul>
      <p>
        On ${sites.length === 1 && more === 0 ? 'the site' : 'the sites'}
        ${sites.join(', ')}${more > 0 && ` and ${more} more`}.
      </p>
      <p class="note">${whereTo(client)}</p>
      <p class="quiet">${untilWhen}</p>
      <div class="actions">
        <button name="action" value="allow">Allow</button>
        <button class="second" name="action" value="cancel">Do not allow</button>
      </div>
    </form>`
}

function choice(scope: Scope, isChosen: boolean): Html {
  const id = `allow-${scope.replace(':', '-')}`
  return html`<li>
    <input type="checkbox" id="${id}" name="${scopeField(scope)}" value="yes" ${isChosen && html`checked`} />
    <label for="${id}">${scopeWords[scope]}</label>
  </li>`
}

function nothingToGive({ proof, client }: StepForm, { partnerName }: ActingFor): Html {
  return html`<p>
      ${partnerName} has none of the access that ${client.name} asks for. Please ask the person who manages it in your
      organisation.
    </p>
    <form method="post">
      <input type="hidden" name="proof" value="${proof}" />
      <div class="actions"><button name="action" value="cancel">Go back</button></div>
    </form>`
}
