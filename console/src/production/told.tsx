import { Alert, List } from '@mantine/core'
import { asking, Verbs } from '../kit/verbs.tsx'
import { Override, type Outcomes } from './line-verbs.tsx'
import { nameOf, type Line } from './stations.ts'

/** Refusals that a lead may override, with a reason. */
const guards: readonly string[] = [
  'proof_missing',
  'proof_not_approved',
  'proof_outdated',
  'template_variables_missing',
  'artwork_missing',
  'artwork_being_inspected',
  'artwork_needs_changes',
]

/** What came of a change of many lines: each that was refused says why. */
export function Told({
  outcomes,
  lines,
  tell,
  onClose,
}: {
  outcomes: Outcomes | Error
  /** those that were to be changed, as they were shown */
  lines: readonly Line[]
  tell: (outcomes: Outcomes) => void
  onClose: () => void
}) {
  if (outcomes instanceof Error)
    return (
      <Alert color="red" role="alert" p="xs" withCloseButton closeButtonLabel="Close" onClose={onClose}>
        {outcomes.message}
      </Alert>
    )
  const refused = outcomes.lines.filter(({ done }) => !done)
  if (refused.length === 0) return null
  const isGuarded = new Set(refused.filter(({ code }) => code !== null && guards.includes(code)).map(nameOf))
  const guarded = lines.filter((line) => line.productionStatus === 'PREPRESS' && isGuarded.has(nameOf(line)))
  return (
    <Alert
      color="red"
      role="alert"
      p="xs"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
      title={`${refused.length === 1 ? 'One line' : `${refused.length} lines`} not changed${outcomes.done > 0 ? `, ${outcomes.done} changed` : ''}`}
    >
      <List size="sm" mb={4}>
        {refused.map((each) => (
          <List.Item key={nameOf(each)}>
            <b>{nameOf(each)}</b>: {each.detail}
          </List.Item>
        ))}
      </List>
      {guarded.length > 0 && (
        <Verbs
          verbs={[
            asking('overrideLines', 'Override…', (close) => <Override lines={guarded} close={close} tell={tell} />, {
              danger: true,
            }),
          ]}
        />
      )}
    </Alert>
  )
}
