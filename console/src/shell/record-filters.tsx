import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { useUrlState } from '../kit/filters.tsx'
import { useEnvironment } from './environment.ts'

/** Filters by records of which there may be many. Who may not read those is not offered them. */

/** Chooses a partner by the beginning of its name. The URL keeps its id. */
export function PartnerFilter() {
  const environment = useEnvironment()
  const may = useMay()
  const [{ partnerId }] = useUrlState()
  const typed = useTyped()
  const chosen = useQuery({
    ...read(environment, 'readPartner', { path: { partnerId: partnerId ?? '' } }),
    enabled: partnerId !== undefined && may('readPartner'),
  })
  const name = chosen.data?.name
  const found = useQuery({
    ...read(environment, 'listPartners', { query: { q: typed.other(name), limit: 20 } }),
    enabled: may('listPartners'),
    placeholderData: (before) => before,
  })
  if (!may('listPartners')) return null
  const records = found.data?.partners.map(({ partnerId: value, name: label }) => ({ value, label }))
  return <Found name="partnerId" label="Partner" records={records} chosen={name} onType={typed.set} />
}

/** Chooses a product by its name or its number. The URL keeps its id. */
export function ProductFilter() {
  const environment = useEnvironment()
  const may = useMay()
  const [{ productId }] = useUrlState()
  const typed = useTyped()
  const chosen = useQuery({
    ...read(environment, 'readProduct', { path: { productId: productId ?? '' } }),
    enabled: productId !== undefined && may('readProduct'),
  })
  const name = chosen.data?.name
  const q = typed.other(name)
  const first = useQuery({
    ...read(environment, 'listProducts', { query: { limit: 20 } }),
    enabled: may('listProducts') && q === undefined,
  })
  const found = useQuery({
    ...read(environment, 'search', { query: { q: q ?? '', kind: 'product', limit: 20 } }),
    enabled: may('listProducts') && q !== undefined,
    placeholderData: (before) => before,
  })
  if (!may('listProducts')) return null
  const records =
    q === undefined
      ? first.data?.products.map(({ productId: value, name: label }) => ({ value, label }))
      : found.data?.groups.flatMap(({ hits }) => hits.map(({ id, title }) => ({ value: id, label: title })))
  return <Found name="productId" label="Product" records={records} chosen={name} onType={typed.set} />
}

/** What is typed into a choice of records, once it rests. */
export function useTyped() {
  const [text, set] = useState('')
  const [rested] = useDebouncedValue(text.trim(), 200)
  // The field shows the name of what is chosen, and that is not looked for.
  return { set, other: (name: string | undefined) => (rested === name ? undefined : rested || undefined) }
}

function Found({
  name,
  label,
  records = [],
  chosen,
  onType,
}: {
  name: string
  label: string
  records: readonly { value: string; label: string }[] | undefined
  /** the name of the record that is chosen, once it is read */
  chosen: string | undefined
  onType: (text: string) => void
}) {
  const [state, set] = useUrlState()
  const id = state[name]
  const what = label.toLowerCase()
  const offered = new Map(records.map((record) => [record.value, record.label]))
  if (id !== undefined) offered.set(id, chosen ?? `One ${what}`)
  return (
    <Select
      aria-label={label}
      placeholder={label}
      w={170}
      clearable
      searchable
      // The service has looked already.
      filter={({ options }) => options}
      nothingFoundMessage={`No ${what} has this name`}
      data={[...offered].map(([value, text]) => ({ value, label: text }))}
      value={id ?? null}
      onChange={(value) => set({ [name]: value ?? undefined })}
      onSearchChange={onType}
    />
  )
}
