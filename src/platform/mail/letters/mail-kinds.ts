/** The kinds of mails, with what each is made from beside its order, and how long it is worth sending. */
export type AboutOf = {
  order_confirmation: object
  proof_waiting: { lineNumber: number; revision: number }
  shipment_shipped: { shipmentNumber: number }
  invitation: { personId: string; expiresOn: string }
  password_reset: { personId: string; expiresOn: string }
  password_changed: { personId: string }
  /** `since`: the first failure after the last success */
  endpoint_failing: { endpointId: string; since: string }
  certificate_ending: { certificateId: string }
  /** `quota`: requests a day */
  quota_nearly_used: { day: string; quota: number; percent: number }
}

export type MailKind = keyof AboutOf

/** After so many hours without success a mail has failed. */
const hoursByKind: Readonly<Record<MailKind, number>> = {
  order_confirmation: 72,
  proof_waiting: 72,
  shipment_shipped: 72,
  // as long as its link
  invitation: 7 * 24,
  password_reset: 1,
  password_changed: 72,
  endpoint_failing: 24,
  certificate_ending: 24,
  quota_nearly_used: 6,
}

export const mailKinds = Object.keys(hoursByKind) as MailKind[]

export function hoursToTry(kind: MailKind): number {
  return hoursByKind[kind]
}

/** What became of a mail. `KEPT`: written to the data folder, because no mail server is set or it is the sandbox's. */
export const mailStatuses = ['QUEUED', 'SENT', 'KEPT', 'FAILED'] as const

export type MailStatus = (typeof mailStatuses)[number]

/**
 * Why a mail or an attempt failed: the server refused the mail for good; the address refused mail before; no attempt
 * succeeded in time; the server did not take it this time, or could not be reached; what it tells of is gone; the
 * address has not the form of one; a bug of ours ended the attempt.
 */
export type MailReason =
  | 'refused'
  | 'address_bounced'
  | 'gave_up'
  | 'not_taken'
  | 'unreachable'
  | 'nothing_to_tell'
  | 'address_not_usable'
  | 'internal'
