import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import { startWorker, type RunningWorker } from '../../database/worker.ts'
import type { Mailer } from '../../outside/mailer/mailer.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { isEmailForm } from '../../vocabulary/text.ts'
import { noteBounce } from './bounced-addresses.ts'
import { claimMails, giveBackMail, recordFailed, recordLeft, type MailClaim } from './claim-mails.ts'
import { composeMail } from './compose-mail.ts'
import type { LetterTools, MailFacts } from './letters/letter-maker.ts'
import type { MailKind } from './letters/mail-kinds.ts'
import { mailQueued, openLink } from './queue-mails.ts'
import { readSender } from './sender.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'
import type { MailOutcome } from '../../vocabulary/sending-outcomes.ts'

const pollMilliseconds = 2_000
const atOnceMax = 4

/**
 * Sends the mails of the outbox. Each is claimed under a lease and written from what is true at that moment. A mail that the
 * server accepted just before a crash is sent once more, with the same message id; no other is sent twice.
 */
export function startMailWorker(parts: {
  database: Database
  objectStore: Pick<ObjectStore, 'read' | 'presignGet'>
  mailer: Mailer
  pageUrl: LetterTools['pageUrl']
  /** `keyRing(masterKeys, environment, 'link')` */
  linkKeys: KeyRing
  isSandbox: boolean
  clock: Clock
  log: Logger
  observeMail: (outcome: MailOutcome) => void
}): RunningWorker {
  const { database, objectStore, mailer, pageUrl, linkKeys, isSandbox, clock, log, observeMail } = parts
  const { statements, reads } = database

  async function work(claim: MailClaim): Promise<void> {
    try {
      observeMail(await sendOne(claim))
    } catch (error) {
      const isOutage = error instanceof Outage
      const { mailId, kind } = claim
      log[isOutage ? 'warn' : 'error']({ mailId, kind, err: error }, 'a mail could not be written; trying again later')
      const [reason, detail] = isOutage
        ? (['unreachable', (error as Outage).message] as const)
        : (['internal', null] as const)
      await retryOrEnd(claim, reason, detail).catch((problem: Error) =>
        log.warn({ err: problem }, 'a mail was not given back; its lease will lapse'),
      )
      observeMail('delayed')
    }
  }

  /** @returns how it went */
  async function sendOne(claim: MailClaim): Promise<MailOutcome> {
    const { mailId, kind, recipient, siteId, orderNumber, partnerId, about, secretSealed } = claim
    if (!isEmailForm(recipient)) return failed(claim, 'address_not_usable')
    if (claim.isBounced) return failed(claim, 'address_bounced')
    const token = secretSealed && openLink(linkKeys, mailId, secretSealed)
    const now = clock()
    const sender = await readSender({ reads, objectStore }, { siteId, partnerId }, isSandbox)
    const facts = { kind, orderNumber, partnerId, about, token } as MailFacts<MailKind> & { kind: MailKind }
    const composed = await composeMail({ reads, objectStore, pageUrl, now }, facts, sender)
    if (!composed) return failed(claim, 'nothing_to_tell')
    const { record, ...message } = composed
    const sending = await mailer.send({
      ...message,
      mailId,
      to: recipient,
      fromName: sender.name,
      replyTo: sender.supportEmail,
      messageName: `${mailId}.${claim.sendings}`,
      date: new Date(claim.createdOn),
    })
    if (sending.outcome === 'sent' || sending.outcome === 'kept') {
      await recordLeft(statements, claim, sending.outcome === 'sent' ? 'SENT' : 'KEPT', record, sending.headers)
      if (sending.outcome === 'kept') log.info({ mailId, kind, file: sending.file }, 'kept a mail as a file')
      return sending.outcome
    }
    const { answer } = sending
    log.warn({ mailId, kind, outcome: sending.outcome, answer }, 'the mail server did not take a mail')
    if (sending.outcome === 'refused') {
      if (sending.isOfAddress) await noteBounce(statements, recipient, answer, now)
      return failed(claim, 'refused', answer, record)
    }
    const reason = sending.outcome === 'delayed' ? 'not_taken' : 'unreachable'
    return retryOrEnd(claim, reason, answer, record)
  }

  async function failed(claim: MailClaim, ...why: TailOf<typeof recordFailed>): Promise<MailOutcome> {
    await recordFailed(statements, claim, ...why)
    return 'failed'
  }

  async function retryOrEnd(
    claim: MailClaim,
    ...[reason, detail, record]: TailOf<typeof giveBackMail>
  ): Promise<MailOutcome> {
    if (claim.isLast) return failed(claim, 'gave_up', detail, record)
    await giveBackMail(statements, claim, reason, detail, record)
    return 'delayed'
  }

  return startWorker({
    log,
    failed: 'mails cannot be claimed; trying again soon',
    pollMilliseconds,
    hints: { database, channel: mailQueued },
    slots: atOnceMax,
    round: async ({ free, begin }) => {
      const claims = await claimMails(statements, free)
      for (const claim of claims) begin(() => work(claim))
      return claims.length === free
    },
  })
}

type TailOf<Fn> = Fn extends (queries: never, claim: never, ...rest: infer Rest) => unknown ? Rest : never
