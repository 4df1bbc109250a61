import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useEnvironment } from '../environment.ts'
import { call, type AnswerOf, type InputOf, type Operation } from './client.ts'

/** Reads and changes in the environment of the page. */

export type ReadSettings = {
  /** false = not now */
  enabled?: boolean
  /** read anew every so many milliseconds, while somebody looks */
  every?: number | false
}

/** A read: `useRead('getOrder', { orderNumber })`. */
export function useRead<Id extends Operation>(
  id: Id,
  input: InputOf<Id>,
  { enabled = true, every = false }: ReadSettings = {},
): UseQueryResult<AnswerOf<Id>> {
  const environment = useEnvironment()
  return useQuery({
    queryKey: [environment, id, input],
    queryFn: ({ signal }): Promise<AnswerOf<Id>> => call(environment, id, input, signal),
    enabled,
    refetchInterval: every,
  })
}

type Page = { nextCursor: string | null }

/** A list by pages: all records that were read so far, and how to read more. */
export type Listed<Item> = {
  items: readonly Item[]
  isLoading: boolean
  isFetching: boolean
  error: Error | null
  hasMore: boolean
  isReadingMore: boolean
  readMore: () => void
  readAnew: () => void
}

type ItemOf<Id extends Operation, Plural extends string> =
  AnswerOf<Id> extends { [Key in Plural]: readonly (infer Item)[] } ? Item : never

/** A list: `useList('listRequests', 'requests', { outcome: 'failed' })`. @param input worked out anew at each read */
export function useList<Id extends Operation, Plural extends keyof AnswerOf<Id> & string>(
  id: Id,
  plural: Plural,
  input: InputOf<Id> | (() => InputOf<Id>),
  { enabled = true, every = false, key }: ReadSettings & { key?: unknown } = {},
): Listed<ItemOf<Id, Plural>> {
  const environment = useEnvironment()
  const query = useInfiniteQuery({
    queryKey: [environment, id, 'list', key ?? input],
    queryFn: ({ pageParam, signal }) => {
      const asked = typeof input === 'function' ? (input as () => InputOf<Id>)() : input
      // A cursor is good only for the filters that it came with.
      const { of, cursor } = pageParam ?? { of: asked, cursor: undefined }
      return call(environment, id, { ...(of as object), cursor } as InputOf<Id>, signal).then((page) => ({ page, of }))
    },
    initialPageParam: undefined as { of: InputOf<Id>; cursor: string } | undefined,
    getNextPageParam: ({ page, of }) => {
      const { nextCursor } = page as Page
      return nextCursor === null ? undefined : { of, cursor: nextCursor }
    },
    enabled,
    refetchInterval: every,
  })
  return {
    items: (query.data?.pages ?? []).flatMap(({ page }) => page[plural] as readonly ItemOf<Id, Plural>[]),
    isLoading: query.isPending,
    isFetching: query.isFetching,
    error: query.error,
    hasMore: query.hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    readMore: () => void query.fetchNextPage(),
    readAnew: () => void query.refetch(),
  }
}

/** A change. Everything that the page shows of the environment is read anew after it. */
export function useChange<Id extends Operation>(
  id: Id,
  onDone?: (answer: AnswerOf<Id>) => void,
): UseMutationResult<AnswerOf<Id>, Error, InputOf<Id>> {
  const environment = useEnvironment()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (input: InputOf<Id>): Promise<AnswerOf<Id>> => call(environment, id, input),
    onSuccess: (answer) => {
      void cache.invalidateQueries({ queryKey: [environment] })
      onDone?.(answer)
    },
  })
}
