import { Button } from '@mantine/core'

/**
 * Closes what was asked for, and changes nothing.
 *
 * @param beside the button that makes the change: beside "Cancel order 1000123" this one must not say Cancel as well
 */
export function LeaveButton({ beside, onClick }: { beside: string; onClick: () => void }) {
  return (
    <Button variant="subtle" color="gray" onClick={onClick} data-leaves>
      {beside.startsWith('Cancel') ? 'Go back' : 'Cancel'}
    </Button>
  )
}
