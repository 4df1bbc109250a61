import {
  ApiProblem,
  ConnectionFailed,
  DecisionConflict,
  FirewallRefusal,
  SubmissionPending,
  TokenRefused,
  UnexpectedAnswer,
  UploadFailed,
} from '@partner-commerce/client'
import { CommanderError } from 'commander'
import { exitCodeOf, type ExitName } from './exit-codes.ts'
import { Failure } from './failure.ts'
import { bold, dim, red } from './terminal/pieces.ts'
import type { Terminal } from './terminal/terminal.ts'
import type { World } from './world.ts'

/**
 * Tells how a command ended other than well: what happened, what would be right, and for a refusal of the service its
 * code and the id by which staff find the request.
 * @returns the exit code
 */
export function report(error: unknown, { terminal, stop, environment }: World): number {
  if (stop.aborted) return exitCodeOf('interrupted')
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodeOf('ok') : exitCodeOf('usage')
  const failure = failureOf(error)
  const code = tell(terminal, failure)
  if (error instanceof ApiProblem) {
    for (const { path, detail } of error.errors) terminal.say('  ', `${path}: ${detail}`)
    terminal.say(dim(`  ${error.code} · status ${error.status} · request ${error.requestId}`))
  }
  if (environment.PARTNER_COMMERCE_DEBUG && error instanceof Error) terminal.say(dim(error.stack ?? ''))
  return code
}

/** Any error as an end of the program. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof ApiProblem) return new Failure(exitOf(error.status), error.detail, cureOf(error))
  return (
    failureOfClient(error) ??
    new Failure(
      'failed',
      `This should not have happened: ${error instanceof Error ? error.message : String(error)}`,
      'Run it again with PARTNER_COMMERCE_DEBUG=1, and send what it shows to support.',
    )
  )
}

/** What the client throws beside problems. */
function failureOfClient(error: unknown): Failure | undefined {
  if (error instanceof TokenRefused) {
    if (error.status === 429) return new Failure('refused', 'Too many tokens were asked for.', 'Wait a minute.')
    if (error.status >= 500)
      return new Failure('outage', 'The service gives no tokens right now.', 'Try again in a while.')
    return new Failure(
      'credential',
      `The service does not accept the credential: ${error.error}.`,
      'Sign in again with `partner-commerce login`; a secret that was replaced or revoked is no longer good.',
    )
  }
  if (error instanceof SubmissionPending) {
    return new Failure('outage', error.message, 'Submit the same file again: it never orders twice.')
  }
  if (error instanceof DecisionConflict) {
    return new Failure('refused', error.message, '`partner-commerce proofs list` shows the proofs that wait for you.')
  }
  if (error instanceof UploadFailed) {
    const isRefused = error.status !== undefined && error.status < 500
    return new Failure(isRefused ? 'refused' : 'outage', error.message, 'Try again in a while; nothing was attached.')
  }
  if (error instanceof FirewallRefusal) return new Failure('refused', error.message)
  if (error instanceof UnexpectedAnswer) {
    return new Failure(
      error.status >= 500 ? 'outage' : 'refused',
      error.message,
      'Is the address that of the API host? `partner-commerce doctor` looks closer.',
    )
  }
  const reason = networkReason(error)
  if (reason === undefined) return undefined
  return new Failure('outage', `The service cannot be reached: ${reason}.`, unreachableCure)
}

const unreachableCure = 'Check the address and your network, and try again; `partner-commerce doctor` looks closer.'

function tell(terminal: Terminal, { message, cure, exit }: Failure): number {
  terminal.progress(undefined)
  terminal.say(red('✗ '), bold(message))
  if (cure !== undefined) terminal.say('  ', cure)
  return exitCodeOf(exit)
}

function exitOf(status: number): Exclude<ExitName, 'ok'> {
  if (status === 401) return 'credential'
  return status >= 500 ? 'outage' : 'refused'
}

const cures: Readonly<Record<string, string>> = {
  invalid_token: 'Sign in again with `partner-commerce login`.',
  insufficient_scope: '`partner-commerce whoami` lists your scopes; ask staff for the one that is missing.',
  order_not_found: '`partner-commerce orders list` shows your orders; another profile (--profile) has others.',
  order_item_not_found: '`partner-commerce orders get ORDER` shows the numbers of its lines.',
  invalid_order_number: '`partner-commerce orders list` shows the numbers of your orders.',
  invalid_item_number: '`partner-commerce orders get ORDER` shows the numbers of its lines.',
  proof_not_pending_review: '`partner-commerce proofs list` shows the proofs that wait for you.',
  denial_reason_not_available: '`partner-commerce proofs decline ORDER ITEM` without --reason lists the reasons.',
  product_not_found: '`partner-commerce products search WORDS` finds products.',
  site_not_found: '`partner-commerce sites` lists your sites.',
  invalid_site_id: '`partner-commerce sites` lists your sites.',
  step_not_possible: '`partner-commerce orders get ORDER` shows where the order is.',
  rate_limit_exceeded: '`partner-commerce whoami` shows your limits. Wait, and run it again.',
}

function cureOf({ code, status }: ApiProblem): string {
  const cure = cures[code]
  if (cure) return cure
  if (status >= 500) return 'Run it again in a while. If it stays so, tell support the request below.'
  if (status === 409) return 'Look how things stand now, and decide again.'
  return status === 404 ? 'Check the numbers and the profile.' : 'Correct the request, and run it again.'
}

/** Why nothing answered; undefined for another kind of error. */
export function networkReason(error: unknown): string | undefined {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const { code } = each as NodeJS.ErrnoException
    const words = code === undefined ? undefined : reasons[code]
    if (words) return words
    if (each.name === 'TimeoutError') return 'it did not answer in time'
    if (code !== undefined && /^(?:UND_ERR|ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|E[A-Z]+$|DEPTH_|UNABLE_|SELF_)/.test(code)) {
      return each.message || code
    }
  }
  if (error instanceof ConnectionFailed) return error.message.replace(/\.$/, '')
  return error instanceof TypeError && error.message === 'fetch failed' ? 'the connection failed' : undefined
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at the address',
  ENOTFOUND: 'no host has this name',
  EAI_AGAIN: 'the name of the host cannot be resolved now',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; NODE_EXTRA_CA_CERTS names what to trust',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted; NODE_EXTRA_CA_CERTS names what to trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted; NODE_EXTRA_CA_CERTS names what to trust',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}
