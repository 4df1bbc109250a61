import type { IncomingHttpHeaders } from 'node:http'

/** A path outside the contract, answered by a function of its own. */
export type PlainRoute = {
  method: 'GET' | 'POST'
  /** `{name}` matches any one segment */
  path: string
  name: string
  bytesMax: number
  answer: (request: PlainRequest) => Promise<PlainAnswer>
  /** how a body above `bytesMax` is refused, where that is not with a problem document; `says` is a sentence */
  refuseBody?: (says: string) => PlainAnswer
  /** requests are noted in the log of partners' calls */
  noted?: true
}
export type PlainRequest = {
  /** as it came, without the query */
  path: string
  headers: IncomingHttpHeaders
  query: string
  body: Buffer
  sourceAddress: string
  now: Date
  requestId: string
}
export type PlainAnswer = {
  status: number
  /** a list is sent as several headers of one name, such as cookies */
  headers: Readonly<Record<string, string | readonly string[]>>
  body: string | Uint8Array
  /** nothing in it is secret: a text is compressed for who accepts that, and a GET of it has an ETag */
  compressible?: true
  /** its bytes never change and are for everyone, so caches keep it, whatever credential the request had */
  immutable?: true
  /** for the log: the code of a refusal, and the app client that the request named */
  told?: { code?: string | undefined; clientId?: string | undefined }
}
