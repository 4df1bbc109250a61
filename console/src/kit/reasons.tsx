import { useQuery } from '@tanstack/react-query'
import type { AnswerOf, InputOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useEnvironment } from '../shell/environment.ts'
import { ChoiceField, LongField, type FormState } from './form.tsx'

/** The reasons that the works keeps for a verb, such as `hold` or `cancel`. */

export type ReasonKind = InputOf<'readReasons'>['path']['reasonKind']
export type Reason = AnswerOf<'readReasons'>['reasons'][number]

/** The reasons of a kind that are in use; nothing until they are read. */
export function useReasons(kind: ReasonKind): readonly Reason[] {
  const environment = useEnvironment()
  const { data } = useQuery(read(environment, 'readReasons', { path: { reasonKind: kind } }))
  return data?.reasons.filter(({ active }) => active) ?? []
}

/** What a form with `ReasonFields` begins with. */
export const noReason = { reason: '', comment: '' }

/** What was chosen, as the API takes it: a comment that says nothing is left out. */
export function reasonGiven({ reason, comment }: typeof noReason): { reason: string; comment?: string } {
  return { reason, ...(comment.trim() && { comment: comment.trim() }) }
}

/** Why, from the list of the works, and a comment in own words. The form has the values of `noReason`. */
export function ReasonFields<Given extends typeof noReason>({
  form,
  kind,
  label = 'Reason',
}: {
  form: FormState<Given>
  kind: ReasonKind
  label?: string
}) {
  const reasons = useReasons(kind)
  const chosen = reasons.find(({ code }) => code === form.values.reason)
  return (
    <>
      <ChoiceField
        form={form}
        name="reason"
        label={label}
        required
        description={chosen?.description ?? undefined}
        data={reasons.map(({ code, label: words }) => ({ value: code, label: words }))}
      />
      <LongField form={form} name="comment" label="Comment" />
    </>
  )
}
