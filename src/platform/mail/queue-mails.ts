import { hkdfSync, randomUUID } from 'node:crypto'
import type { Transaction } from '../../database/database.ts'
import { insertion } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import { seal, unseal } from '../../vocabulary/seal.ts'
import { hoursToTry, type AboutOf, type MailKind } from './letters/mail-kinds.ts'
import { type KeyRing, ofEach } from '../../vocabulary/keys.ts'

/** Hinted once a mail is committed. */
export const mailQueued = 'mail_queued'

export type QueuedMail<Kind extends MailKind = MailKind> = {
  [Each in Kind]: {
    kind: Each
    to: string
    /** null or absent = of no site */
    siteId?: number | null
    partnerId?: string | null
    orderNumber?: number
    about: AboutOf[Each]
    /** the end of the link that lets the person in, and `keyRing(masterKeys, environment, 'link')` */
    secret?: { token: string; linkKeys: KeyRing }
    /** nobody is told twice of the same occasion */
    occasion?: string
  }
}[Kind]

/**
 * Writes mails to the outbox, in the transaction of the change that they tell of: a change that is rolled back leaves
 * none. The mail worker composes and sends them.
 */
export async function queueMails(tx: Transaction, now: Date, mails: readonly QueuedMail[]): Promise<void> {
  if (mails.length === 0) return
  tx.hint(mailQueued)
  const rows = mails.map(({ kind, to, siteId, partnerId, orderNumber, about, secret, occasion }) => {
    const mailId = randomUUID()
    return {
      mailId,
      kind,
      recipient: to,
      siteId: siteId ?? null,
      partnerId: partnerId ?? null,
      orderNumber: orderNumber ?? null,
      about,
      secretSealed: secret ? `\\x${sealLink(secret.linkKeys, mailId, secret.token).toString('hex')}` : null,
      occasion: occasion ?? null,
      givesUpOn: new Date(Date.now() + hoursToTry(kind) * 3_600_000),
      createdOn: now,
    }
  })
  await tx.rows(sql`${insertion('mail', rows)} on conflict (occasion) do nothing`)
}

export function sealLink(linkKeys: KeyRing, mailId: string, token: string): Buffer {
  return seal(mailKeys(linkKeys), mailId, token)
}

export function openLink(linkKeys: KeyRing, mailId: string, sealed: Buffer): string {
  return unseal(mailKeys(linkKeys), mailId, sealed).toString()
}

/** The keys that seal the links in mails. */
export function mailKeys(linkKeys: KeyRing): KeyRing {
  return ofEach(linkKeys, (key) => Buffer.from(hkdfSync('sha256', key, '', 'mail', 32)))
}
