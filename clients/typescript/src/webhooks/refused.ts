/** Why a delivery is not taken for the service's. */
export type WebhookRefusalReason =
  | 'missing_signature'
  | 'malformed_signature'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'unreadable_body'

/** The delivery is not what it says it is. Answer 400 and do nothing of what it tells. */
export class WebhookRefused extends Error {
  /** why, for programs */
  readonly reason: WebhookRefusalReason

  constructor(reason: WebhookRefusalReason, message: string) {
    super(message)
    this.name = 'WebhookRefused'
    this.reason = reason
  }
}
