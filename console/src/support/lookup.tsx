import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { call } from '../api/api.ts'
import { At, useGo } from '../kit/at.tsx'
import { Refused } from '../kit/refused.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { aboutOf, nameOf, pageOf } from '../shell/hits.ts'

/** Paste any id, and land on what it names. What more than one record has is offered to choose from. */
export function Lookup() {
  const environment = useEnvironment()
  const go = useGo()
  const [text, setText] = useState('')
  const look = useMutation({
    mutationFn: async () => (await call('search', environment, { query: { q: text.trim() } })).groups,
    onSuccess: (groups) => {
      const exact = groups.flatMap(({ kind, hits }) =>
        hits.filter(({ match }) => match === 'exact').map((hit) => pageOf(kind, hit)),
      )
      const all = groups.flatMap(({ kind, hits }) => hits.map((hit) => pageOf(kind, hit)))
      const only = exact.length === 1 ? exact[0] : all.length === 1 ? all[0] : undefined
      if (only !== undefined) go(only)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') look.mutate()
  }
  const found = look.data?.filter(({ hits }) => hits.length > 0) ?? []
  return (
    <form onSubmit={submit} role="search" aria-label="Look up">
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Any id or number"
          description="Of a request, event, order, line, shipment, submission, mail, client, tracking …"
          w={{ base: '100%', sm: 420 }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
        />
        <Button type="submit" loading={look.isPending}>
          Find
        </Button>
      </Group>
      <Refused error={look.error} />
      {look.data && found.length === 0 && <Text size="sm">Nothing has this id in {environment}.</Text>}
      {found.map(({ kind, hits }) => (
        <div key={kind}>
          <Text size="xs" c="dimmed" mt="xs">
            {nameOf(kind)}
          </Text>
          {hits.map((hit) => (
            <div key={`${hit.id} ${hit.path}`}>
              <At to={pageOf(kind, hit)}>{hit.title}</At> {aboutOf(hit)}
            </div>
          ))}
        </div>
      ))}
    </form>
  )
}
