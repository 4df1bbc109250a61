import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { Failed } from './failed.tsx'
import { Waiting } from './waiting.tsx'

/** Shows what was read; or that it is being read, once that takes a moment; or why it failed. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failed error={query.error} retry={() => void query.refetch()} />
  return <AfterAMoment />
}

function AfterAMoment() {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setIsLate(true), 300)
    return () => window.clearTimeout(timer)
  }, [])
  return isLate ? <Waiting /> : null
}
