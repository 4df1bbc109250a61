import { randomUUID } from 'node:crypto'

/** A UUID of version 7 (RFC 9562 §5.7): the time in milliseconds, then 74 random bits. */
export function timeOrderedUuid(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** The time in a UUID of version 7; undefined for one of another version. */
export function timeOfUuid(uuid: string): Date | undefined {
  if (uuid[14] !== '7') return undefined
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16))
}
