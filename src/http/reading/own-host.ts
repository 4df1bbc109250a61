const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** The host names in the URLs by which others reach the hosts, and the names of loopback. */
export function ownNames(hostUrls: readonly string[]): { published: string[]; loopback: readonly string[] } {
  return { published: hostUrls.map((url) => new URL(url).hostname), loopback: loopbackNames }
}

/**
 * Whether a request calls a host by its own name, by a loopback name or by the address that the connection came in at.
 * That stops DNS rebinding: a foreign page whose name was made to lead here. Ports do not matter.
 * @param hostUrls the URLs by which others reach the host
 */
export function isOwnHost(
  hostUrls: readonly string[],
  { host, localAddress }: { host: string | undefined; localAddress: string | undefined },
): boolean {
  const [, name] = /^([\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.exec(host ?? '') ?? []
  if (name === undefined) return false
  const { published, loopback } = ownNames(hostUrls)
  const names = [...published, ...loopback, ...(localAddress === undefined ? [] : [inUrl(localAddress)])]
  return names.includes(name.toLowerCase())
}

/** `::ffff:10.0.0.5` → `10.0.0.5`, `fd00::5` → `[fd00::5]` */
function inUrl(address: string): string {
  const plain = address.replace(/^::ffff:/i, '')
  return plain.includes(':') ? `[${plain}]` : plain
}
