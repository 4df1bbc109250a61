import type { Queries } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Backlog } from '../vocabulary/backlog.ts'

/** The events without deliveries yet, and the deliveries without an outcome. @throws Outage */
export function webhookBacklogs(reads: Queries): Promise<Backlog[]> {
  // event_to_fan_out and webhook_delivery_open
  return reads.rows<Backlog>(sql`
    select 'events' as queue, count(*) as length,
      coalesce(greatest(extract(epoch from now() - min(recorded_on)), 0), 0)::float8 as oldest_seconds
    from event where fanned_out_on is null
    union all
    select 'webhook_deliveries', count(*),
      coalesce(greatest(extract(epoch from now() - min(created_on)), 0), 0)::float8
    from webhook_delivery where outcome is null`)
}
