import { useQuery } from '@tanstack/react-query'
import { call, type AnswerOf, type Environment, type QueryOf } from '../api/api.ts'
import { useEnvironment } from '../shell/environment.ts'

export type Division = AnswerOf<'listDivisions'>['divisions'][number]

/** How many divisions a list to choose from has at most. */
const most = 1000

/** The divisions of a site to choose from, as `Name (CODE)`. */
export function useDivisionChoices(siteId: number | undefined): { value: string; label: string }[] {
  const environment = useEnvironment()
  const { data } = useQuery({
    queryKey: [environment, 'listDivisions', 'choices', siteId],
    queryFn: () => everyDivision(environment, { siteId }),
    enabled: siteId !== undefined,
    staleTime: 30_000,
  })
  return (data ?? []).map(({ divisionId, name, code }) => ({ value: String(divisionId), label: `${name} (${code})` }))
}

/** The divisions that match, up to a thousand. */
export async function everyDivision(environment: Environment, query: QueryOf<'listDivisions'>): Promise<Division[]> {
  const divisions: Division[] = []
  let cursor: string | undefined
  do {
    const page = await call('listDivisions', environment, { query: { ...query, limit: 100, cursor } })
    divisions.push(...page.divisions)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined && divisions.length < most)
  return divisions
}
