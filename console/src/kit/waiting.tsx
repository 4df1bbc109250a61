import { Skeleton, Stack } from '@mantine/core'

/** Shown when something takes longer than a moment. */
export function Waiting() {
  return (
    <Stack p="md" gap="sm" role="status" aria-label="Loading">
      <Skeleton height={24} width={220} />
      <Skeleton height={14} width="70%" />
      <Skeleton height={14} width="55%" />
      <Skeleton height={14} width="62%" />
    </Stack>
  )
}
