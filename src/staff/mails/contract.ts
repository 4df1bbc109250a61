import { Type } from 'typebox'
import {
  bodyObject,
  described,
  filledLineUpTo,
  instant,
  int32,
  longNumber,
  nullable,
  oneOf,
  pageOf,
  record,
  text,
  textUpTo,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { exactFilter, instantFilter, paged, pathParameters, wordFilter } from '../../contract/parameters.ts'
import { mailKinds, mailStatuses } from '../../platform/mail/letters/mail-kinds.ts'
import { mailedOrders } from '../../platform/sites/mail-settings.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const mail = {
  mailId: uuid,
  kind: described(oneOf(mailKinds), 'what it tells'),
  to: described(text, 'the e-mail address'),
  siteId: nullable(described(int32, 'the site in whose name it is; null = the service')),
  partnerId: nullable(described(uuid, 'the partner it is about')),
  orderNumber: nullable(described(longNumber, 'the order it is about')),
  status: described(
    oneOf(mailStatuses),
    'KEPT = written to the data folder and sent to nobody: in the sandbox, or where no mail server is set',
  ),
  reason: nullable(described(text, 'why it failed, or why the latest attempt did')),
  reasonDetail: nullable(described(text, 'the words of the mail server; not to be trusted')),
  subject: nullable(described(text, 'null = not written yet')),
  attempts: whole,
  nextAttemptOn: nullable(described(instant, 'null = none will follow')),
  createdOn: instant,
  endedOn: nullable(described(instant, 'when it left or failed')),
}

export const MailView = record('Mail', mail)
export const MailDetailView = record('MailDetail', {
  ...mail,
  text: nullable(described(text, 'as last written; a link that lets a person in is left out')),
  html: nullable(described(text, 'the same; it shows its pictures by cid:')),
  headers: Type.Record(Type.String(), Type.String(), { description: 'by name; empty until it left' }),
})

export const BouncedAddressView = record('BouncedAddress', {
  bouncedAddressId: int32,
  email: text,
  reason: described(text, 'the words of the mail server, or of staff'),
  notedOn: instant,
})

export const AlertEmailsView = record('AlertEmails', {
  emails: described(Type.Array(text), '[] = nobody is told'),
})

const mailed = (says: string) => described(oneOf(mailedOrders), says)

const mailsOfSite = {
  orderConfirmation: mailed('to the user for whom the order was placed'),
  proofWaiting: mailed('to the same user, with a picture of the proof and a link to it'),
  shipmentShipped: mailed("to the order's ship-notification address"),
}

export const SiteMailsView = record('SiteMails', mailsOfSite)

