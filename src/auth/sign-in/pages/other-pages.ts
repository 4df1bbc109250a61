import type { ClientShown } from './client-shown.ts'
import { html, shown } from './html.ts'
import type { Page } from './layout.ts'

/** Pages outside the sign-in itself: what went wrong, and the end. */

export const stepEndedPage: Page = {
  title: 'This sign-in has ended',
  status: 400,
  body: html`<p>It took too long, is already finished, or started in another browser.</p>
    <p>Please go back to your application and start again from there.</p>`,
}

export const startElsewherePage: Page = {
  title: 'Sign in from your application',
  body: html`<p>
    A sign-in starts in the application that you want to connect. Start there, and the application brings you here.
  </p>`,
}

export const invitationEndedPage: Page = {
  title: 'This invitation cannot be used',
  status: 404,
  body: html`<p>It was used before, it has expired, or a newer one replaced it. Please ask for a new invitation.</p>`,
}

export const resetEndedPage: Page = {
  title: 'This link cannot be used',
  status: 404,
  body: html`<p>It was used before, it is older than an hour, or a newer one replaced it.</p>
    <div class="actions"><a class="button second" href="../forgotten-password">Get a new link</a></div>`,
}

export const foreignFormPage: Page = {
  title: 'This form did not come from our page',
  status: 403,
  body: html`<p>For your safety we did nothing. Please go back to your application and start again from there.</p>`,
}

export const unavailablePage: Page = {
  title: 'Please try again shortly',
  status: 503,
  headers: { 'retry-after': '10' },
  body: html`<p>We cannot answer now. Nothing was lost. Reload this page in a moment.</p>`,
}

/** A request of an application that cannot be followed. The code is for the makers of the application. */
export function requestRefusedPage(error: string, description: string | undefined): Page {
  return {
    title: 'This application’s request does not work',
    body: html`<p>You did nothing wrong. Please send this message to the provider of the application:</p>
      <p><code>${shown(error)}${description !== undefined && `: ${shown(description, 200)}`}</code></p>`,
  }
}

/** An error on its way to an address that only the application's own document vouches for. */
export function errorBeforeReturnPage(shownError: {
  error: string
  description: string | undefined
  redirect: ClientShown['redirect']
  location: string
}): Page {
  const { error, description, redirect, location } = shownError
  const target = redirect.where === 'web' ? shown(redirect.host) : redirect.where
  return {
    ...requestRefusedPage(error, description),
    status: 400,
    body: html`${requestRefusedPage(error, description).body}
      <p>
        The application wants you back at <strong>${target}</strong>. We do not know this address. Continue only if you
        started this yourself.
      </p>
      <div class="actions"><a class="button second" href="${location}" rel="noreferrer">Go to ${target}</a></div>`,
  }
}

export function signOutPage(username: string, proof: string): Page {
  return {
    title: 'Sign out?',
    body: html`<p>You are signed in as <strong>${username}</strong> in this browser.</p>
      <form method="post">
        <input type="hidden" name="proof" value="${proof}" />
        <div class="actions">
          <button name="action" value="browser">Sign out here</button>
          <button class="second" name="action" value="everything">Sign out and disconnect all my applications</button>
        </div>
      </form>
      <p class="after"><a href="applications">See my connected applications</a></p>`,
  }
}

export const signedOutPage: Page = {
  title: 'You are signed out',
  body: html`<p>You can close this page.</p>`,
}
