import { notifications } from '@mantine/notifications'
import {
  infiniteQueryOptions,
  queryOptions,
  replaceEqualDeep,
  useMutation,
  useQueryClient,
  type UseMutationResult,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { announce } from '../kit/announce.ts'
import { useEnvironment } from '../shell/environment.ts'
import { call, keepRevision, type AnswerOf, type Environment, type Extra, type InputOf, type Operation } from './api.ts'
import { operationTable } from './operations.gen.ts'
import { Refusal, Unreachable } from './problems.ts'
import type { LiveKind } from './live.ts'
import { readAnew } from './own-changes.ts'

/** Reads and changes as TanStack Query wants them. */

type ReadSettings = {
  /** read anew when the service tells that a record of these kinds changed */
  live?: readonly LiveKind[]
}

/** A read: `useQuery(read('production', 'readOrder', { path: { orderNumber } }))`. Its key begins with the environment and the id. */
export function read<Id extends Operation>(
  environment: Environment,
  id: Id,
  input: InputOf<Id>,
  { live = [] }: ReadSettings = {},
) {
  return queryOptions({
    queryKey: [environment, id, input] as const,
    queryFn: ({ signal }): Promise<AnswerOf<Id>> => call(id, environment, input, { signal }),
    // What is the same stays the same object, so that little is drawn anew.
    structuralSharing: (before, after) => keepRevision(after, replaceEqualDeep(before, after)),
    meta: { live },
  })
}

type Page = { nextCursor: string | null }

/** A list by pages: `useInfiniteQuery(list('production', 'listOrders', { query }))`. */
export function list<Id extends Operation>(
  environment: Environment,
  id: Id,
  input: InputOf<Id>,
  { live = [], limit = 100 }: ReadSettings & { limit?: number } = {},
) {
  return infiniteQueryOptions({
    queryKey: [environment, id, input, 'pages'] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }): Promise<AnswerOf<Id>> => {
      const query = { ...(input as { query?: object }).query, limit, cursor: pageParam }
      return call(id, environment, { ...input, query } as InputOf<Id>, { signal })
    },
    getNextPageParam: (last) => (last as Page).nextCursor ?? undefined,
    meta: { live },
  })
}

/**
 * A change: `const cancel = useChange('cancelOrder')`, then `cancel.mutate({ path, body })`. What is on the page is read
 * anew afterwards, also if the error says that it is no longer as it was shown. Its error is a Refusal in the service's
 * words. What is being sent is not sent again by a second press.
 */
export function useChange<Id extends Operation>(
  id: Id,
  settings: {
    onDone?: (answer: AnswerOf<Id>) => void
    /** if it is not that of the page */
    environment?: Environment
  } = {},
): UseMutationResult<AnswerOf<Id>, Error, InputOf<Id> & Extra> {
  const ofPage = useEnvironment()
  const environment = settings.environment ?? ofPage
  const queries = useQueryClient()
  const lastWords = useLastWords()
  const underWay = useRef<unknown[]>([])
  const isGone = useIsGone()
  const change = useMutation({
    mutationFn: ({ ifMatch, contentType, ...input }: InputOf<Id> & Extra) =>
      call(id, environment, input as unknown as InputOf<Id>, { ifMatch, contentType }),
    onSuccess: (answer) => {
      settings.onDone?.(answer)
      announce('Done.')
      return readAnew(queries)
    },
    onError: (error) => {
      if (isGone()) return tellAnywhere(error.message)
      if (!isOfOlderPage(error)) return
      lastWords.keep(error, queries.invalidateQueries())
    },
    onSettled: (_answer, _error, sent) => {
      underWay.current = underWay.current.filter((each) => each !== sent)
    },
  })
  const mutate: typeof change.mutate = (...given) => {
    const [input] = given
    if (underWay.current.some((each) => replaceEqualDeep(each, input) === each)) return
    underWay.current.push(input)
    lastWords.forget()
    change.mutate(...given)
  }
  return { ...change, mutate }
}

/** The record, the roles of the person or what was done with them are not as the page shows them. */
function isOfOlderPage(error: Error): boolean {
  return error instanceof Unreachable || (error instanceof Refusal && [403, 404, 409].includes(error.status))
}

/** Whether the page with the verb is left. */
function useIsGone(): () => boolean {
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  return () => isGone.current
}

/** Tells beside whatever page is shown. */
function tellAnywhere(message: string): void {
  notifications.show({ message, color: 'red', autoClose: false, closeButtonProps: { 'aria-label': 'Close' } })
}

/** how long a page takes to be drawn from what was read */
const drawn = 1_000

/** A verb that is refused may be gone once the page is read anew. What was to be said is then said beside the page. */
function useLastWords() {
  const words = useRef<string>(undefined)
  useEffect(
    () => () => {
      if (words.current !== undefined) tellAnywhere(words.current)
    },
    [],
  )
  const forget = () => {
    words.current = undefined
  }
  return {
    keep: ({ message }: Error, reading: Promise<unknown>) => {
      words.current = message
      void reading.finally(() => window.setTimeout(forget, drawn))
    },
    forget,
  }
}

/** Whether the roles of the person allow an operation. What they do not allow is not offered. */
export function allows(permissions: readonly string[], id: Operation): boolean {
  const permission = permissionFor(id)
  return permission === null || permissions.includes(permission)
}

/** The permission that an operation needs, such as `orders:read`; null = everybody who is signed in may. */
export const permissionFor = (id: Operation): string | null => operationTable[id][2]
