import { html, shown, type Html } from './html.ts'

/** How an application is shown to a person. It chooses its name, but not its host. */
export type ClientShown = {
  name: string
  /** host of the document that it published about itself; undefined = registered by staff */
  host: string | undefined
  redirect: { where: 'this device' | 'an application on this device' | 'web'; host: string }
}

const loopback: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']

export function clientShown(clientId: string, name: string | undefined, redirectUri: string): ClientShown {
  const document = clientId.startsWith('https://') ? URL.parse(clientId) : null
  const redirect = URL.parse(redirectUri)
  const host = redirect?.host ?? ''
  const isWeb = redirect?.protocol === 'https:' || redirect?.protocol === 'http:'
  return {
    name: shown(name ?? document?.hostname ?? clientId, 60) || shown(clientId, 60),
    host: document?.hostname,
    redirect: {
      where: !isWeb ? 'an application on this device' : loopback.includes(redirect.hostname) ? 'this device' : 'web',
      host,
    },
  }
}

export function clientLine({ name, host }: ClientShown): Html {
  return html`<strong>${name}</strong>${host !== undefined && html` <span class="host">(${host})</span>`}`
}

/** A sentence on where the answer goes, so that a person sees whether they started this. */
export function whereTo({ name, redirect }: ClientShown): Html {
  if (redirect.where === 'web') return html`You will be sent back to <strong>${shown(redirect.host)}</strong>.`
  return html`You will be sent back to ${redirect.where}. Continue only if you just started this yourself in ${name}.`
}
