/**
 * What the rest of the service uses to send mails. Two mailers implement it: `smtp-mailer.ts` sends, `kept-mails.ts`
 * writes each mail into the data folder.
 */
export type Mailer = {
  /** Never throws. A mail that is sent again has the same message id. */
  send: (mail: OutgoingMail) => Promise<Sending>
  close: () => Promise<void>
}

export type OutgoingMail = {
  /** names the mail and its file */
  mailId: string
  /** one address */
  to: string
  /** shown beside the service's own address */
  fromName: string
  replyTo: string | null
  /** without angle brackets or host */
  messageName: string
  date: Date
  subject: string
  text: string
  html: string
  pictures: readonly MailPicture[]
}

/** A picture that the HTML shows by `cid:` and its id. */
export type MailPicture = { cid: string; fileName: string; contentType: string; content: Buffer }

/**
 * How it went. `refused`: for good, and if `isOfAddress` because of the address. `delayed`: the server did not take the mail
 * this time; `unreachable`: it did not answer, or not as a mail server does. `answer` is the server's: untrusted text.
 */
export type Sending =
  | { outcome: 'sent'; headers: MailHeaders }
  | { outcome: 'kept'; headers: MailHeaders; file: string }
  | { outcome: 'refused'; isOfAddress: boolean; answer: string }
  | { outcome: 'delayed' | 'unreachable'; answer: string }

/** The headers that staff see. */
export type MailHeaders = Readonly<Record<string, string>>
