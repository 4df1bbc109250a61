import { Outage } from '../../vocabulary/outage.ts'

/** Why a target may not be called at all. Nothing was sent to it. */
export type EgressRefusal = 'url' | 'scheme' | 'credentials' | 'port' | 'address'

/** Each as the rest of a sentence about the target. */
export const refusalSays: Readonly<Record<EgressRefusal, string>> = {
  url: 'the target must be an absolute URL',
  scheme: 'the target must be http or https',
  credentials: 'the target must not carry a user name or a password',
  port: 'the target must not use port 0',
  address: 'the target must have public addresses only',
}

/**
 * The target breaks a rule of ours; asking again changes nothing.
 * The message names no host and no address: it may be shown to whoever chose the target, and must not map our network.
 */
export class EgressRefused extends Error {
  readonly reason: EgressRefusal

  constructor(reason: EgressRefusal) {
    super(refusalSays[reason])
    this.name = 'EgressRefused'
    this.reason = reason
  }
}

/**
 * How a call that was allowed went wrong. `name`: no address for the host. `connection`: not accepted, reset or cut
 * short. `protocol`: what came back is not HTTP as asked for. `status`: only where a caller needs a 200.
 */
export type EgressFailure = 'timeout' | 'name' | 'connection' | 'tls' | 'protocol' | 'too-large' | 'redirect' | 'status'

/** The call was tried and did not succeed. `code` is the system's or the library's word for it, such as `ECONNREFUSED`. */
export class EgressFailed extends Error {
  readonly reason: EgressFailure
  readonly code: string | undefined

  constructor(reason: EgressFailure, code?: string, cause?: unknown) {
    super(code === undefined ? `outbound call failed: ${reason}` : `outbound call failed: ${reason} (${code})`, {
      cause,
    })
    this.name = 'EgressFailed'
    this.reason = reason
    this.code = code
  }
}

/** As many calls are under way as may be, to that host or in all. Nothing was sent; the caller keeps the work and asks again later. */
export class EgressBusy extends Outage {
  constructor() {
    super('too many outbound calls are under way')
    this.name = 'EgressBusy'
  }
}
