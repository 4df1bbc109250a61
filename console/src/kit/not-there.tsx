import { Stack, Text, Title } from '@mantine/core'
import { GoOn } from './go-on.tsx'
import { useTitle } from './title.ts'

const heading = 'There is no such page'

export function NotThere() {
  useTitle(heading)
  return (
    <Stack p="lg" gap="xs" align="flex-start">
      <Title order={1}>{heading}</Title>
      <Text size="sm">The address may be mistyped, or the record is in the other environment.</Text>
      <GoOn />
    </Stack>
  )
}
