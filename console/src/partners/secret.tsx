import { ActionIcon, Alert, Code, CopyButton, Group, Text } from '@mantine/core'
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react'
import { useState } from 'react'

/** Something that is shown only once: copy it now. */
export function Secret({
  title,
  values,
  warning,
}: {
  title: string
  values: readonly (readonly [name: string, value: string])[]
  warning: string
}) {
  const [isCopied, setIsCopied] = useState(false)
  return (
    <Alert
      data-unsaved={isCopied ? undefined : 'secret'}
      color="yellow"
      icon={<IconKey size={16} />}
      title={title}
      role="status"
    >
      {values.map(([name, value]) => (
        <Group key={name} gap="xs" wrap="nowrap">
          <Text size="sm" miw={110}>
            {name}
          </Text>
          <Code style={{ overflowWrap: 'anywhere' }} data-varies>
            {value}
          </Code>
          <CopyButton value={value}>
            {({ copied, copy }) => (
              <ActionIcon
                onClick={() => {
                  copy()
                  if (/secret/i.test(name)) setIsCopied(true)
                }}
                aria-label={copied ? `${name} is copied` : `Copy the ${name.toLowerCase()}`}
              >
                {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              </ActionIcon>
            )}
          </CopyButton>
        </Group>
      ))}
      <Text size="sm" mt={6}>
        {warning}
      </Text>
    </Alert>
  )
}
