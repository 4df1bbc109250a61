import { Type } from 'typebox'
import { bodyObject, described, nullable, notesUpTo, record, text } from '../../contract/fields.ts'
import type { ReasonKind } from '../../platform/reasons/reasons.ts'

/** Why staff decide as they do: a reason of a list that staff keep, and a comment beside it. */

export function reasonOf(kind: ReasonKind) {
  return Type.Optional(
    Type.String({ minLength: 1, maxLength: 50, description: `a code of the list of reasons ${kind}` }),
  )
}

export const commentOfDecision = Type.Optional(
  described(notesUpTo(2_000), 'for staff only; a blank comment counts as none'),
)

/** The optional body of a verb for which a reason can be given. */
export function whyBody(kind: ReasonKind) {
  return { schema: bodyObject({ reason: reasonOf(kind), comment: commentOfDecision }), optional: true } as const
}

export const givenReasonFields = {
  reason: nullable(record('GivenReason', { code: text, label: described(text, 'as the list says it now') })),
  comment: nullable(text),
}
