import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'

/**
 * Asks before people leave what they typed and did not save. Forms and sheets say by `data-unsaved` that they hold such;
 * those that keep a draft do not. A secret says so until it is copied.
 */
export function Unsaved() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => placeOf(current) !== placeOf(next) && isUnsaved(),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  const isSecret = status === 'blocked' && document.querySelector('[data-unsaved="secret"]') !== null
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={isSecret ? 'The secret is shown only now' : 'What you typed is not saved'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text size="sm" mb="md">
        {isSecret ? 'You did not copy it, and nobody can show it again.' : 'It is gone once you leave.'}
      </Text>
      <Group gap="xs">
        <Button data-autofocus onClick={() => reset?.()}>
          Stay here
        </Button>
        <Button variant="subtle" color="red" onClick={() => proceed?.()}>
          {isSecret ? 'Leave without it' : 'Leave without saving'}
        </Button>
      </Group>
    </Modal>
  )
}

const isUnsaved = () => document.querySelector('[data-unsaved]') !== null

/** A page and its tab or step. Filters and what is chosen beside a list take nothing away. */
function placeOf({ pathname, search }: { pathname: string; search: object }): string {
  const { tab = '', step = '' } = search as { tab?: string; step?: string }
  return `${pathname} ${tab} ${step}`
}
