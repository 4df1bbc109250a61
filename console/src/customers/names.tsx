import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { useEnvironment } from '../shell/environment.ts'
import { nameOf } from './texts.ts'

/** Names of records that others only number. Until one is read, and for who may not read it, the number stands. */

const staleTime = 60_000

export function UserName({ userId }: { userId: number }) {
  const { data } = useQuery({
    ...read(useEnvironment(), 'readUser', { path: { userId } }),
    enabled: useMay()('readUser'),
    staleTime,
  })
  return data ? nameOf(data) : `User ${userId}`
}

export function DivisionName({ divisionId }: { divisionId: number }) {
  return useDivisionName(divisionId) ?? `Division ${divisionId}`
}

export function useDivisionName(divisionId: number | null): string | undefined {
  const may = useMay()
  const { data } = useQuery({
    ...read(useEnvironment(), 'readDivision', { path: { divisionId: divisionId ?? 0 } }),
    enabled: divisionId !== null && may('readDivision'),
    staleTime,
  })
  return data?.name
}
