import type { MailPicture } from '../../../outside/mailer/mailer.ts'

/**
 * What a mail says, of which its text and its HTML are made. All texts are plain: names of people, products and files are
 * whatever somebody entered.
 */
export type Letter = {
  subject: string
  /** what a list of mails shows after the subject */
  preheader: string
  title: string
  blocks: readonly Block[]
}

export type Block =
  | { is: 'text'; text: string; isQuiet?: boolean }
  | { is: 'button'; label: string; url: string }
  | { is: 'picture'; cid: string; says: string }
  | { is: 'facts'; rows: readonly (readonly [name: string, value: string])[] }
  | { is: 'items'; items: readonly Item[]; totals: readonly Total[] }
  | { is: 'address'; title: string; lines: readonly string[] }

/** `amount`: with its currency, for people */
export type Item = { name: string; details: readonly string[]; quantity: number; amount: string | null }
export type Total = { name: string; amount: string; isSum?: boolean }

/** Whose mail it is. */
export type Sender = {
  name: string
  /** #rrggbb */
  color: string
  /** what can be read on `color` */
  textColor: string
  logo: MailPicture | null
  /** where answers go */
  supportEmail: string | null
  siteUrl: string | null
  isSandbox: boolean
}

/** Text for one line: without control characters, line breaks and marks that turn the direction of what follows. */
export function oneLineOf(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

export function subjectOf({ subject }: Letter, { isSandbox }: Sender): string {
  const line = Array.from(oneLineOf(subject))
  const cut = line.length > 150 ? `${line.slice(0, 149).join('')}…` : line.join('')
  return isSandbox ? `[Sandbox] ${cut}` : cut
}

export const sandboxSentence = 'This mail is from the sandbox: nothing in it is real, and it was sent to nobody.'

/** Why the reader gets it, and where answers go. */
export function closingOf({ name, supportEmail }: Sender): string {
  return supportEmail === null
    ? `Sent by ${name}. Nobody reads answers to this mail.`
    : `Sent by ${name}. To reach us, answer this mail or write to ${supportEmail}.`
}
