import { Type } from 'typebox'
import { streamSeconds } from '../../contract/parameters.ts'
import { staffOperation, staffSubject } from '../operation.ts'

export const changes = staffSubject({
  name: 'Changes',
  says: 'What has changed, told as it happens.',
  problems: {
    too_many_streams: [429, 'You have ten streams of changes open already. Close one.'],
  },
  operations: {
    watchChanges: staffOperation({
      id: 'watchChanges',
      at: 'GET /staff/v1/{environment}/changes',
      permission: null,
      query: { seconds: streamSeconds },
      download: { mediaType: 'text/event-stream', goesOn: { idExample: '70412.0' } },
      answers: {
        200: Type.String({ description: 'the events `ready`, `changed` and `missed`, and comments in between' }),
      },
      refuses: ['too_many_streams'],
      says: 'Tells which records change, as server-sent events, but never what is in them.',
      agentNote: [
        '`ready` comes first. `changed` has `{"subjects": [{"kind": "order", "id": "1010033"}, …]}`, of the kinds that your',
        'permissions let you read, in the words of the audit record; a change of a line, shipment, return, refund or invoice',
        'names its order too. `missed` says that more has changed than can be told: read everything again.',
      ].join('\n'),
    }),
  },
})
