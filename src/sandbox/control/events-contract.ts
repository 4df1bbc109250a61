import { Type } from 'typebox'
import { operation } from '../../contract/operation.ts'
import { streamSeconds, wordsFilter } from '../../contract/parameters.ts'
import { eventTypes } from '../../platform/events/events.ts'

/** A partner's webhook events, for developers whose machine nobody can reach. */

export const events = {
  streamEvents: operation({
    id: 'streamEvents',
    at: 'GET /sandbox/events',
    scope: null,
    ownApplications: true,
    query: {
      types: wordsFilter(
        eventTypes,
        'invalid_request',
        'only events of these types; default: all but `proof.pending_review`, which must be named',
      ),
      seconds: streamSeconds,
    },
    download: {
      mediaType: 'text/event-stream',
      goesOn: { idExample: '1770897600000.80412.3f0c2a6e-5d1b-4c55-9f0e-0a4b7c1d2e3f' },
    },
    confidential: true,
    answers: {
      200: Type.String({ description: 'the events `ready`, `event` and `missed`, and comments in between' }),
    },
    refuses: ['too_many_streams'],
    says: 'Tells your webhook events as they are published, as server-sent events, whether or not you have a receiver.',
    agentNote: [
      '`ready` comes first: `{"secret": "whsec_…", "types": […]}`. The secret signs the events of this stream; it is the same for',
      'every stream of your credential. Each `event` has `{"eventId", "type", "body", "signature"}`: `body` is the exact text',
      'that a receiver gets, `signature` the value of `Platform-Signature` for it. With `Last-Event-ID` the stream goes on',
      'after that event. Rarely an event comes again; it has the same `eventId`. `missed` says that the id is unknown or',
      'more than 30 days old. The stream ends with your token. You can have five open.',
    ].join('\n'),
  }),
}
