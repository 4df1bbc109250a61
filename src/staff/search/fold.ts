/** Words that one search looks for; more narrow nothing down that a person would notice. */
const wordsMax = 4
const wordLengthMax = 60

/** As in `search_text`; a text that is searched for is one line without control characters. */
const separators = /[ -/:-@[-`{-\u00bf\u2000-\u206f\u3000-\u303f]+/g

/**
 * The words of a text, folded as `search_text` of the database folds them: no accents, lower case, no punctuation.
 */
export function foldedWords(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]+/g, '')
    .replaceAll(separators, ' ')
  const words = folded.split(' ').filter((word) => word !== '')
  return [...new Set(words)].slice(0, wordsMax).map((word) => Array.from(word).slice(0, wordLengthMax).join(''))
}
