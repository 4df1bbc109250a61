import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { call, keepSigned } from '../api/api.ts'
import { sessionQuery } from '../api/session.ts'
import { Refused } from '../kit/refused.tsx'

/** @param username kept when somebody signs in again */
export function SignInForm({ onSignedIn, username }: { onSignedIn: () => void | Promise<void>; username?: string }) {
  const [name, setName] = useState(username ?? '')
  const [password, setPassword] = useState('')
  const queries = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  // A dialog sets the focus itself.
  useEffect(() => {
    if (username === undefined) field.current?.focus()
  }, [username])
  const signIn = useMutation({
    mutationFn: () => call('signIn', 'production', { body: { username: name, password } }),
    onSuccess: async ({ session }) => {
      keepSigned(session)
      queries.setQueryData(sessionQuery.queryKey, session)
      await onSignedIn()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          ref={field}
          label="Username"
          size="sm"
          name="username"
          autoComplete="username"
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          readOnly={username !== undefined}
          data-autofocus={username === undefined || undefined}
        />
        <PasswordInput
          label="Password"
          size="sm"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus={username !== undefined || undefined}
        />
        <Refused error={signIn.error} />
        <Button type="submit" size="sm" loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}
