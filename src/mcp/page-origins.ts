const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** The host names in the URLs by which partners reach the hosts, and the names of loopback. */
export function ownNames(hostUrls: readonly string[]): { published: string[]; loopback: readonly string[] } {
  return { published: hostUrls.map((url) => new URL(url).hostname), loopback: loopbackNames }
}

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
