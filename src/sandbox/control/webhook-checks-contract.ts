import { Type } from 'typebox'
import { bodyObject, described, flag, nullable, oneOf, record, text, textUpTo } from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { checkedKeys, checkMinutes } from '../go-live/webhook-check.ts'

/** The check of a receiver that the sandbox cannot reach: a program of the partner's carries the deliveries to it. */

const answersMax = 20

export const webhookChecks = {
  startWebhookCheck: operation({
    id: 'startWebhookCheck',
    at: 'POST /sandbox/webhook-checks',
    scope: null,
    ownApplications: true,
    answers: {
      200: record('WebhookCheck', {
        check: described(text, 'names this check when its answers are told'),
        deliveries: described(
          Type.Array(
            record('CheckDelivery', {
              eventId: described(text, 'the value of `Platform-Event-Id`'),
              body: described(text, 'the exact bytes to send'),
              signature: described(text, 'the value of `Platform-Signature`'),
            }),
          ),
          'to be sent one after the other, in this order',
        ),
      }),
    },
    refuses: [],
    says: 'Starts a check of a receiver on your machine: gives you deliveries to send to it, some of them wrong on purpose.',
    agentNote:
      'They are a ping, the same ping again, a ping with a wrong signature, and your newest events of the last day, up to five. ' +
      'They are signed with the secret of your streams of events.',
  }),
  answerWebhookCheck: operation({
    id: 'answerWebhookCheck',
    at: 'POST /sandbox/webhook-checks/answers',
    scope: null,
    ownApplications: true,
    body: {
      schema: bodyObject({
        check: described(textUpTo(500), 'as `startWebhookCheck` gave it'),
        answers: described(
          Type.Array(
            bodyObject({
              status: described(
                nullable(Type.Integer({ minimum: 100, maximum: 599 })),
                'how the receiver answered; null = not at all',
              ),
              milliseconds: described(Type.Integer({ minimum: 0, maximum: 3_600_000 }), 'how long that took'),
            }),
            { maxItems: answersMax },
          ),
          'an answer for each delivery, in their order; those left out count as not answered',
        ),
      }),
      malformed: 'invalid_request',
      example: {
        check: 'the check',
        answers: [
          { status: 204, milliseconds: 12 },
          { status: 204, milliseconds: 9 },
          { status: 400, milliseconds: 8 },
        ],
      },
    },
    answers: {
      200: record('WebhookCheckResult', {
        items: Type.Array(
          record('WebhookCheckItem', {
            key: described(oneOf(checkedKeys), 'the item of the go-live list'),
            passed: described(flag, 'true = the item is done now'),
            says: described(text, 'what the receiver did, as a sentence'),
          }),
        ),
      }),
    },
    refuses: ['invalid_request'],
    says: 'Ends a check: tells how your receiver answered, and what that shows for the go-live list.',
    agentNote: `Within ${checkMinutes} minutes of the start. What passes is done on the go-live list.`,
  }),
}
