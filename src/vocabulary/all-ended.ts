type Results<Works extends readonly Promise<unknown>[]> = { -readonly [Index in keyof Works]: Awaited<Works[Index]> }

/**
 * What works beside each other return, in their order, once every one of them has ended: none goes on behind the caller's
 * back. If some fail, the error of the first in their order is thrown.
 */
export async function allEnded<const Works extends readonly Promise<unknown>[]>(works: Works): Promise<Results<Works>> {
  const ends = await Promise.allSettled(works)
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  }) as Results<Works>
}
