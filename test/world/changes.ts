import { readStream, type Reading } from './event-stream.ts'
import type { Staff } from './staff.ts'
import type { TestService } from './service.ts'
import { until } from './webhooks.ts'

/** Reads the stream of changes as the console does. */
export type Watched = Reading & {
  /** the records that the events name so far: `order 1010033` */
  told: () => string[]
  /** waits until a change of this record was told */
  sees: (subject: string) => Promise<void>
}

export async function watched(
  { hosts }: Pick<TestService, 'hosts'>,
  { token }: Staff,
  { environment = 'production', lastEventId = '', query = '' } = {},
): Promise<Watched> {
  const url = `${hosts.consoleUrl}/staff/v1/${environment}/changes${query}`
  const reading = await readStream(url, token, lastEventId)
  const told = (): string[] =>
    reading.events.flatMap(({ event, data }) =>
      event === 'changed' ? data.subjects.map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`) : [],
    )
  return { ...reading, told, sees: (subject) => until(async () => told().includes(subject)) }
}
