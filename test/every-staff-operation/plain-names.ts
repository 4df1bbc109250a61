/** Names that must be unique, made so that a reader of the published examples sees the plain name. */

const uses = new Map<string, number>()
const plain = new Map<string, string>()

/** The name at its first use, then the name with a number. */
export function unique(name: string, separator = '-'): string {
  const use = (uses.get(name) ?? 0) + 1
  uses.set(name, use)
  if (use === 1) return name
  const made = `${name}${separator}${use}`
  plain.set(made, name)
  return made
}

/** The text with the plain name in place of each that `unique` made of it. */
export function plainNames(text: string): string {
  let shown = text
  // The longest first: one may begin another.
  for (const [made, name] of [...plain].toSorted(([a], [b]) => b.length - a.length)) {
    if (shown.includes(made)) shown = shown.replaceAll(made, name)
  }
  return shown
}
