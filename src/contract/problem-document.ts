import { Type } from 'typebox'
import { described, record, text } from './fields.ts'
import { problemCodes } from './problems.ts'

const BodyFaultRecord = record('BodyFault', {
  path: described(text, 'the field, such as `lines[2].quantity`; empty = the whole body'),
  rule: described(text, 'the keyword of the schema that the field breaks, or another word; more may be added'),
  detail: described(text, 'for people, like the detail of the problem'),
})

/**
 * The body of every error except the edge firewall's (ERR-02, RFC 9457), with the codes of an API.
 * @param faults how many faults a body must have for `errors` to list them; the detail tells a single one anyway
 */
export function problemRecord(codes: readonly string[], faults: 'any' | 'several' = 'several') {
  return record('Problem', {
    type: Type.Literal('about:blank'),
    title: described(text, 'short summary of the HTTP status'),
    status: Type.Integer({ description: 'the HTTP status' }),
    code: Type.String({ enum: [...codes], description: 'branch on this; the set is published and stable' }),
    detail: described(text, 'for people; the wording may change, so never parse it'),
    requestId: described(text, 'quote it to support'),
    errors: Type.Optional(
      Type.Array(BodyFaultRecord, {
        description:
          faults === 'any'
            ? 'present when a body has faults: all of them, the first as in `detail`'
            : 'present when a body has several faults, and when a quote is refused: all of them',
      }),
    ),
  })
}

export const Problem = problemRecord(problemCodes)
