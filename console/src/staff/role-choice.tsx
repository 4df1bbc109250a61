import { Checkbox, Stack } from '@mantine/core'
import type { FormState } from '../kit/form.tsx'
import { inWords } from '../kit/status.tsx'
import { roleMeanings, roles } from './roles.ts'

/** The roles of an account, each with what it is for. */
export function RoleChoice<Given extends { roles: readonly string[] }>({ form }: { form: FormState<Given> }) {
  form.shown.add('roles')
  return (
    <Checkbox.Group
      label="Roles"
      description="A person may do what any of their roles allows."
      value={[...form.values.roles]}
      onChange={(chosen) => form.set('roles', chosen as unknown as Given['roles'])}
      error={form.faultAt('roles')}
    >
      <Stack gap={6} mt={6}>
        {roles.map((role) => (
          <Checkbox key={role} value={role} label={inWords(role)} description={roleMeanings[role]} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
