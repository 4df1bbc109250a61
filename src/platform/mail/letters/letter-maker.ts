import type { Queries } from '../../../database/database.ts'
import type { ObjectStore } from '../../../outside/object-store/object-store.ts'
import type { MailPicture } from '../../../outside/mailer/mailer.ts'
import type { AboutOf, MailKind } from './mail-kinds.ts'
import type { Letter } from '../look/letter.ts'

/** What letters are made with. */
export type LetterTools = {
  reads: Queries
  objectStore: Pick<ObjectStore, 'read' | 'presignGet'>
  /** real time, by which links end */
  now: Date
  /** the address of a page that lets a person in */
  pageUrl: (link: 'invitation' | 'reset', token: string) => string
}

/** A mail to be written. */
export type MailFacts<Kind extends MailKind> = {
  orderNumber: number | null
  partnerId: string | null
  about: AboutOf[Kind]
  /** the end of its link that lets a person in */
  token: string | null
}

/** Reads what the letter tells, as it is now; undefined = there is nothing to tell any more. */
export type LetterMaker<Kind extends MailKind> = (
  tools: LetterTools,
  mail: MailFacts<Kind>,
) => Promise<{ letter: Letter; pictures?: readonly MailPicture[] } | undefined>
