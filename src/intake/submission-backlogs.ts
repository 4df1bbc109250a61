import type { Queries } from '../database/database.ts'
import { sql, sqlText } from '../database/sql.ts'
import type { Backlog } from '../vocabulary/backlog.ts'

const secondsSince = sqlText`
  coalesce(greatest(extract(epoch from now() - min(created_on)), 0), 0)::float8 as oldest_seconds`

/** The open submissions of each lane. @throws Outage */
export function submissionBacklogs(reads: Queries): Promise<Backlog[]> {
  // submission_open_plain and submission_open_artwork
  return reads.rows<Backlog>(sql`
    select 'submissions' as queue, count(*) as length, ${secondsSince} from submission
    where status in ('queued', 'processing') and not with_artwork
    union all
    select 'submissions_with_artwork', count(*), ${secondsSince} from submission
    where status in ('queued', 'processing') and with_artwork`)
}
