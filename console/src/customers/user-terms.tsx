import { Group } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { revisionOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { isRefusal } from '../api/problems.ts'
import { useMay } from '../api/session.ts'
import { At } from '../kit/at.tsx'
import { usePages } from '../kit/data-table.tsx'
import { ChoicesField, FlagField, Form, TextField, useForm } from '../kit/form.tsx'
import { Section } from '../kit/section.tsx'
import { Verbs, verb } from '../kit/verbs.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { User } from './user-view.tsx'

/** Segments say which products a user sees. Those that a rule gave cannot be taken away by hand. */
export function UserSegments({ user }: { user: User }) {
  const may = useMay()
  return (
    <Section title="Segments">
      {user.segments.length === 0 ? (
        <p>In no segment{user.allSegmentsVisible && ', and sees the products of all'}.</p>
      ) : (
        <Group gap="sm" mb="sm">
          {user.segments.map(({ segmentId, name, autoAssigned }) => (
            <span key={segmentId}>
              <At to={`/customers/segments/${segmentId}`}>{name}</At>
              {autoAssigned && ' (by rule)'}
            </span>
          ))}
        </Group>
      )}
      {may('replaceUserSegments') && <SegmentsForm user={user} />}
    </Section>
  )
}

function SegmentsForm({ user }: { user: User }) {
  const environment = useEnvironment()
  const { rows = [] } = usePages(
    useInfiniteQuery(list(environment, 'listSegments', { query: { siteId: user.siteId } })),
    'segments',
  )
  const byRule = new Set(user.segments.filter(({ autoAssigned }) => autoAssigned).map(({ segmentId }) => segmentId))
  const byHand = user.segments.filter(({ segmentId }) => !byRule.has(segmentId))
  const form = useForm('replaceUserSegments', {
    initial: {
      segmentIds: byHand.map(({ segmentId }) => String(segmentId)) as readonly string[],
      reset: false as boolean,
    },
    revision: revisionOf(user),
    input: ({ segmentIds, reset }) => ({
      path: { userId: user.userId },
      body: {
        segmentIds: [...byRule, ...segmentIds.map(Number)],
        ...(reset && { acknowledgeAllSegmentsVisibleReset: true }),
      },
    }),
  })
  const data = rows
    .filter(({ segmentId }) => !byRule.has(segmentId))
    .map(({ segmentId, name }) => ({ value: String(segmentId), label: name }))
  return (
    <Form form={form} submit="Save the segments">
      <ChoicesField form={form} name="segmentIds" label="Segments given by hand" data={data} />
      {isRefusal(form.error, 'all_segments_visible_reset_not_acknowledged') && (
        <FlagField form={form} name="reset" label="The user need not see the products of all segments any more" />
      )}
    </Form>
  )
}

/** A reduction on all that a user orders. */
export function UserDiscount({ user }: { user: User }) {
  const may = useMay()
  const path = { userId: user.userId }
  const form = useForm('setUserDiscount', {
    initial: { name: user.discount?.name ?? '', percent: user.discount?.percent ?? '' },
    revision: revisionOf(user),
    input: (discount) => ({ path, body: { discount } }),
  })
  return (
    <Section
      title="Discount"
      actions={
        user.discount && (
          <Verbs first={0} verbs={[verb('setUserDiscount', 'End the discount', { path, body: { discount: null } })]} />
        )
      }
    >
      {may('setUserDiscount') ? (
        <Form form={form} submit="Save the discount">
          <Group gap="sm" align="flex-start">
            <TextField form={form} name="name" path="discount.name" label="Name" required />
            <TextField
              form={form}
              name="percent"
              path="discount.percent"
              label="Percent"
              required
              inputMode="decimal"
            />
          </Group>
        </Form>
      ) : (
        <p>{user.discount ? `${user.discount.name}: ${user.discount.percent} %` : 'None.'}</p>
      )}
    </Section>
  )
}
