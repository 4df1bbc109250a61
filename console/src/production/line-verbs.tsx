import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { AnswerOf, BodyOf, Operation } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { useMay, useSession } from '../api/session.ts'
import { endOfWork } from '../kit/days.ts'
import { ChoiceField, Form, LongField, TextField, useForm } from '../kit/form.tsx'
import { noReason, ReasonFields, reasonGiven, useReasons } from '../kit/reasons.tsx'
import { inWords } from '../kit/status.tsx'
import { asking, Verbs, type Verb } from '../kit/verbs.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSite } from '../shell/sites.ts'
import { asSeen, nameOf, type Line } from './stations.ts'

export type Outcomes = AnswerOf<'advanceLines'>

type Given = { lines: readonly Line[]; close: () => void; tell: (outcomes: Outcomes) => void }

/** What may be done with lines besides moving them on. Each verb is told what came of each line. */
export function LineVerbs({ lines, tell, first = 0 }: { lines: readonly Line[]; tell: Given['tell']; first?: number }) {
  const isAny = (has: (line: Line) => boolean) => lines.some(has)
  const ask = (op: Operation, label: string, Ask: (given: Given) => React.ReactNode, hidden = false): Verb =>
    asking(op, label, (close) => <Ask lines={lines} close={close} tell={tell} />, { hidden })
  return (
    <Verbs
      first={first}
      label="More verbs for the lines"
      verbs={[
        ask('assignLines', 'Assign…', Assign),
        ask('setPriorities', 'Set priority…', Priority),
        ask('reportProblems', 'Report a problem…', Problem),
        ask('clearProblems', 'Clear the problem…', ClearProblem, !isAny(({ problem }) => problem !== null)),
        ask('holdLines', 'Hold…', Hold, !isAny(({ productionStatus }) => productionStatus !== 'ON_HOLD')),
        ask('releaseLines', 'Release…', Release, !isAny(({ productionStatus }) => productionStatus === 'ON_HOLD')),
        ask('setDatesOfLines', 'Set dates…', Dates),
      ]}
    />
  )
}

/** "1010033-2" or "3 lines", for buttons that name what they change. */
export const named = (lines: readonly Line[]): string =>
  lines.length === 1 ? nameOf(lines[0]!) : `${lines.length} lines`

const done = ({ close, tell }: Given) => ({
  onDone: (outcomes: Outcomes) => {
    tell(outcomes)
    close()
  },
})

export function Hold(given: Given) {
  const form = useForm('holdLines', {
    initial: noReason,
    input: (values) => ({ body: { lines: given.lines.map(asSeen), ...reasonGiven(values) } }),
    ...done(given),
  })
  return (
    <Form form={form} submit={`Hold ${named(given.lines)}`} danger onCancel={given.close}>
      <ReasonFields form={form} kind="hold" />
    </Form>
  )
}

/** Lets lines leave prepress although a guard is against it; who does so says why. */
export function Override(given: Given) {
  const form = useForm('overrideLines', {
    initial: noReason,
    input: (values) => ({ body: { lines: given.lines.map(asSeen), ...reasonGiven(values) } }),
    ...done(given),
  })
  return (
    <Form form={form} submit={`Override the guards of ${named(given.lines)}`} danger onCancel={given.close}>
      <ReasonFields form={form} kind="override" />
    </Form>
  )
}

export function Release(given: Given) {
  const form = useForm('releaseLines', {
    initial: {},
    input: () => ({ body: { lines: given.lines.map(asSeen) } }),
    ...done(given),
  })
  return (
    <Form form={form} submit={`Release ${named(given.lines)}`} onCancel={given.close}>
      <Text size="sm">Held lines go on at the station where they were.</Text>
    </Form>
  )
}

function ClearProblem(given: Given) {
  const form = useForm('clearProblems', {
    initial: {},
    input: () => ({ body: { lines: given.lines.map(asSeen) } }),
    ...done(given),
  })
  return (
    <Form form={form} submit={`Clear the problem of ${named(given.lines)}`} onCancel={given.close}>
      <Text size="sm">{given.lines.map(({ problem }) => problem).find((problem) => problem !== null)}</Text>
    </Form>
  )
}

function Problem(given: Given) {
  const reasons = useReasons('problem')
  const form = useForm('reportProblems', {
    initial: { reason: '', problem: '' },
    input: ({ reason, problem }) => ({
      body: {
        lines: given.lines.map(asSeen),
        ...(reason && { reason }),
        ...(problem.trim() && { problem: problem.trim() }),
      },
    }),
    ...done(given),
  })
  return (
    <Form form={form} submit={`Report a problem of ${named(given.lines)}`} onCancel={given.close}>
      <ChoiceField
        form={form}
        name="reason"
        label="Kind of problem"
        clearable
        data={reasons.map(({ code, label }) => ({ value: code, label }))}
      />
      <LongField form={form} name="problem" label="What is wrong" />
    </Form>
  )
}

const priorities = ['RUSH', 'HIGH', 'NORMAL', 'LOW'] as const
export const priorityChoices = priorities.map((value) => ({ value, label: inWords(value) }))

function Priority(given: Given) {
  const form = useForm('setPriorities', {
    initial: { priority: given.lines[0]!.priority as string },
    input: ({ priority }) => ({
      body: { lines: given.lines.map(asSeen), priority: priority as BodyOf<'setPriorities'>['priority'] },
    }),
    ...done(given),
  })
  return (
    <Form form={form} submit={`Set the priority of ${named(given.lines)}`} onCancel={given.close}>
      <ChoiceField form={form} name="priority" label="Priority" data={priorityChoices} required />
    </Form>
  )
}

function Assign(given: Given) {
  const { staffId, username } = useSession()
  const environment = useEnvironment()
  const may = useMay()
  const colleagues = useInfiniteQuery({
    ...list(environment, 'listStaffAccounts', {}, { limit: 200 }),
    enabled: may('listStaffAccounts'),
  })
  const others = (colleagues.data?.pages ?? [])
    .flatMap(({ accounts }) => accounts)
    .filter((account) => account.disabledOn === null && account.staffId !== staffId)
  const form = useForm('assignLines', {
    initial: { staffId },
    input: ({ staffId: to }) => ({ body: { lines: given.lines.map(asSeen), staffId: to || null } }),
    ...done(given),
  })
  return (
    <Form form={form} submit={`Assign ${named(given.lines)}`} onCancel={given.close}>
      <ChoiceField
        form={form}
        name="staffId"
        label="To (empty = nobody)"
        clearable
        searchable
        data={[
          { value: staffId, label: `${username} (you)` },
          ...others.map((account) => ({ value: account.staffId, label: account.username })),
        ]}
      />
    </Form>
  )
}

function Dates(given: Given) {
  const zone = useSite(given.lines[0]!.siteId)?.timeZone
  const form = useForm('setDatesOfLines', {
    initial: { estimatedShipBy: '', shipBy: '' },
    input: ({ estimatedShipBy, shipBy }) => ({
      body: {
        lines: given.lines.map(asSeen),
        ...(estimatedShipBy && { estimatedShipBy: endOfWork(estimatedShipBy, zone) }),
        ...(shipBy && { shipBy: endOfWork(shipBy, zone) }),
      },
    }),
    ...done(given),
  })
  return (
    <Form form={form} submit={`Set the dates of ${named(given.lines)}`} onCancel={given.close}>
      <TextField form={form} name="estimatedShipBy" label="Estimated to ship by" type="date" />
      <TextField
        form={form}
        name="shipBy"
        label="To ship by"
        type="date"
        description="At 17:00 by the clock of the site. What is left empty stays as it is."
      />
    </Form>
  )
}
