import type { Mutant } from './mutant.ts'

const worker = 'src/platform/mail/mail-worker.test.ts'

export const mails: readonly Mutant[] = [
  {
    says: 'an address that refused for good is written to again',
    in: 'src/platform/mail/mail-worker.ts',
    from: "if (claim.isBounced) return failed(claim, 'address_bounced')",
    to: '',
    caughtBy: worker,
  },
  {
    says: 'a mail that is sent again has another message id each time it is tried',
    in: 'src/platform/mail/mail-worker.ts',
    from: 'messageName: `${mailId}.${claim.sendings}`',
    to: 'messageName: `${mailId}.${claim.claims}`',
    caughtBy: worker,
  },
  {
    says: 'the record of a mail holds the link that lets a person in',
    in: 'src/platform/mail/compose-mail.ts',
    from: 'record: written(masked)',
    to: 'record: written(made)',
    caughtBy: 'src/staff/mails/mails.test.ts',
  },
  {
    says: 'nothing requires TLS of the mail server',
    in: 'src/outside/mailer/smtp-mailer.ts',
    from: 'requireTLS: mustEncrypt && !isTls',
    to: 'requireTLS: false',
    caughtBy: 'src/outside/mailer/mailer.test.ts',
  },
  {
    says: 'HTML of mails is not escaped',
    in: 'src/platform/mail/look/letter-html.ts',
    from: 'escapeHtml(oneLineOf(text))',
    to: 'oneLineOf(text)',
    caughtBy: 'src/platform/mail/letters/letters.test.ts',
  },
]
