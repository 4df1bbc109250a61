import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'

/**
 * Asks before people leave what they typed and did not save. Forms and sheets say by `data-unsaved` that they hold such;
 * those that keep a draft do not.
 */
export function Unsaved() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => placeOf(current) !== placeOf(next) && isUnsaved(),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title="What you typed is not saved"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text size="sm" mb="md">
        It is gone once you leave.
      </Text>
      <Group gap="xs">
        <Button data-autofocus onClick={() => reset?.()}>
          Stay here
        </Button>
        <Button variant="subtle" color="red" onClick={() => proceed?.()}>
          Leave without saving
        </Button>
      </Group>
    </Modal>
  )
}

const isUnsaved = () => document.querySelector('[data-unsaved]') !== null

/** A page and its tab. Filters and what is chosen beside a list take nothing away. */
function placeOf({ pathname, search }: { pathname: string; search: object }): string {
  return `${pathname} ${(search as { tab?: string }).tab ?? ''}`
}
