import { createTransport } from 'nodemailer'
import type { Mailer, Sending } from './mailer.ts'
import { rawMessage } from './raw-message.ts'

/** The mail server of the operator, and the address from which mails come. */
export type SmtpServer = {
  host: string
  port: number
  /** TLS from the first byte; otherwise by STARTTLS */
  isTls: boolean
  /** false only for a server on this machine */
  mustEncrypt: boolean
  user: string | undefined
  password: string | undefined
  fromAddress: string
}

const limits = { connectMilliseconds: 10_000, silenceMilliseconds: 30_000 }

/** The most time that sending one mail takes. A lease must be longer. */
export const sendMilliseconds = 60_000

const atOnceMax = 4

/** Sends over a few connections that stay open between mails. */
export function smtpMailer(server: SmtpServer, sendMillisecondsMax = sendMilliseconds): Mailer {
  const { host, port, isTls, mustEncrypt, user, password, fromAddress } = server
  const transport = createTransport({
    host,
    port,
    secure: isTls,
    requireTLS: mustEncrypt && !isTls,
    // What listens on this machine has no certificate that anybody knows.
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: mustEncrypt },
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    pool: true,
    maxConnections: atOnceMax,
    maxMessages: 100,
    connectionTimeout: limits.connectMilliseconds,
    greetingTimeout: limits.connectMilliseconds,
    dnsTimeout: limits.connectMilliseconds,
    socketTimeout: limits.silenceMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // Connections that break while no mail is sent: the next mail opens another.
  transport.on('error', () => {})

  return {
    send: async (mail) => {
      const { raw, headers } = await rawMessage(mail, fromAddress)
      const signal = AbortSignal.timeout(sendMillisecondsMax)
      try {
        await transport.sendMail({ envelope: { from: fromAddress, to: [mail.to] }, raw, signal })
        return { outcome: 'sent', headers }
      } catch (error) {
        return failureOf(error as SmtpError, (text) => withoutPassword(text, password))
      }
    },
    close: async () => transport.close(),
  }
}

type SmtpError = Error & { code?: string; responseCode?: number; response?: string; command?: string }

/** Only what the server says to this mail is this mail's; a sender or a password that it refuses is the operator's. */
function failureOf(error: SmtpError, shown: (text: string) => string): Sending {
  const answer = shown(error.response ?? error.message)
  const { responseCode = 0, command = '' } = error
  const isToMail = command === 'RCPT TO' || command === 'DATA'
  if (!isToMail) return { outcome: responseCode === 0 ? 'unreachable' : 'delayed', answer }
  if (responseCode < 500) return { outcome: responseCode === 0 ? 'unreachable' : 'delayed', answer }
  // 5.7.x: the server's policy, which says nothing about the address (RFC 3463).
  const isOfAddress = command === 'RCPT TO' && !/^5\d\d[ -]5\.7\./.test(answer)
  return { outcome: 'refused', isOfAddress, answer }
}

const answerLengthMax = 500

/** A server may repeat what it was sent. */
function withoutPassword(text: string, password: string | undefined): string {
  const secrets = password ? [password, Buffer.from(password).toString('base64')] : []
  const clean = secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text)
  return clean.replaceAll(/\s+/g, ' ').slice(0, answerLengthMax)
}
