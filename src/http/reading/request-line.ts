import type { IncomingMessage } from 'node:http'

/** Without its query. */
export function pathOfRequest(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0]!
}

/** Without its question mark. */
export function queryOf(request: IncomingMessage): string {
  const url = request.url ?? ''
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}
