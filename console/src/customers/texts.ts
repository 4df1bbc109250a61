/** Text of a form as the API takes it: nothing typed = null. */
export function orNull(text: string): string | null {
  return text.trim() === '' ? null : text
}

/** Only what differs from the record, so that a change says no more than what was changed. */
export function changesOf<Fields extends object>(record: object, fields: Fields): Partial<Fields> {
  const before = record as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => (value ?? null) !== (before[name] ?? null)),
  ) as Partial<Fields>
}

/** How a person is called: the name, else the username, else the number. */
export function nameOf(user: {
  userId: number
  username: string | null
  firstName: string | null
  lastName: string | null
}): string {
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ')
  return name || user.username || `User ${user.userId}`
}
