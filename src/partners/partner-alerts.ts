import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { startWorker, type RunningWorker } from '../database/worker.ts'
import { queueMails, type QueuedMail } from '../platform/mail/queue-mails.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { tiers } from './tiers.ts'

/*
 * Alerts tell a partner by mail what its people must do something about: an endpoint to which nothing gets through, a
 * certificate that ends, a daily quota that is nearly used. The occasion of each mail is unique, so that however many
 * processes look, and however often, each address is told once.
 */

const pollMilliseconds = 5 * 60_000

/** An endpoint fails once so many deliveries in a row have failed, and the first of them so long ago. */
const failing = { deliveries: 3, minutes: 15, againAfterDays: 30 }
/** Days before the end of a certificate at which its partner is told. */
const daysBefore = [30, 7, 1] as const
const quotaShare = 0.8

export function startPartnerAlerts(parts: { database: Database; clock: Clock; log: Logger }): RunningWorker {
  return startWorker({
    log: parts.log,
    failed: 'alerts of partners were not written; trying again soon',
    pollMilliseconds,
    round: async () => {
      await alertPartners(parts.database, parts.clock())
    },
  })
}

/** Writes the alerts that are due. May run in several processes at once. */
export async function alertPartners(database: Database, now: Date): Promise<void> {
  const { longReads } = database
  const found = await Promise.all([
    failingEndpoints(longReads, now),
    endingCertificates(longReads, now),
    nearlyUsedQuotas(longReads, now),
  ])
  const mails = found.flat()
  if (mails.length > 0) await database.transaction((tx) => queueMails(tx, now, mails))
}

type Told = { partnerId: string; alertEmails: string[] }

async function failingEndpoints(reads: Database['reads'], now: Date): Promise<QueuedMail[]> {
  // webhook_delivery_newest, mail_by_kind
  const rows = await reads.rows<Told & { endpointId: string; since: string }>(sql`
    select partner_id, alert_emails, endpoint_id, since.created_on as since
    from webhook_endpoint endpoint
    join partner using (partner_id)
    cross join lateral (
      select count(*) as count, bool_and(outcome = 'FAILED') as all_failed from (
        select outcome from webhook_delivery
        where endpoint_id = endpoint.endpoint_id and outcome in ('DELIVERED', 'FAILED')
        order by created_on desc, delivery_id desc limit ${failing.deliveries}
      ) as newest
    ) as latest
    left join lateral (
      select created_on from webhook_delivery
      where endpoint_id = endpoint.endpoint_id and outcome = 'DELIVERED' and all_failed
      order by created_on desc, delivery_id desc limit 1
    ) as last_success on true
    cross join lateral (
      select created_on from webhook_delivery
      where endpoint_id = endpoint.endpoint_id and outcome = 'FAILED' and all_failed
        and created_on >= coalesce(last_success.created_on, '-infinity')
      order by created_on limit 1
    ) as since
    where partner.alert_emails <> '{}' and partner.disabled_on is null and endpoint.disabled_on is null
      and latest.count = ${failing.deliveries} and latest.all_failed
      and since.created_on <= ${now}::timestamptz - make_interval(mins => ${failing.minutes})
      and not exists (
        select from mail
        where kind = 'endpoint_failing' and about ->> 'endpointId' = endpoint.endpoint_id::text
          and created_on > greatest(last_success.created_on,
            ${now}::timestamptz - make_interval(days => ${failing.againAfterDays}))
      )`)
  return rows.flatMap(({ endpointId, since, ...told }) =>
    toEach(told, `endpoint_failing/${endpointId}/${since}`, (each) => ({
      ...each,
      kind: 'endpoint_failing',
      about: { endpointId, since },
    })),
  )
}

/** Tells of the latest of the days that have come: who was not told 30 days before is told 7 days before. */
async function endingCertificates(reads: Database['reads'], now: Date): Promise<QueuedMail[]> {
  const rows = await reads.rows<Told & { certificateId: string; notAfter: string }>(sql`
    select partner_id, alert_emails, certificate_id, not_after
    from partner_certificate certificate join partner using (partner_id)
    where revoked_on is null and alert_emails <> '{}' and disabled_on is null
      and not_after > ${now} and not_after <= ${now}::timestamptz + make_interval(days => ${daysBefore[0]})`)
  return rows.flatMap(({ certificateId, notAfter, ...told }) => {
    const left = (Date.parse(notAfter) - now.getTime()) / 86_400_000
    const days = daysBefore.findLast((each) => left <= each)!
    return toEach(told, `certificate_ending/${certificateId}/${days}`, (each) => ({
      ...each,
      kind: 'certificate_ending',
      about: { certificateId },
    }))
  })
}

async function nearlyUsedQuotas(reads: Database['reads'], now: Date): Promise<QueuedMail[]> {
  const day = now.toISOString().slice(0, 10)
  const names = Object.keys(tiers)
  const quotas = Object.values(tiers).map(({ dailyQuota }) => dailyQuota)
  const rows = await reads.rows<Told & { taken: number; quota: number }>(sql`
    select partner_id, alert_emails, taken, tiers.quota
    from partner_quota join partner using (partner_id)
    join unnest(${names}::text[], ${quotas}::int[]) as tiers (tier, quota) using (tier)
    where day = ${day}::date and taken >= ${quotaShare}::float8 * tiers.quota and alert_emails <> '{}'
      and disabled_on is null`)
  return rows.flatMap(({ quota, taken: _taken, ...told }) =>
    toEach(told, `quota_nearly_used/${told.partnerId}/${day}`, (each) => ({
      ...each,
      kind: 'quota_nearly_used',
      about: { day, quota, percent: quotaShare * 100 },
    })),
  )
}

function toEach(
  { partnerId, alertEmails }: Told,
  occasion: string,
  mail: (each: { to: string; partnerId: string; occasion: string }) => QueuedMail,
): QueuedMail[] {
  return alertEmails.map((to) => mail({ to, partnerId, occasion: `${occasion}/${to.toLowerCase()}` }))
}
