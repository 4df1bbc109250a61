import { useParams } from '@tanstack/react-router'
import type { Environment } from '../api/api.ts'

export const environments = ['production', 'sandbox'] as const satisfies readonly Environment[]

export function isEnvironment(text: string | undefined): text is Environment {
  return text === 'production' || text === 'sandbox'
}

/** The environment of the page, which is the first part of its path. */
export function useEnvironment(): Environment {
  const { environment } = useParams({ strict: false })
  return isEnvironment(environment) ? environment : 'production'
}
