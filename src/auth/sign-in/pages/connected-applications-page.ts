import { isOwnApplication } from '../../../vocabulary/own-applications.ts'
import type { AllowedApplication } from '../../../partners/applications.ts'
import { clientShown, clientLine } from './client-shown.ts'
import { html, type Html } from './html.ts'
import type { Page } from './layout.ts'
import { inOrder, scopeWords } from './scope-words.ts'

/** The applications that act for a person, each with what it may do and a button that ends that. */
export function connectedApplicationsPage(shown: {
  username: string
  proof: string
  applications: readonly AllowedApplication[]
  /** the name of the application just disconnected */
  ended: string | undefined
}): Page {
  const { username, proof, applications, ended } = shown
  return {
    title: 'Your connected applications',
    body: html`<p class="who">
        <span>Signed in as <strong>${username}</strong></span>
        <a href="logout">Sign out</a>
      </p>
      ${ended !== undefined && html`<p class="note" role="status">${ended} is disconnected.</p>`}
      ${
        applications.length === 0
          ? html`<p>No application acts for you. You allow one when you sign in from it.</p>`
          : html`<p>These applications may act for you. Disconnect those that you do not use any more.</p>
              <ul class="applications">
                ${applications.map((application, index) => entry(application, index, proof))}
              </ul>`
      }`,
  }
}

function entry(
  { clientId, name, scopes, allowedOn, isConnected }: AllowedApplication,
  index: number,
  proof: string,
): Html {
  const client = clientShown(clientId, name, '')
  const day = new Date(allowedOn).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })
  const notNow = isOwnApplication(clientId) ? 'Not connected now.' : 'Not connected now: it asks you again.'
  return html`<li>
    <h2 id="application-${index}">${clientLine(client)}</h2>
    <p class="quiet">Allowed on ${day}. ${isConnected ? 'Connected now.' : notNow}</p>
    <ul class="can">
      ${inOrder(scopes).map((scope) => html`<li>${scopeWords[scope]}</li>`)}
    </ul>
    <form method="post">
      <input type="hidden" name="proof" value="${proof}" />
      <input type="hidden" name="application" value="${clientId}" />
      <button class="second" name="action" value="disconnect" aria-describedby="application-${index}">
        Disconnect
      </button>
    </form>
  </li>`
}
