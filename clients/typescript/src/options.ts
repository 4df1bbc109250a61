import type { PartnerCommerceError } from './errors.ts'

/** What the client sends requests with: the standard `fetch`, or one of your own. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A client certificate: `clientCertificate` of `@partner-commerce/client/mutual-tls` makes it. */
export type Certificate = { readonly fetch: Fetch }

/** A credential of a machine: the app client that staff issued. Tokens are requested, kept and renewed by themselves. */
export type ClientCredentials = {
  clientId: string
  clientSecret: string
  /** full scope names, such as `partner-api/orders:read`; without them the token has all that you have */
  scopes?: readonly string[]
}

/**
 * An access token that you have already, or a function that gives one and is called for every request. After a 401 it is
 * called once more, with the token that was refused; it then gives another, or the same to give up.
 */
export type TokenCredential = {
  accessToken: string | ((refused: string | undefined) => string | Promise<string>)
}

/** A client certificate, for the mutual-TLS host. */
export type CertificateCredential = { certificate: Certificate }

/** What identifies you: exactly one of three. */
export type Credential =
  | (ClientCredentials & { accessToken?: never; certificate?: never })
  | (TokenCredential & { clientId?: never; clientSecret?: never; certificate?: never })
  | (CertificateCredential & { clientId?: never; clientSecret?: never; accessToken?: never })

/** How often and how long a request is repeated that the service could not answer. */
export type Retry = {
  /** how often a request is sent at most; 1 = never again. 5 unless told */
  attempts?: number
  /** milliseconds that all waiting may take together; 60,000 unless told */
  total?: number
  /** milliseconds of the first wait, which doubles with each attempt; 500 unless told */
  base?: number
}

/** A request that is about to be repeated. */
export type Repetition = {
  /** the operation's name, such as `getOrder` */
  operation: string
  /** how often it has been sent so far */
  attempt: number
  /** why it is sent again */
  error: PartnerCommerceError
  /** milliseconds until it is sent again */
  wait: number
}

/** What a client needs to know. */
export type ClientOptions = Credential & {
  /** the address of the host, such as `https://api.partner-commerce.example`; plain http is for this machine only */
  baseUrl: string | URL
  /** milliseconds that one attempt may take; 60,000 unless told. A submission waits up to 20,000 for its outcome */
  timeout?: number
  /** how requests are repeated */
  retry?: Retry
  /** told before each repetition, for logs */
  onRetry?: (repetition: Repetition) => void
  /** put behind the client's own name in `User-Agent`, such as `my-shop/2.1` */
  userAgent?: string
  /** used instead of the standard `fetch`; a certificate brings its own for the API */
  fetch?: Fetch
}

/** What can be said for a single call. */
export type CallOptions = {
  /** ends the call and its waits; what the service had begun may still happen */
  signal?: AbortSignal
  /** milliseconds that one attempt may take */
  timeout?: number
  /** how this call is repeated */
  retry?: Retry
  /** further headers */
  headers?: Readonly<Record<string, string>>
}
