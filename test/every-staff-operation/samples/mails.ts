import { sql } from '../../../src/database/sql.ts'
import type { Samples, SampleWorld } from '../samples.ts'

const at = '/staff/v1/production'

/** An invitation's mail that is kept, since the service under test has no mail server. */
async function keptMail({ service }: SampleWorld): Promise<{ path: { mailId: string } }> {
  const { statements } = service.production.database
  const kept = await statements.row<{ mailId: string }>(sql`
    insert into mail (mail_id, kind, recipient, site_id, order_number, status, subject, text_body, html_body, headers,
      attempts, gives_up_on, created_on, ended_on)
    select gen_random_uuid(), 'order_confirmation', 'dana@whitfield.test', site_id, order_number, 'KEPT',
      'Order ' || order_number || ': we have received it', 'Thank you for your order.', '<p>Thank you for your order.</p>',
      '{"Subject": "We have received your order"}', 1, now() + interval '3 days', now(), now()
    from orders where order_number = ${service.manifest.fixtures.orders.pendingReview.orderNumber}
    returning mail_id`)
  return { path: { mailId: kept!.mailId } }
}

async function bounced({ admin }: SampleWorld): Promise<{ path: { bouncedAddressId: number } }> {
  const { body } = await admin.post(`${at}/bounced-addresses`, {
    email: 'former.buyer@whitfield.test',
    reason: '550 5.1.1 The mailbox does not exist',
  })
  return { path: { bouncedAddressId: body.bouncedAddressId } }
}

export const mailSamples: Samples = {
  listMails: async (world) => {
    await keptMail(world)
    return { query: 'status=KEPT' }
  },
  readMail: keptMail,
  sendMailAgain: keptMail,
  listBouncedAddresses: async (world) => {
    await bounced(world)
    return {}
  },
  noteBouncedAddress: () => ({
    body: { email: 'accounts@whitfield.test', reason: 'The mailbox is closed; Dana Reyes says so by telephone.' },
  }),
  clearBouncedAddress: bounced,
  readAlertEmails: () => ({}),
  setAlertEmails: () => ({ body: { emails: ['integration@whitfield.test', 'dana.reyes@whitfield.test'] } }),
  readSiteMails: () => ({}),
  setSiteMails: () => ({
    body: { orderConfirmation: 'ALL_ORDERS', proofWaiting: 'OWN_ORDERS', shipmentShipped: 'ALL_ORDERS' },
  }),
}
