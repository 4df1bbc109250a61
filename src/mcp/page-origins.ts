import { ownNames } from '../http/reading/own-host.ts'

/**
 * Whether a web page of this Origin may call: a page of one of our own hosts or, where that host is on loopback, any
 * page on loopback. Ports do not matter.
 */
export function isPageAllowed(hostUrls: readonly string[], origin: string): boolean {
  const { published, loopback } = ownNames(hostUrls)
  const name = URL.parse(origin)?.hostname
  if (name === undefined || name === '') return false
  return published.includes(name) || (loopback.includes(name) && published.some((own) => loopback.includes(own)))
}
