/** Words that one search looks for; more narrow nothing down that a person would notice. */
const wordsMax = 4
const wordLengthMax = 60

/** As in `search_text` of the database; a text that is searched for is one line without control characters. */
const separators = /[ -/:-@[-`{-\u00bf\u2000-\u206f\u3000-\u303f]+/g

/** As in `plain_letters` of the database: what `normalize` takes for letters of their own. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ς: 'σ',
  ĸ: 'k',
  ŋ: 'n',
}
const ownLetters = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')

/** The words of a text, folded as `order_words` of the database folds them: no accents, lower case, no punctuation. */
export function foldedWords(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]+/g, '')
    .replaceAll(separators, ' ')
    .replaceAll(ownLetters, (letter) => letters[letter]!)
  const words = folded.split(' ').filter((word) => word !== '')
  return [...new Set(words)].slice(0, wordsMax).map((word) => Array.from(word).slice(0, wordLengthMax).join(''))
}
