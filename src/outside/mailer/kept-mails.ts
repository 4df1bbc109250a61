import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWholeFile } from '../whole-file.ts'
import type { Mailer, OutgoingMail } from './mailer.ts'
import { rawMessage } from './raw-message.ts'

/** The sender of mails that nobody receives. */
const keptFrom = 'no-reply@partner-commerce.invalid'

/**
 * Writes each mail as an .eml file that mail programs open, which only the service's user may read: it may hold a link that lets
 * a person in.
 */
export type KeptMails = Mailer & { forget: (mailIds: readonly string[]) => Promise<void> }

export function keptMails(folder: string, fromAddress = keptFrom): KeptMails {
  const fileOf = (mailId: string): string => join(folder, `${mailId}.eml`)
  return {
    send: async (mail: OutgoingMail) => {
      const file = fileOf(mail.mailId)
      const { raw, headers } = await rawMessage(mail, fromAddress)
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeWholeFile(file, raw, 0o600)
      } catch (error) {
        return { outcome: 'unreachable', answer: `the data folder: ${(error as NodeJS.ErrnoException).code}` }
      }
      return { outcome: 'kept', headers, file }
    },
    forget: async (mailIds) => {
      await Promise.all(mailIds.map((mailId) => rm(fileOf(mailId), { force: true })))
    },
    close: () => Promise.resolve(),
  }
}
