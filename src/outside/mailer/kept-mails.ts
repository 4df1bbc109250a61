import { mkdir, readdir, rm, stat } from 'node:fs/promises'
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
export type KeptMails = Mailer & {
  forget: (mailIds: readonly string[]) => Promise<void>
  /** the mails whose files were written before an instant */
  list: (before: Date) => Promise<string[]>
}

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
    list: async (before) => {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const mailIds: string[] = []
      for (const name of names) {
        const [, mailId] = /^([0-9a-f-]{36})\.eml$/.exec(name) ?? []
        if (mailId !== undefined && (await stat(fileOf(mailId))).mtime < before) mailIds.push(mailId)
      }
      return mailIds
    },
    close: () => Promise.resolve(),
  }
}
