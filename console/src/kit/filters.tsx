import { Button, Group, Pill, Select, Text, TextInput, type ComboboxData } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { Fragment, useEffect, useState, type ReactNode } from 'react'
import classes from './filters.module.css'
import { When } from './when.tsx'

/** The state of a page that its URL keeps, so that it can be sent to a colleague: filters, tabs, what is selected. */
export type UrlState = Readonly<Record<string, string | undefined>>

export function useUrlState(): [
  state: UrlState,
  set: (changes: Readonly<Record<string, string | undefined>>, push?: boolean) => void,
] {
  const search = useLocation({ select: ({ search: all }) => all as Record<string, unknown> })
  const navigate = useNavigate()
  const state = Object.fromEntries(
    Object.entries(search).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
  )
  return [
    state,
    (changes, push = false) => {
      const next = {
        ...search,
        ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value || undefined])),
      }
      void navigate({ to: '.', search: next as never, replace: !push })
    },
  ]
}

/** Only these names of the URL, as the query of a list. */
export function queryFrom(state: UrlState, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (state[name] ? [[name, state[name]]] : [])))
}

export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <Group gap="xs" px={{ base: 'md', sm: 'lg' }} pb="sm" className={`${classes.bar} no-print`} role="search">
      {children}
    </Group>
  )
}

/** Filters that are used less. Those in use stay in sight. @param filters by their names in the URL */
export function MoreFilters({ filters }: { filters: Readonly<Record<string, ReactNode>> }) {
  const [state] = useUrlState()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      {Object.entries(filters).map(
        ([name, filter]) => (isOpen || state[name]) && <Fragment key={name}>{filter}</Fragment>,
      )}
      <Button variant="default" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Fewer filters' : 'More filters'}
      </Button>
    </>
  )
}

/** A filter that a link has set and that has no field: it is seen, and taken away by a press. */
export function FilterInForce({ name, says }: { name: string; says: (value: string) => string }) {
  const [state, set] = useUrlState()
  const value = state[name]
  if (!value) return null
  return (
    <Button
      variant="light"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={`Take the filter away: ${says(value)}`}
      onClick={() => set({ [name]: undefined })}
    >
      {says(value)}
    </Button>
  )
}

/** @param name the name in the URL and in the query of the list */
export function FilterChoice({
  name,
  label,
  data,
  width = 150,
}: {
  name: string
  label: string
  data: ComboboxData
  width?: number
}) {
  const [state, set] = useUrlState()
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={data}
      clearable
      searchable
      w={width}
      value={state[name] ?? null}
      onChange={(value) => set({ [name]: value ?? undefined })}
    />
  )
}

export function FilterText({ name, label, width = 160 }: { name: string; label: string; width?: number }) {
  const [state, set] = useUrlState()
  const inUrl = state[name] ?? ''
  const [text, setText] = useState(inUrl)
  const tell = useDebouncedCallback((value: string) => set({ [name]: value.trim() || undefined }), 250)
  useEffect(() => setText(inUrl), [inUrl])
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      w={width}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        tell(event.currentTarget.value)
      }}
    />
  )
}

/** The time to which a link may limit a list: said, so that it can be taken away. */
export function TimeFilter() {
  const [{ from, to }, set] = useUrlState()
  if (![from, to].some((at) => at !== undefined && !Number.isNaN(Date.parse(at)))) return null
  return (
    <Pill
      withRemoveButton
      onRemove={() => set({ from: undefined, to: undefined })}
      size="md"
      removeButtonProps={{ 'aria-label': 'All times' }}
    >
      {from !== undefined && (
        <>
          From <When at={from} />
        </>
      )}{' '}
      {to !== undefined && (
        <>
          before <When at={to} />
        </>
      )}
    </Pill>
  )
}

export function FilterDay({ name, label }: { name: string; label: string }) {
  const [state, set] = useUrlState()
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="xs" c="dimmed" aria-hidden>
        {label}
      </Text>
      <TextInput
        type="date"
        aria-label={label}
        value={(state[name] ?? '').slice(0, 10)}
        onChange={(event) => set({ [name]: event.currentTarget.value || undefined })}
      />
    </Group>
  )
}
