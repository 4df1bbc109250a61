import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { call, callRevised, type AnswerOf, type InputOf, type Operation, type Revised } from './client.ts'

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
    queryFn: ({ signal }): Promise<AnswerOf<Id>> => call(environment, id, input, { signal }),
    enabled,
    refetchInterval: every,
  })
}

/** A read of what a change names by its ETag. */
export function useRevised<Id extends Operation>(id: Id, input: InputOf<Id>): UseQueryResult<Revised<AnswerOf<Id>>> {
  const environment = useEnvironment()
  return useQuery({
    queryKey: [environment, id, 'revised', input],
    queryFn: ({ signal }): Promise<Revised<AnswerOf<Id>>> => callRevised(environment, id, input, { signal }),
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

type Read<Id extends Operation> = { page: AnswerOf<Id>; of: InputOf<Id> }

type ListSettings<Item> = ReadSettings & {
  /** tells the list from others where the input is worked out */
  key?: unknown
  /** what tells a record from others: only the newest page is read `every` so often, and older ones stay */
  keyOf?: (item: Item) => unknown
}

/** A list: `useList('listRequests', 'requests', { outcome: 'failed' })`. @param input worked out anew at each read */
export function useList<Id extends Operation, Plural extends keyof AnswerOf<Id> & string>(
  id: Id,
  plural: Plural,
  input: InputOf<Id> | (() => InputOf<Id>),
  { enabled = true, every = false, key, keyOf }: ListSettings<ItemOf<Id, Plural>> = {},
): Listed<ItemOf<Id, Plural>> {
  const environment = useEnvironment()
  const cache = useQueryClient()
  const queryKey = [environment, id, 'list', key ?? input]
  const itemsOf = ({ page }: Read<Id>) => page[plural] as readonly ItemOf<Id, Plural>[]
  const cursorOf = ({ page }: Read<Id>) => (page as Page).nextCursor
  const read = async (of: InputOf<Id>, cursor: string | undefined, signal: AbortSignal): Promise<Read<Id>> => ({
    page: await call(environment, id, { ...(of as object), cursor } as InputOf<Id>, { signal }),
    of,
  })
  const asked = () => (typeof input === 'function' ? (input as () => InputOf<Id>)() : input)
  const query = useInfiniteQuery({
    queryKey,
    // A cursor is good only for the filters that it came with.
    queryFn: ({ pageParam, signal }) => read(pageParam?.of ?? asked(), pageParam?.cursor, signal),
    initialPageParam: undefined as { of: InputOf<Id>; cursor: string } | undefined,
    getNextPageParam: (last) => {
      const cursor = cursorOf(last)
      return cursor === null ? undefined : { of: last.of, cursor }
    },
    enabled,
    refetchInterval: keyOf ? false : every,
  })
  const isFollowed = enabled && every !== false && keyOf !== undefined && query.data !== undefined
  const newest = useQuery({
    // Not among what a change lets read anew: the list itself is.
    queryKey: ['newest', ...queryKey],
    queryFn: async ({ signal }) => {
      const first = await read(asked(), undefined, signal)
      cache.setQueryData<InfiniteData<Read<Id>>>(queryKey, (known) => known && withNewest(known, first))
      return null
    },
    enabled: isFollowed,
    refetchInterval: every,
    // The list has just been read.
    initialData: null,
    staleTime: Infinity,
    gcTime: 0,
  })

  /** The newest page before what was known. Where nothing joins them, the list begins anew. */
  function withNewest({ pages, pageParams }: InfiniteData<Read<Id>>, first: Read<Id>): InfiniteData<Read<Id>> {
    // A page looks at so many records, of which none may fit.
    if (itemsOf(first).length === 0 && cursorOf(first) !== null) return { pages, pageParams }
    const newKeys = new Set(itemsOf(first).map(keyOf!))
    const [top, ...older] = pages
    const known = top ? itemsOf(top) : []
    const stay = known.filter((item) => !newKeys.has(keyOf!(item)))
    const isJoined = top !== undefined && stay.length < known.length && known.length < joinedMax
    if (!isJoined) return { pages: [first], pageParams: pageParams.slice(0, 1) }
    // What it shows ends where it ended before, so the cursor of then goes on from there.
    const page = { ...(top.page as object), [plural]: [...itemsOf(first), ...stay] } as AnswerOf<Id>
    return { pages: [{ ...top, page }, ...older], pageParams }
  }

  return {
    items: (query.data?.pages ?? []).flatMap(itemsOf),
    isLoading: query.isPending,
    isFetching: query.isFetching,
    error: query.error ?? (isFollowed ? newest.error : null),
    hasMore: query.hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    readMore: () => void query.fetchNextPage(),
    readAnew: () => void query.refetch(),
  }
}

/** As many records grow on top of a list that is followed, before it begins anew. */
const joinedMax = 1_000

/** A press soon after another is the second half of a double click. */
const restMilliseconds = 500

export type Change<Id extends Operation> = {
  data: AnswerOf<Id> | undefined
  error: Error | null
  isPending: boolean
  mutate: (input: InputOf<Id>) => void
}

/**
 * A change. Everything that the page shows of the environment is read anew after it. It is made once at a time: while it
 * is under way, and for a moment after it, it `isPending`, and another press counts for nothing.
 */
export function useChange<Id extends Operation>(id: Id, onDone?: (answer: AnswerOf<Id>) => void): Change<Id> {
  const environment = useEnvironment()
  const cache = useQueryClient()
  const [isResting, setIsResting] = useState(false)
  // What is drawn is always a moment late.
  const isTaken = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (input: InputOf<Id>): Promise<AnswerOf<Id>> => call(environment, id, input),
    onSuccess: (answer) => {
      void cache.invalidateQueries({ queryKey: [environment] })
      onDone?.(answer)
    },
    onSettled: () => {
      setIsResting(true)
      timer.current = setTimeout(() => {
        isTaken.current = false
        setIsResting(false)
      }, restMilliseconds)
    },
  })
  return {
    data,
    error,
    isPending: isPending || isResting,
    mutate: (input) => {
      if (isTaken.current) return
      isTaken.current = true
      mutate(input)
    },
  }
}
