/**
 * What was typed as a number. What is none, also nothing at all, is sent as it was typed, so that the service says so at
 * the field: made a number, `2 or 3` would be sent as null and an empty field as 0, and both may mean something else.
 */
export function numberTyped(text: string): number {
  const typed = text.trim()
  return /^[+-]?\d+(\.\d+)?$/.test(typed) ? Number(typed) : (typed as unknown as number)
}

/** Whether pieces are asked for. What is no number is asked for too, so that it is refused and not left out. */
export function hasPieces(text: string): boolean {
  return !/^0*$/.test(text.trim())
}

/** `1 row`, `2,000 rows`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`
}
