/**
 * A function whose answers are remembered for a time, by what was asked. Askers at the same moment share one call. An
 * error is told to them and forgotten.
 * @param bounds `max`: how many answers, of which the oldest is forgotten first
 */
export function remembered<Asked extends object, Told>(
  ask: (asked: Asked) => Promise<Told>,
  bounds: { goodFor: number; max: number; monotonic: () => number },
): (asked: Asked) => Promise<Told> {
  const known = new Map<string, { told: Promise<Told>; until: number }>()
  return (asked) => {
    const key = JSON.stringify(asked)
    const now = bounds.monotonic()
    const kept = known.get(key)
    if (kept && kept.until > now) return kept.told
    const entry = { told: ask(asked), until: now + bounds.goodFor }
    known.delete(key)
    known.set(key, entry)
    if (known.size > bounds.max) known.delete(known.keys().next().value!)
    entry.told.catch(() => {
      if (known.get(key) === entry) known.delete(key)
    })
    return entry.told
  }
}
