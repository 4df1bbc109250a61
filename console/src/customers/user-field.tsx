import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { useEnvironment } from '../shell/environment.ts'
import { nameOf } from './texts.ts'

/** A user of a site, found by the beginning of the username. */
export function UserField({
  siteId,
  label,
  value,
  onChange,
  error,
}: {
  siteId: number | undefined
  label: string
  /** the user's id, or nothing */
  value: string
  onChange: (userId: string) => void
  error?: string | undefined
}) {
  const environment = useEnvironment()
  const may = useMay()
  const [typed, setTyped] = useState('')
  const [username] = useDebouncedValue(typed.trim(), 250)
  const { data } = useQuery({
    ...read(environment, 'listUsers', { query: queryOf(siteId, username) }),
    enabled: siteId !== undefined,
    placeholderData: keepPreviousData,
  })
  const choices = (data?.users ?? []).map((user) => ({
    value: String(user.userId),
    label: labelOf(user),
  }))
  // Who was chosen stays a choice, whatever is typed afterwards.
  const [chosen, setChosen] = useState<{ value: string; label: string } | null>(null)
  const known = value !== '' && !choices.some((choice) => choice.value === value)
  const named = useQuery({
    ...read(environment, 'readUser', { path: { userId: Number(value) } }),
    enabled: known && chosen?.value !== value && may('readUser'),
  }).data
  const kept = chosen?.value === value ? chosen : { value, label: named ? labelOf(named) : `User ${value}` }
  return (
    <Select
      label={label}
      placeholder={siteId === undefined ? 'Choose the site first' : 'Username begins with'}
      disabled={siteId === undefined}
      data={known ? [kept, ...choices] : choices}
      filter={({ options }) => options}
      searchable
      clearable
      comboboxProps={{ withinPortal: false }}
      nothingFoundMessage="Nobody's username begins so"
      value={value || null}
      error={error}
      onSearchChange={setTyped}
      onChange={(next, option) => {
        setChosen(next === null ? null : { value: next, label: option?.label ?? next })
        onChange(next ?? '')
      }}
    />
  )
}

function labelOf(user: Parameters<typeof nameOf>[0]): string {
  return `${user.username ?? nameOf(user)} (${user.userId})`
}

function queryOf(siteId: number | undefined, username: string) {
  return { limit: 50, ...(siteId !== undefined && { siteId }), ...(username !== '' && { username }) }
}
