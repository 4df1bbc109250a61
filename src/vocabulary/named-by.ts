import type { Refused } from './outcome.ts'

/** Up to this many are counted. */
export const namesCountedMax = 1_000

export type InUse = Refused<'in_use'> & { detail: string }

/**
 * Refuses to delete what other records name, and says in words which and how many; undefined = nothing names it.
 * @param counts of each kind of record, by its singular; none is counted beyond `namesCountedMax`
 * @param instead what staff can do
 */
export function inUse(counts: Readonly<Record<string, number>>, instead = 'Archive it instead.'): InUse | undefined {
  const named = Object.entries(counts).flatMap(([noun, count]) => {
    if (count === 0) return []
    const number = count >= namesCountedMax ? `${namesCountedMax.toLocaleString('en')} or more` : String(count)
    return [`${number} ${count === 1 ? noun : `${noun}s`}`]
  })
  if (named.length === 0) return undefined
  const list = named.length === 1 ? named[0]! : `${named.slice(0, -1).join(', ')} and ${named.at(-1)!}`
  return { refused: 'in_use', detail: `It cannot be deleted, because of ${list}. ${instead}` }
}
