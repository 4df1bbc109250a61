const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** The names by which partners reach the hosts, of their URLs; and those of this machine. */
export function ownNames(hostUrls: readonly string[]): { published: string[]; loopback: readonly string[] } {
  return { published: hostUrls.map((url) => new URL(url).hostname), loopback: loopbackNames }
}

/**
 * Whether a web page of this Origin may call: one of a host of our own, and where that is on loopback any page there.
 * Ports do not count.
 */
export function isPageAllowed(hostUrls: readonly string[], origin: string): boolean {
  const { published, loopback } = ownNames(hostUrls)
  const name = URL.parse(origin)?.hostname
  if (name === undefined || name === '') return false
  return published.includes(name) || (loopback.includes(name) && published.some((own) => loopback.includes(own)))
}
