import type { ServerResponse } from 'node:http'
import type { PlainAnswer } from '../plain-route.ts'

export type Headers = Record<string, string>

export function send(
  response: ServerResponse,
  status: number,
  mediaType: string,
  body: string | Buffer,
  headers: Headers,
  more?: Readonly<Record<string, string>>,
): void {
  if (response.destroyed) return
  response.writeHead(status, {
    'content-type': mediaType,
    'content-length': Buffer.byteLength(body),
    ...headers,
    ...more,
  })
  response.end(body)
}

/** An answer without content, such as 304. */
export function sendEmpty(response: ServerResponse, status: number, headers: Headers): void {
  if (!response.destroyed) response.writeHead(status, headers).end()
}

export function sendPlain(response: ServerResponse, answer: PlainAnswer, headers: Headers): void {
  if (response.destroyed) return
  response.writeHead(answer.status, {
    ...headers,
    ...(answer.headers as Record<string, string | string[]>),
    'content-length': Buffer.byteLength(answer.body),
  })
  response.end(answer.body)
}
