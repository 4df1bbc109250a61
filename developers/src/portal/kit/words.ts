/** `PENDING_REVIEW` → "Pending review" */
export function inWords(word: string): string {
  const words = word.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `countOf(2, 'order')` → "2 orders" */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}
