import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { call, type AnswerOf, type Environment } from '../api/api.ts'
import { useMay } from '../api/session.ts'
import { useEnvironment } from './environment.ts'

type Site = AnswerOf<'listSites'>['sites'][number]

/** All sites of the environment: they are few, and every page wants their names and time zones. */
export function useSites(): readonly Site[] {
  return useReadSites().data ?? []
}

/** Whether the sites cannot be read: their names and time zones are then missing on every page. */
export function useAreSitesMissing(): boolean {
  const { data, isError } = useReadSites()
  return isError && data === undefined
}

function useReadSites() {
  const environment = useEnvironment()
  const may = useMay()
  return useQuery({
    queryKey: [environment, 'listSites', 'all'],
    queryFn: () => everySite(environment),
    staleTime: 60_000,
    enabled: may('listSites'),
  })
}

async function everySite(environment: Environment): Promise<Site[]> {
  const sites: Site[] = []
  let cursor: string | undefined
  do {
    const page = await call('listSites', environment, { query: { limit: 100, cursor } })
    sites.push(...page.sites)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return sites
}

export function useSite(siteId: number | undefined | null): Site | undefined {
  return useSites().find((site) => site.siteId === siteId)
}

/** The site to which the pages are limited, if any. */
export function useSiteFilter(): number | undefined {
  const { site } = useSearch({ strict: false }) as { site?: unknown }
  // The router also hands on what it was told is not valid.
  return typeof site === 'number' && Number.isInteger(site) && site > 0 ? site : undefined
}
