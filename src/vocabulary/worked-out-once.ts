/**
 * Works out the value of each key once, and keeps it. With `max` values the work starts over, so that what is kept cannot grow
 * without end: choose more than is in use at a time.
 */
export function workedOutOnce<Value>(max: number): (key: string, workOut: () => Value) => Value {
  const known = new Map<string, Value>()
  return (key, workOut) => {
    const present = known.get(key)
    if (present !== undefined) return present
    if (known.size >= max) known.clear()
    const value = workOut()
    known.set(key, value)
    return value
  }
}
