import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { call, keepSigned, type AnswerOf, type Operation } from './api.ts'
import { isRefusal } from './problems.ts'
import { allows } from './queries.ts'

export type Session = AnswerOf<'readSession'>

/** Who is signed in; null = nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client, queryKey }): Promise<Session | null> => {
    try {
      const session = await call('readSession', 'production', {})
      keepSigned(session)
      return session
    } catch (error) {
      // A page that is open stays: who ended is asked to sign in again in front of it.
      if (isRefusal(error, 'not_signed_in') && !client.getQueryData(queryKey)) return null
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** The session of the pages behind the sign-in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (!data) throw new Error('this page is only shown to who is signed in')
  return data
}

/** What the person may do: `may('cancelOrder')`. */
export function useMay(): (id: Operation) => boolean {
  const { permissions } = useSession()
  return (id) => allows(permissions, id)
}
