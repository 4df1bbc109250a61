import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** There is nothing here: why, and what to do next. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack gap={6} align="center" py={40} px="md" ta="center">
      <Title order={2}>{title}</Title>
      {children && (
        <Text size="sm" c="dimmed" maw={420}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  )
}
