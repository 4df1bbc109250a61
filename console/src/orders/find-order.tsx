import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { useGo } from '../kit/at.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { aboutOf } from '../shell/hits.ts'

/** Finds an order by any number that it bears or by whom it goes to, and opens it. */
export function FindOrder() {
  const environment = useEnvironment()
  const may = useMay()
  const go = useGo()
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 200)
  const found = useQuery({
    ...read(environment, 'search', { query: { q, kind: 'order', limit: 20 } }),
    enabled: q !== '',
    placeholderData: (before) => before,
  })
  // Who types or scans a number does not wait for the offers: Enter looks it up at once.
  const land = useMutation({
    mutationFn: () => call('search', environment, { query: { q: text.trim(), kind: 'order', limit: 1 } }),
    onSuccess: ({ groups }) => {
      const first = groups[0]?.hits[0]
      if (first) open(first.id)
    },
  })
  const open = (orderNumber: string) => go(`/orders/${orderNumber}`)
  if (!may('readOrder')) return null
  const hits = q === '' ? [] : (found.data?.groups.flatMap((group) => group.hits) ?? [])
  const isAnswered = q === text.trim() && !found.isFetching
  return (
    <Select
      aria-label="Find an order"
      placeholder="Find by number, reference or name"
      w={250}
      searchable
      // The service has looked already.
      filter={({ options }) => options}
      nothingFoundMessage={q !== '' && isAnswered ? 'No order has this number or name' : undefined}
      data={hits.map((hit) => ({ value: hit.id, label: [hit.title, aboutOf(hit)].filter(Boolean).join(' · ') }))}
      value={null}
      error={(found.error ?? land.error)?.message}
      onSearchChange={setText}
      onChange={(orderNumber) => orderNumber && open(orderNumber)}
      onKeyDown={(event) => {
        const isOffered = event.currentTarget.hasAttribute('aria-activedescendant')
        if (event.key === 'Enter' && !isOffered && text.trim() !== '') land.mutate()
      }}
    />
  )
}
