/** How an operation is sent: method, path, and what is particular about it. */
export type Sent = readonly [
  method: string,
  path: string,
  more?: {
    /** the field of the answer that holds the records of a page */
    readonly list?: string
    /** the body is a form */
    readonly form?: true
    /** the answer is a stream of events */
    readonly events?: true
    /** needs no credential */
    readonly open?: true
  },
]

/**
 * The POST operations that may be sent again when it is unknown whether the first one arrived: they change nothing, or
 * what they make costs nothing while nobody uses it, or a key of the caller keeps them from happening twice.
 */
const repeatablePosts: ReadonlySet<string> = new Set([
  'requestToken',
  'revokeToken',
  'submitOrder',
  'quoteOrder',
  'quoteProduct',
  'quoteShipping',
  'reserveArtworkUpload',
  'createArtworkCheck',
])

/**
 * Whether a call may be sent again when it is unknown whether it arrived. A change under `ifMatch` may not: after it had
 * arrived, its repetition would be refused.
 */
export function isRepeatable(operation: string, method: string, hasCondition: boolean): boolean {
  if (method === 'POST') return repeatablePosts.has(operation)
  return method === 'GET' || (method !== 'PATCH' && !hasCondition)
}
