import { Group } from '@mantine/core'
import { useState } from 'react'
import { revisionOf, type AnswerOf } from '../api/api.ts'
import { useMay } from '../api/session.ts'
import { At, useGo } from '../kit/at.tsx'
import { Facts } from '../kit/facts.tsx'
import { ChoiceField, Form, TextField, useForm } from '../kit/form.tsx'
import { countOf } from '../kit/number.ts'
import { PageBody } from '../kit/page-body.tsx'
import { PageHead } from '../kit/page-head.tsx'
import { Section } from '../kit/section.tsx'
import { asking, Verbs, verb } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import { useSite } from '../shell/sites.ts'
import { useDivisionChoices } from './divisions-of-site.ts'
import { useRuleInWords } from './segment-list.tsx'
import classes from './user-addresses.module.css'

type Segment = AnswerOf<'readSegment'>

/** A segment: who is in it, by hand and by rule. */
export function SegmentView({ segment }: { segment: Segment }) {
  const may = useMay()
  const site = useSite(segment.siteId)
  return (
    <>
      <PageHead
        title={segment.name}
        above={<At to="/customers?tab=segments">Segments</At>}
        about={
          <>
            Segment {segment.segmentId} of{' '}
            <At to={`/sites/${segment.siteId}`}>{site?.name ?? `site ${segment.siteId}`}</At>
          </>
        }
        actions={
          <Verbs
            first={0}
            verbs={[
              asking(
                'deleteSegment',
                `Delete ${segment.name}…`,
                (close) => <DeleteSegment segment={segment} close={close} />,
                { danger: true },
              ),
            ]}
          />
        }
      />
      <PageBody
        aside={
          <Section title="Rules">
            <Rules segment={segment} />
            {may('addSegmentRule') && <NewRule segment={segment} />}
          </Section>
        }
      >
        <Section title="Who is in it">
          <Facts
            facts={[
              ['Users by hand', segment.usersByHand],
              ['Users by rule', segment.usersByRule],
              ['Created', <When key="created" at={segment.createdOn} />],
              ['Changed', <When key="changed" at={segment.updatedOn} />],
            ]}
          />
          <p>Put a single user into it on the user's page.</p>
        </Section>
        {may('renameSegment') && (
          <Section title="Name">
            <Rename segment={segment} />
          </Section>
        )}
      </PageBody>
    </>
  )
}

function Rename({ segment }: { segment: Segment }) {
  const form = useForm('renameSegment', {
    initial: { name: segment.name },
    revision: revisionOf(segment),
    input: ({ name }) => ({ path: { segmentId: segment.segmentId }, body: { name } }),
  })
  return (
    <Form form={form} submit="Rename">
      <TextField form={form} name="name" label="Name" required />
    </Form>
  )
}

function DeleteSegment({ segment, close }: { segment: Segment; close: () => void }) {
  const go = useGo()
  const form = useForm('deleteSegment', {
    initial: {},
    input: () => ({ path: { segmentId: segment.segmentId } }),
    onDone: () => {
      close()
      go('/customers?tab=segments')
    },
  })
  return (
    <Form form={form} submit={`Delete ${segment.name}`} danger onCancel={close}>
      <p>Its users leave it. Products that only it sees are seen by nobody, so a segment that products name stays.</p>
    </Form>
  )
}

function Rules({ segment }: { segment: Segment }) {
  if (segment.rules.length === 0) return <p>No rules: users are put into it by hand.</p>
  return (
    <ul className={classes.addresses}>
      {segment.rules.map((rule) => (
        <li key={rule.segmentRuleId}>
          <Rule rule={rule} />
        </li>
      ))}
    </ul>
  )
}

function Rule({ rule }: { rule: Segment['rules'][number] }) {
  const words = useRuleInWords(rule)
  return (
    <Group justify="space-between" wrap="nowrap">
      <span>
        {rule.divisionId === null ? (
          `Users with ${words}`
        ) : (
          <>
            Users of{' '}
            <At to={`/customers/divisions/${rule.divisionId}`} underline="always">
              {words}
            </At>
          </>
        )}
      </span>
      <Verbs
        first={0}
        label={`More for the rule: ${words}`}
        verbs={[
          verb(
            'removeSegmentRule',
            `Remove the rule: ${words}`,
            { path: { segmentRuleId: rule.segmentRuleId } },
            { danger: true },
          ),
        ]}
      />
    </Group>
  )
}

function NewRule({ segment }: { segment: Segment }) {
  const divisions = useDivisionChoices(segment.siteId)
  const [added, setAdded] = useState<number | null>(null)
  const form = useForm('addSegmentRule', {
    initial: { emailDomain: '', divisionId: '' },
    input: ({ emailDomain, divisionId }) => ({
      path: { segmentId: segment.segmentId },
      body: { ...(emailDomain && { emailDomain }), ...(divisionId && { divisionId: Number(divisionId) }) },
    }),
    onDone: ({ usersAdded }) => {
      setAdded(usersAdded)
      form.reset({ emailDomain: '', divisionId: '' })
    },
  })
  return (
    <Form form={form} submit="Add the rule">
      <TextField
        form={form}
        name="emailDomain"
        label="E-mail domain"
        placeholder="franchise.example"
        description="All users whose address ends so, now and later. Or choose a division."
      />
      <ChoiceField form={form} name="divisionId" label="Division" data={divisions} clearable searchable />
      {added !== null && <p role="status">The rule put {countOf(added, 'user')} into the segment.</p>}
    </Form>
  )
}
