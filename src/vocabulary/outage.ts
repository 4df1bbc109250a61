/**
 * A dependency of the service is unreachable, too slow or full; the caller may try again later (ERR-72). An error that
 * reaches a host and is neither an outage nor a refusal is a bug.
 */
export class Outage extends Error {
  /** `audit`: the change was possible but not its audit record, so it was not made */
  readonly of: 'service' | 'audit'

  constructor(what: string, cause?: unknown, of: 'service' | 'audit' = 'service') {
    super(what, { cause })
    this.name = 'Outage'
    this.of = of
  }
}
