import { sql } from '../../../database/sql.ts'
import type { LetterMaker } from './letter-maker.ts'
import { instantText } from './words.ts'

/** Nothing to tell once the link was used, has ended or was replaced. */
export const invitation: LetterMaker<'invitation'> = async ({ reads, pageUrl }, { about, token }) => {
  const person = await reads.row<{ username: string; partnerName: string }>(sql`
    select username, partner.name as partner_name
    from partner_person join partner using (partner_id)
    where person_id = ${about.personId} and invitation_expires_on = ${about.expiresOn}::timestamptz
      and partner_person.disabled_on is null and partner.disabled_on is null`)
  if (!person || token === null) return undefined
  const { username, partnerName } = person
  return {
    letter: {
      subject: `Set your password for ${partnerName}`,
      preheader: `You are invited to sign in for ${partnerName}.`,
      title: 'You are invited',
      blocks: [
        { is: 'text', text: 'Hello,' },
        {
          is: 'text',
          text: `You are invited to sign in for ${partnerName}. Set a password first. You then sign in with it and with your username.`,
        },
        { is: 'facts', rows: [['Username', username]] },
        { is: 'button', label: 'Set a password', url: pageUrl('invitation', token) },
        {
          is: 'text',
          isQuiet: true,
          text: `The link works once, until ${instantText(about.expiresOn)}. Do not pass it on: whoever has it signs in as you. If you did not expect this mail, delete it.`,
        },
      ],
    },
  }
}
