import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { passwordRule } from '../../../vocabulary/password.ts'
import { secondFactorText, secondFactorUri } from '../../../partners/second-factor.ts'
import { clientLine, type ClientShown } from './client-shown.ts'
import { html, type Html } from './html.ts'
import type { Page } from './layout.ts'

/** The pages on which a person proves who they are: password, second factor, invitation. */

/** `proof` ties a form to the step of the browser that shows it. */
export type StepForm = {
  proof: string
  client: ClientShown
  mayLeadTo: string | undefined
  problem?: string | undefined
}

export function signInPage({ proof, client, mayLeadTo, problem }: StepForm, username = ''): Page {
  return {
    title: 'Sign in',
    problem,
    mayLeadTo,
    body: html`<p>Use the account from your organisation to connect ${clientLine(client)}.</p>
      <form method="post">
        ${hidden(proof)} ${usernameField(username, problem)}
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          maxlength="400"
          required
          ${username !== '' && autofocus}
          ${describedBy(problem)}
        />
        <div class="actions">
          <button name="action" value="sign-in">Sign in</button>
          ${cancel}
        </div>
      </form>
      <p class="after"><a href="../forgotten-password">Forgot your password?</a></p>`,
  }
}

export function secondFactorPage({ proof, mayLeadTo, problem }: StepForm): Page {
  return {
    title: 'One more step',
    problem,
    mayLeadTo,
    body: html`<p>Enter the 6-digit code that your authenticator app shows for Partner Commerce.</p>
      <form method="post">
        ${hidden(proof)} ${codeField(problem)}
        <p class="quiet">No phone at hand? Enter one of your recovery codes instead.</p>
        <div class="actions">
          <button name="action" value="second-factor">Continue</button>
          ${cancel}
        </div>
      </form>`,
  }
}

export function enrolPage({ proof, mayLeadTo, problem }: StepForm, secret: Buffer, username: string): Page {
  const text = secondFactorText(secret).replaceAll(/(.{4})(?=.)/g, '$1 ')
  const uri = secondFactorUri(secret, username, 'Partner Commerce')
  return {
    title: 'Set up your second step',
    problem,
    mayLeadTo,
    body: html`<p>
        Your organisation requires a code in addition to the password. You need an authenticator app, such as the one
        built into your phone or password manager.
      </p>
      <h2>1. Add Partner Commerce to the app</h2>
      <p>Scan this QR code with the app:</p>
      ${picture(uri)}
      <p>Is the app on this device? <a class="button second" href="${uri}">Open authenticator app</a></p>
      <p class="quiet" id="key">Or type this key into the app:</p>
      <code class="secret" aria-labelledby="key">${text}</code>
      <h2>2. Enter the code that the app shows</h2>
      <form method="post">
        ${hidden(proof)} ${codeField(problem)}
        <div class="actions">
          <button name="action" value="enrol">Continue</button>
          ${cancel}
        </div>
      </form>`,
  }
}

/** After a wrong code or a reload: the key was shown once, and is not shown again. */
export function enrolCodePage({ proof, mayLeadTo, problem }: StepForm): Page {
  return {
    title: 'Set up your second step',
    problem,
    mayLeadTo,
    body: html`<p>Enter the 6-digit code that your authenticator app shows for Partner Commerce.</p>
      <form method="post">
        ${hidden(proof)} ${codeField(problem)}
        <p class="quiet">The key was shown once. Is it not in your app yet? Show a new key and add that one.</p>
        <div class="actions">
          <button name="action" value="enrol">Continue</button>
          <button class="second" name="action" value="new-key" formnovalidate>Show a new key</button>
          ${cancel}
        </div>
      </form>`,
  }
}

/** A QR code, drawn inline: the page's policy loads no images, and no other host sees the secret. */
function picture(text: string): Html {
  const code = generate(text)
  // ISO/IEC 18004 requires four light modules around it.
  const quiet = 4
  const side = code.size + 2 * quiet
  return html`<svg
    class="picture"
    role="img"
    aria-label="QR code of the key below"
    viewBox="${-quiet} ${-quiet} ${side} ${side}"
  >
    <rect x="${-quiet}" y="${-quiet}" width="${side}" height="${side}" fill="#fff" />
    <path d="${toSvgPath(code)}" fill="#000" shape-rendering="crispEdges" />
  </svg>`
}

