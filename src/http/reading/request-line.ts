import type { IncomingMessage } from 'node:http'

/** The path, without the query. */
export function pathOfRequest(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0]!
}

/** The query, without the question mark. */
export function queryOf(request: IncomingMessage): string {
  const url = request.url ?? ''
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

/** `http://host/path?query`, as proxies are asked and servers must accept (RFC 9112 §3.2.2) → `/path?query` */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const rest = /^https?:\/\/[^/?#]+(.*)$/i.exec(target)?.[1]
  if (rest === undefined) return target
  return rest.startsWith('/') ? rest : `/${rest}`
}
