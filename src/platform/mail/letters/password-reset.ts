import { sql } from '../../../database/sql.ts'
import type { LetterMaker } from './letter-maker.ts'

/** Nothing to tell once the link was used or has ended. */
export const passwordReset: LetterMaker<'password_reset'> = async ({ reads, pageUrl }, { about, token }) => {
  const person = await reads.row<{ username: string }>(sql`
    select username from partner_person
    where person_id = ${about.personId} and disabled_on is null and exists (
      select from password_reset_link link
      where link.person_id = partner_person.person_id and link.expires_on = ${about.expiresOn}::timestamptz)`)
  if (!person || token === null) return undefined
  return {
    letter: {
      subject: 'Set a new password',
      preheader: 'The link works once, for one hour.',
      title: 'Set a new password',
      blocks: [
        { is: 'text', text: 'Hello,' },
        { is: 'text', text: 'Somebody, probably you, asked for a new password for this account.' },
        { is: 'facts', rows: [['Username', person.username]] },
        { is: 'button', label: 'Set a new password', url: pageUrl('reset', token) },
        {
          is: 'text',
          isQuiet: true,
          text: 'The link works once, for one hour after it was asked for. Do not pass it on: whoever has it sets your password. If you did not ask for it, delete this mail: your password stays as it is.',
        },
      ],
    },
  }
}
