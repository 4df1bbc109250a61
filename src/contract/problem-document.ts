import { Type } from 'typebox'
import { described, record, text } from './fields.ts'
import { problemCodes } from './problems.ts'

/** The body of every error except the edge firewall's (ERR-02, RFC 9457), with the codes of an API. */
export function problemRecord(codes: readonly string[]) {
  return record('Problem', {
    type: Type.Literal('about:blank'),
    title: described(text, 'short summary of the HTTP status'),
    status: Type.Integer({ description: 'the HTTP status' }),
    code: Type.String({ enum: [...codes], description: 'branch on this; the set is published and stable' }),
    detail: described(text, 'for people; the wording may change, so never parse it'),
    requestId: described(text, 'quote it to support'),
  })
}

export const Problem = problemRecord(problemCodes)
