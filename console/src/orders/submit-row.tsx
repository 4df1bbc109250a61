import { Button, Group } from '@mantine/core'
import { LeaveButton } from '../kit/leave-button.tsx'
import { Refused } from '../kit/refused.tsx'

/** The end of what is asked for in place, where it is more than one change. */
export function SubmitRow({
  label,
  error,
  isPending,
  isDisabled = false,
  isDanger = false,
  onSubmit,
  onCancel,
}: {
  label: string
  error: Error | null
  isPending: boolean
  isDisabled?: boolean
  isDanger?: boolean
  onSubmit: () => void
  onCancel: () => void
}) {
  return (
    <>
      <Refused error={error} />
      <Group gap="xs">
        <Button loading={isPending} disabled={isDisabled} color={isDanger ? 'red' : undefined} onClick={onSubmit}>
          {label}
        </Button>
        <LeaveButton beside={label} onClick={onCancel} />
      </Group>
    </>
  )
}
