import assert from 'node:assert/strict'

/** Signs of a regular expression that was shown to people. */
const pattern = /\\[dDwWsSxupb]|\[\^|\(\?|[\])][*+]|\[[^\]\s]-[^\]\s]|\{\d+,\d*\}|(^|\s)\^|\$(\s|$|\.)/

/** Words that name a fault without saying what would be right. */
const vague = /required form|malformed|\bnot usable\b|another form|is not valid\.$/

/** Asserts that a text for people begins with a capital, ends with a full stop, and says what would be right. */
export function assertSentence(detail: string, where: string): void {
  const told = `${where}: ${detail}`
  assert.match(detail, /^\p{Lu}/u, told)
  assert.match(detail, /\.$/, told)
  assert.doesNotMatch(detail, pattern, told)
  assert.doesNotMatch(detail, vague, told)
}

type Told = { detail: string; errors?: { path: string; rule: string; detail: string }[] }

/**
 * The same for a problem document and each of the faults in it, the first of which is the one that it tells.
 * @param least a single fault is listed by the staff API and of quotes only
 */
export function assertTold({ detail, errors }: Told, where: string, least = 2): void {
  assertSentence(detail, where)
  if (errors === undefined) return
  assert.ok(errors.length >= least, where)
  assert.ok(detail.startsWith(errors[0]!.detail), `${where}: ${detail}`)
  for (const fault of errors) assertSentence(fault.detail, `${where} ${fault.path}`)
  assert.equal(new Set(errors.map((fault) => JSON.stringify(fault))).size, errors.length, where)
}
