import { Outage } from '../../vocabulary/outage.ts'

/** Why a target may not be called at all. No request was sent to it. */
export type EgressRefusal = 'url' | 'scheme' | 'credentials' | 'port' | 'address' | 'link'

/** Each as the rest of a sentence about the target. */
export const refusalSays: Readonly<Record<EgressRefusal, string>> = {
  url: 'the target must be an absolute URL',
  scheme: 'the target must be http or https',
  credentials: 'the target must not carry a user name or a password',
  port: 'the target must not use port 0',
  address: 'the target must have public addresses only',
  link: 'the target must be neither link-local nor a metadata service of a cloud',
}

/**
 * The target breaks one of our rules; trying again changes nothing. The message names no host and no address: whoever
 * chose the target may see it, and it must not map our network.
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
 * How an allowed call failed. `name`: the host has no address. `connection`: refused, reset or cut short. `protocol`:
 * the answer is not HTTP as we asked for it. `status`: only where the caller needs a 200.
 */
export type EgressFailure = 'timeout' | 'name' | 'connection' | 'tls' | 'protocol' | 'too-large' | 'redirect' | 'status'

/** The call was made and failed. `code` is the system's or the library's code, such as `ECONNREFUSED`. */
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

/**
 * Too many calls are under way, to that host or in all. No request was sent; the caller keeps the work and tries again
 * later.
 */
export class EgressBusy extends Outage {
  constructor() {
    super('too many outbound calls are under way')
    this.name = 'EgressBusy'
  }
}