export function recoveryCodesPage({ proof, mayLeadTo }: StepForm, codes: readonly string[]): Page {
  return {
    title: 'Keep these recovery codes',
    mayLeadTo,
    body: html`<p>
        If you lose your phone, enter one of these instead of a code. Each works once. This page shows them only now:
        write them down or save them with your passwords.
      </p>
      <ul class="codes">
        ${codes.map((code) => html`<li>${code}</li>`)}
      </ul>
      <form method="post">
        ${hidden(proof)}
        <div class="actions"><button name="action" value="continue">I have saved them</button></div>
      </form>`,
  }
}

/** For people who reload the previous page: the codes are shown once. */
export function secondFactorReadyPage({ proof, mayLeadTo }: StepForm): Page {
  return {
    title: 'Your second step is set up',
    mayLeadTo,
    body: html`<p>The recovery codes were shown once. They cannot be shown again.</p>
      <form method="post">
        ${hidden(proof)}
        <div class="actions"><button name="action" value="continue">Continue</button></div>
      </form>`,
  }
}

export function invitationPage(invited: { username: string; partnerName: string }, problem?: string): Page {
  const welcome = html`<p>
    Welcome! You will sign in for <strong>${invited.partnerName}</strong> with the username
    <strong>${invited.username}</strong>.
  </p>`
  return passwordPage('Choose your password', welcome, invited.username, problem)
}

export function resetPage(person: { username: string; partnerName: string }, problem?: string): Page {
  const about = html`<p>
    This is for <strong>${person.username}</strong> of <strong>${person.partnerName}</strong>. All your sign-ins end,
    and a second step stays as it is.
  </p>`
  return passwordPage('Choose a new password', about, person.username, problem)
}

function passwordPage(title: string, about: Html, username: string, problem: string | undefined): Page {
  return {
    title,
    problem,
    body: html`${about}
      <form method="post">
        <input type="hidden" name="username" value="${username}" autocomplete="username" />
        <label for="password">New password <span class="hint" id="rule">${passwordRule}</span></label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="new-password"
          minlength="12"
          maxlength="200"
          required
          ${autofocus}
          aria-describedby="rule${problem && ' problem'}"
        />
        <label for="again">Repeat the password</label>
        <input id="again" name="again" type="password" autocomplete="new-password" maxlength="200" required />
        <div class="actions"><button>Set password</button></div>
      </form>`,
  }
}

export function forgottenPage(problem?: string): Page {
  return {
    title: 'Forgot your password?',
    problem,
    body: html`<p>Enter your username. If it has an account with an e-mail address, we send a link there.</p>
      <form method="post">
        ${usernameField('', problem)}
        <div class="actions"><button>Send the link</button></div>
      </form>`,
  }
}

/** The same for every name. */
export const resetAskedPage: Page = {
  title: 'Look into your mail',
  body: html`<p>
      If the username has an account with an e-mail address, a link to set a new password is on its way. It works once,
      for one hour. A link that you got within the last hour is still good.
    </p>
    <p class="quiet">
      No mail? Look into the spam folder, or ask the person who manages access in your organisation.
    </p>`,
}

export function invitationAcceptedPage(username: string): Page {
  return {
    title: 'Your password is set',
    body: html`<p>
      You can close this page. Sign in as <strong>${username}</strong> whenever your application asks you to.
    </p>`,
  }
}

const autofocus = html`autofocus`

function usernameField(username: string, problem: string | undefined): Html {
  return html`<label for="username">Username</label>
    <input
      id="username"
      name="username"
      value="${username}"
      autocomplete="username"
      autocapitalize="none"
      spellcheck="false"
      maxlength="200"
      required
      ${username === '' && autofocus}
      ${describedBy(problem)}
    />`
}

const cancel = html`<button class="second" name="action" value="cancel" formnovalidate>Cancel</button>`

function hidden(proof: string): Html {
  return html`<input type="hidden" name="proof" value="${proof}" />`
}

function codeField(problem: string | undefined): Html {
  return html`<label for="code">Code</label>
    <input
      class="code"
      id="code"
      name="code"
      inputmode="text"
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck="false"
      maxlength="40"
      required
      ${autofocus}
      ${describedBy(problem)}
    />`
}

function describedBy(problem: string | undefined): Html | false {
  return problem !== undefined && html`aria-invalid="true" aria-describedby="problem"`
}
