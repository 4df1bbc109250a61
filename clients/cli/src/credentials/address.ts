import { usage } from '../failure.ts'

/** The origin of a base URL as a person types it. Secrets go over https only, except to this machine. */
export function readAddress(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.search !== '') {
    throw usage(`"${given}" is not the address of a service.`, 'An address looks like https://sandbox.example.com.')
  }
  const address = url.origin + url.pathname.replace(/\/+$/, '')
  if (url.protocol === 'http:' && !isLoopback(address)) {
    throw usage(
      `Credentials do not go to ${url.origin} over plain http.`,
      `Use https://${url.host}; http is for this machine only.`,
    )
  }
  return address
}

export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
