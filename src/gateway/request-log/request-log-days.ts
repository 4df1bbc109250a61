import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/**
 * The partitions of the request log, one for each day in UTC. The service may not make tables: functions of the
 * database's owner make and drop these, and nothing else.
 */
export type MadeDays = {
  /** makes the partitions that these calls need, and the one of the day after, unless it made them before */
  make: (calls: readonly { recordedOn: Date }[]) => Promise<void>
}

const dayMilliseconds = 86_400_000

export function madeDays(statements: Queries): MadeDays {
  const made = new Set<number>()
  return {
    make: async (calls) => {
      const days = new Set(calls.map(({ recordedOn }) => Math.floor(recordedOn.getTime() / dayMilliseconds)))
      for (const day of [...days].flatMap((each) => [each, each + 1])) {
        if (made.has(day)) continue
        const written = new Date(day * dayMilliseconds).toISOString().slice(0, 10)
        await statements.rows(sql`select make_request_log_day(${written}::date)`)
        made.add(day)
      }
      // A day that has ended comes at most once more.
      const newest = Math.max(...made)
      for (const day of made) if (day < newest - 1) made.delete(day)
    },
  }
}

/** Drops the days of the log that ended before an instant, but none of the last fourteen by the database's clock. */
export async function forgetRequests(statements: Queries, before: Date): Promise<number> {
  const dropped = await statements.row<{ days: number }>(sql`
    select drop_request_log_days(${before}::timestamptz) as days`)
  return dropped!.days
}
