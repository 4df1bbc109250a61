import { forgetRevokedTokens } from './auth/bearer/revoked-tokens.ts'
import type { Database } from './database/database.ts'
import { forgetRequests } from './gateway/request-log/request-log-days.ts'
import { forgetQuotas } from './gateway/throttle/forget-quotas.ts'
import type { KeptMails } from './outside/mailer/kept-mails.ts'
import type { ObjectStore } from './outside/object-store/object-store.ts'
import { checkHours } from './platform/artwork/artwork-checks.ts'
import { forgetArtworkChecks } from './platform/artwork/forget-checks.ts'
import { eventHours, forgetEvents } from './platform/events/forget-events.ts'
import { removeStrays } from './platform/files/stray-objects.ts'
import { forgetMails } from './platform/mail/forget-mails.ts'
import { forgetReservations } from './platform/print-files/forget-reservations.ts'
import type { KeptForATime } from './retention/retention.ts'
import type { KeepDays } from './settings.ts'
import { forgetDeliveries } from './webhooks/forget-deliveries.ts'

const day = 24
const strayHours = day

/**
 * Data that is kept for a limited time, and for how long. Orders, submissions, print and proof files, the proof log and
 * the audit log are kept for ever: when the events of an order are removed, its history stays in the audit log.
 */
export function keptForATime(
  database: Database,
  objectStore: Pick<ObjectStore, 'remove'>,
  keptMails: Pick<KeptMails, 'forget'>,
  keepDays: KeepDays,
): KeptForATime[] {
  const { statements } = database
  return [
    // counted from when they were made, not from their outcome
    {
      what: 'deliveries',
      hours: keepDays.deliveries * day,
      forget: (before, ending) => forgetDeliveries(statements, before, ending),
    },
    // after their fan-out
    { what: 'events', hours: eventHours, forget: (before, ending) => forgetEvents(statements, before, ending) },
    // after their day
    { what: 'quotas', hours: keepDays.quotas * day, forget: (before) => forgetQuotas(statements, before) },
    // after they were answered; a day at a time, so up to a day longer
    { what: 'requests', hours: keepDays.requests * day, forget: (before) => forgetRequests(statements, before) },
    // after they were written, with their files; those that wait are kept
    {
      what: 'mails',
      hours: keepDays.mails * day,
      forget: (before, ending) => forgetMails(statements, keptMails, before, ending),
    },
    // after their token expired
    { what: 'revocations', hours: day, forget: (before, ending) => forgetRevokedTokens(statements, before, ending) },
    // after they were made: the upload URL works for a minute (ART-05), and a partner that attaches much later must
    // upload again
    { what: 'reservations', hours: day, forget: (before, ending) => forgetReservations(database, before, ending) },
    // after they were begun
    {
      what: 'artworkChecks',
      hours: checkHours,
      forget: (before, ending) => forgetArtworkChecks(database, before, ending),
    },
    // after they were noted, by the database's clock
    {
      what: 'objects',
      hours: strayHours,
      forget: (_before, ending) => removeStrays(database, objectStore, strayHours, ending),
    },
  ]
}
