import { Alert, Code, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Refusal } from '../api/problems.ts'

/** Why something did not happen, in the service's words; nothing if nothing went wrong. */
export function Refused({ error, except = [] }: { error: Error | null | undefined; except?: readonly string[] }) {
  if (!error) return null
  const faults = error instanceof Refusal ? error.faults : []
  const elsewhere = faults.filter(({ path }) => !except.includes(path))
  // What stands at its field is not said twice.
  if (faults.length > 0 && elsewhere.length === 0) return null
  return (
    <Alert color="red" icon={<IconAlertTriangle size={16} />} role="alert" p="xs">
      {faults.length > 0 ? (
        elsewhere.map(({ path, detail }) => (
          <Text key={path} size="sm">
            {detail}
          </Text>
        ))
      ) : (
        <Text size="sm">{error.message}</Text>
      )}
      {error instanceof Refusal && error.status >= 500 && (
        <Text size="xs" mt={4}>
          Request <Code>{error.requestId}</Code>
        </Text>
      )}
    </Alert>
  )
}
