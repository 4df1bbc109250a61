import { Stack, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { GoOn } from './go-on.tsx'

const heading = 'There is no such page'

export function NotThere() {
  useEffect(() => {
    document.title = `${heading} · Partner Commerce`
  }, [])
  return (
    <Stack p="lg" gap="xs" align="flex-start">
      <Title order={1}>{heading}</Title>
      <Text size="sm">The address may be mistyped, or the record is in the other environment.</Text>
      <GoOn />
    </Stack>
  )
}
