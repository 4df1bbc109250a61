import LineBreaker from 'linebreak'

/**
 * Where a line may end (UAX 14), and the length of the text at the end. Thai, Lao, Khmer and Burmese are written without
 * spaces; the dictionaries of the runtime know their words.
 */
export function breakOpportunities(text: string): number[] {
  const ends = new Set<number>([text.length])
  const breaker = new LineBreaker(text)
  for (let found = breaker.nextBreak(); found; found = breaker.nextBreak()) ends.add(found.position)
  for (const { 0: part, index } of text.matchAll(withoutSpaces)) {
    for (const word of words.segment(part)) if (word.index > 0) ends.add(index + word.index)
  }
  return [...ends].filter((end) => end > 0).toSorted((one, other) => one - other)
}

const withoutSpaces = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Mn}]+/gu
const words = new Intl.Segmenter('th', { granularity: 'word' })
