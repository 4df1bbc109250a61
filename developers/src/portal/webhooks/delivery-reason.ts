import { inWords } from '../kit/words.ts'

/** Why a delivery did not arrive, in a sentence: the service has one word for each cause. */
const sentences: Readonly<Record<string, string>> = {
  refused: 'Your receiver refused the connection: nothing listens there.',
  connection: 'The connection broke off before an answer came.',
  timeout: 'Your receiver did not answer in time.',
  name: 'The host in the address does not exist.',
  tls: 'The certificate of your receiver is not trusted.',
  protocol: 'What came back is not HTTP.',
  redirect: 'Your receiver answered with a redirect, which is not followed.',
  target: 'Webhooks may not be sent to this address.',
  internal: 'A fault of the service ended the attempt.',
  endpoint_disabled: 'The endpoint was disabled before it was sent.',
  partner_disabled: 'Your account was disabled before it was sent.',
  not_subscribed: 'The endpoint no longer takes this type.',
  site_not_granted: 'The site is no longer granted to you.',
}

export function deliveryReason(reason: string, responseStatus: number | null): string {
  if (reason === 'status') return `Your receiver answered ${responseStatus}; only 200 to 299 count as received.`
  return sentences[reason] ?? inWords(reason)
}
