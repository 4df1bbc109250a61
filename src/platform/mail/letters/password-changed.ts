import { sql } from '../../../database/sql.ts'
import type { LetterMaker } from './letter-maker.ts'

/** Tells the person, who then notices if it was somebody else. */
export const passwordChanged: LetterMaker<'password_changed'> = async ({ reads }, { about }) => {
  const person = await reads.row<{ username: string; partnerName: string }>(sql`
    select username, partner.name as partner_name from partner_person join partner using (partner_id)
    where person_id = ${about.personId}`)
  if (!person) return undefined
  return {
    letter: {
      subject: 'Your password was changed',
      preheader: 'Was it not you? Tell us at once.',
      title: 'Your password was changed',
      blocks: [
        { is: 'text', text: 'Hello,' },
        { is: 'text', text: 'A new password was set for this account, by a link from a mail to you.' },
        { is: 'facts', rows: [['Username', person.username]] },
        {
          is: 'text',
          text: `If it was not you, tell the person who manages access at ${person.partnerName} at once: they can have the account disabled.`,
        },
      ],
    },
  }
}
