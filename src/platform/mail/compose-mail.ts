import type { OutgoingMail } from '../../outside/mailer/mailer.ts'
import { invitation } from './letters/invitation.ts'
import type { LetterMaker, LetterTools, MailFacts } from './letters/letter-maker.ts'
import { orderConfirmation } from './letters/order-confirmation.ts'
import { certificateEnding, endpointFailing, quotaNearlyUsed } from './letters/partner-alerts.ts'
import { passwordChanged } from './letters/password-changed.ts'
import { passwordReset } from './letters/password-reset.ts'
import { proofWaiting } from './letters/proof-waiting.ts'
import { shipmentShipped } from './letters/shipment-shipped.ts'
import { letterHtml } from './look/letter-html.ts'
import { letterText } from './look/letter-text.ts'
import { subjectOf, type Sender } from './look/letter.ts'
import type { MailKind } from './letters/mail-kinds.ts'

const makers: { [Kind in MailKind]: LetterMaker<Kind> } = {
  order_confirmation: orderConfirmation,
  proof_waiting: proofWaiting,
  shipment_shipped: shipmentShipped,
  invitation,
  password_reset: passwordReset,
  password_changed: passwordChanged,
  endpoint_failing: endpointFailing,
  certificate_ending: certificateEnding,
  quota_nearly_used: quotaNearlyUsed,
}

/** What stands in the record for the end of a link that lets a person in. */
export const maskedToken = '(only-the-recipient-gets-this-link)'

type Composed = Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'pictures'>

/**
 * Writes a mail from what is true now. `record` is what is kept of it: without the link that lets a person in. undefined =
 * there is nothing to tell any more.
 */
export async function composeMail<Kind extends MailKind>(
  tools: LetterTools,
  mail: MailFacts<Kind> & { kind: Kind },
  sender: Sender,
): Promise<(Composed & { record: Omit<Composed, 'pictures'> }) | undefined> {
  const make = makers[mail.kind] as unknown as LetterMaker<Kind>
  const made = await make(tools, mail)
  if (!made) return undefined
  const masked = mail.token === null ? made : ((await make(tools, { ...mail, token: maskedToken })) ?? made)
  const written = ({ letter }: typeof made) => ({
    subject: subjectOf(letter, sender),
    text: letterText(letter, sender),
    html: letterHtml(letter, sender),
  })
  return {
    ...written(made),
    pictures: [...(sender.logo ? [sender.logo] : []), ...(made.pictures ?? [])],
    record: written(masked),
  }
}
