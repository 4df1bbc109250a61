/**
 * Something the service needs is unreachable, too slow or full: the caller may try again later (ERR-72).
 * Everything that reaches the gateway and is neither an outage nor a refusal is a bug.
 */
export class Outage extends Error {
  constructor(what: string, cause?: unknown) {
    super(what, { cause })
    this.name = 'Outage'
  }
}
