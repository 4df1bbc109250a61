import type { MailHeaders, OutgoingMail } from './mailer.ts'

/** The message as it travels (RFC 5322, MIME): text, HTML and the pictures that the HTML shows. */
export async function rawMessage(
  mail: OutgoingMail,
  fromAddress: string,
): Promise<{ raw: Buffer; headers: MailHeaders }> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const messageId = `<${mail.messageName}@${fromAddress.slice(fromAddress.lastIndexOf('@') + 1)}>`
  const fromName = onOneLine(mail.fromName)
  const subject = onOneLine(mail.subject)
  const composer = new MailComposer({
    from: { name: fromName, address: fromAddress },
    to: { name: '', address: mail.to },
    ...(mail.replyTo !== null && { replyTo: { name: '', address: mail.replyTo } }),
    subject,
    messageId,
    date: mail.date,
    // RFC 3834: no robot shall answer.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    text: mail.text,
    html: mail.html,
    attachments: mail.pictures.map(({ cid, fileName, contentType, content }) => ({
      cid,
      filename: fileName,
      contentType,
      content,
      contentDisposition: 'inline',
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const raw = await composer.compile().build()
  const headers = {
    From: `${fromName} <${fromAddress}>`,
    To: mail.to,
    ...(mail.replyTo !== null && { 'Reply-To': mail.replyTo }),
    Subject: subject,
    'Message-ID': messageId,
    Date: mail.date.toUTCString(),
    'Auto-Submitted': 'auto-generated',
  }
  return { raw, headers }
}

/** No line break gets into a header, whatever a name holds; the library holds that too. */
function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}
