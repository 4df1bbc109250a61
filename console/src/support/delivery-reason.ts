import { inWords } from '../kit/status.tsx'

/** Why a webhook did not arrive, in a sentence: the service has one word for each cause. */
const sentences: Readonly<Record<string, string>> = {
  refused: 'The receiver refused the connection: nothing listens there.',
  connection: 'The connection broke off before an answer came.',
  timeout: 'The receiver did not answer in time.',
  name: 'The host in the address does not exist.',
  tls: 'The receiver’s certificate is not trusted.',
  protocol: 'What came back is not HTTP.',
  redirect: 'The receiver answered with a redirect, which is not followed.',
  status: 'The receiver answered that it failed.',
  target: 'Webhooks may not be sent to this address.',
  internal: 'A fault of this service ended the attempt.',
  endpoint_disabled: 'The endpoint was disabled before it was sent.',
  partner_disabled: 'The partner was disabled before it was sent.',
  not_subscribed: 'The endpoint no longer takes this type.',
  site_not_granted: 'The partner no longer has the site.',
}

export function deliveryReason(reason: string): string {
  return sentences[reason] ?? inWords(reason)
}