export const mails = staffSubject({
  name: 'Mails',
  says: 'What the service writes to people, what became of it, and the addresses that refuse mail. Production sends through the mail server of the settings; the sandbox sends nothing and keeps every mail.',
  problems: {
    mail_not_found: [404, 'No such mail.'],
    site_not_found: [404, 'No such site.'],
    partner_not_found: [404, 'No such partner.'],
    bounced_address_not_found: [404, 'No such address, or it is cleared.'],
    mail_queued: [409, 'The mail waits to be sent.'],
    mail_not_repeatable: [409, 'Its link is gone or its moment is over. Invite the person again instead.'],
    email_not_usable: [422, 'The field email must be an e-mail address such as dana@example.com.'],
  },
  operations: {
    listMails: staffOperation({
      id: 'listMails',
      at: 'GET /staff/v1/{environment}/mails',
      permission: 'mail:read',
      query: {
        kind: wordFilter(mailKinds, 'invalid_request', 'only mails of this kind'),
        to: exactFilter(254, 'only mails to this address, in any letter case'),
        orderNumber: {
          ...pathParameters.orderNumber,
          malformed: 'invalid_request',
          says: 'only mails about this order',
        },
        status: wordFilter(mailStatuses, 'invalid_request', 'only mails of this status'),
        since: instantFilter('only mails written at or after this instant'),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'mails',
      answers: { 200: pageOf('MailPage', 'mails', MailView) },
      refuses: [],
      says: 'Lists mails of the last 90 days, newest first.',
    }),
    readMail: staffOperation({
      id: 'readMail',
      at: 'GET /staff/v1/{environment}/mails/{mailId}',
      permission: 'mail:read',
      answers: { 200: MailDetailView },
      refuses: ['mail_not_found'],
      says: 'Shows a mail with its text, HTML and headers.',
    }),
    sendMailAgain: staffOperation({
      id: 'sendMailAgain',
      at: 'POST /staff/v1/{environment}/mails/{mailId}/send-again',
      permission: 'mail:write',
      answers: { 200: MailDetailView },
      refuses: ['mail_not_found', 'mail_queued', 'mail_not_repeatable'],
      says: 'Sends a mail once more, as a new message written from what is true now.',
    }),
    listBouncedAddresses: staffOperation({
      id: 'listBouncedAddresses',
      at: 'GET /staff/v1/{environment}/bounced-addresses',
      permission: 'mail:read',
      query: {
        email: exactFilter(254, 'only this address, in any letter case'),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'addresses',
      answers: { 200: pageOf('BouncedAddressPage', 'addresses', BouncedAddressView) },
      refuses: [],
      says: 'Lists the addresses that refused mail for good, the latest first. Nothing is sent to them.',
    }),
    noteBouncedAddress: staffOperation({
      id: 'noteBouncedAddress',
      at: 'POST /staff/v1/{environment}/bounced-addresses',
      permission: 'mail:write',
      body: {
        schema: bodyObject({
          email: textUpTo(254),
          reason: described(filledLineUpTo(500), 'what the bounce says'),
        }),
      },
      answers: { 201: BouncedAddressView },
      refuses: ['email_not_usable'],
      says: 'Notes an address whose mail came back, so that nothing more is sent to it.',
    }),
    clearBouncedAddress: staffOperation({
      id: 'clearBouncedAddress',
      at: 'POST /staff/v1/{environment}/bounced-addresses/{bouncedAddressId}/clear',
      permission: 'mail:write',
      answers: { 200: BouncedAddressView },
      refuses: ['bounced_address_not_found'],
      says: 'Lets mail be sent to an address again, and shows what was noted about it.',
    }),
    readAlertEmails: staffOperation({
      id: 'readAlertEmails',
      at: 'GET /staff/v1/{environment}/partners/{partnerId}/alert-emails',
      permission: 'partners:read',
      answers: { 200: AlertEmailsView },
      refuses: ['partner_not_found'],
      says: 'Shows the addresses to which a partner is told that an endpoint fails, a certificate ends, or its daily quota is nearly used.',
    }),
    setAlertEmails: staffOperation({
      id: 'setAlertEmails',
      at: 'PUT /staff/v1/{environment}/partners/{partnerId}/alert-emails',
      revises: 'readAlertEmails',
      permission: 'partners:write',
      body: { schema: bodyObject({ emails: Type.Array(textUpTo(254), { maxItems: 10 }) }) },
      answers: { 200: AlertEmailsView },
      refuses: ['partner_not_found', 'email_not_usable'],
      says: 'Sets the addresses for alerts to a partner: at most ten, or none.',
    }),
    readSiteMails: staffOperation({
      id: 'readSiteMails',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/mails',
      permission: 'sites:read',
      answers: { 200: SiteMailsView },
      refuses: ['site_not_found'],
      says: 'Shows which mails the orders of a site send: those of no order, of orders that no partner submitted (OWN_ORDERS), or of all.',
    }),
    setSiteMails: staffOperation({
      id: 'setSiteMails',
      at: 'PUT /staff/v1/{environment}/sites/{siteId}/mails',
      revises: 'readSiteMails',
      permission: 'sites:write',
      body: {
        schema: bodyObject(mailsOfSite),
      },
      answers: { 200: SiteMailsView },
      refuses: ['site_not_found'],
      says: 'Sets which mails the orders of a site send. For orders of partners the partner usually speaks to its customer.',
    }),
  },
})
