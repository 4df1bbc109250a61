import { sql } from '../../../database/sql.ts'
import type { LetterMaker } from './letter-maker.ts'
import { instantText } from './words.ts'

/** What a partner's people must do something about. */

const whyTold =
  'You get this mail because your address is noted for alerts. To change that, write to who looks after you.'

/** Nothing to tell once a delivery got through, or the endpoint is disabled. */
export const endpointFailing: LetterMaker<'endpoint_failing'> = async ({ reads }, { about }) => {
  const endpoint = await reads.row<{
    url: string
    partnerName: string
    reason: string | null
    status: number | null
  }>(sql`
    select url, partner.name as partner_name, latest.reason, latest.response_status as status
    from webhook_endpoint endpoint
    join partner using (partner_id)
    cross join lateral (
      select outcome, reason, response_status from webhook_delivery
      where endpoint_id = endpoint.endpoint_id and outcome in ('DELIVERED', 'FAILED')
      order by created_on desc, delivery_id desc limit 1
    ) as latest
    where endpoint_id = ${about.endpointId} and endpoint.disabled_on is null and latest.outcome = 'FAILED'`)
  if (!endpoint) return undefined
  const { host, pathname } = new URL(endpoint.url)
  const { reason, status } = endpoint
  return {
    letter: {
      subject: `Webhooks to ${host} do not get through`,
      preheader: `No delivery has succeeded since ${instantText(about.since)}.`,
      title: 'Your webhook endpoint fails',
      blocks: [
        {
          is: 'text',
          text: `Each of our latest webhooks to an endpoint of ${endpoint.partnerName} has failed. A webhook is sent once and not repeated: read what you missed through the API.`,
        },
        {
          is: 'facts',
          rows: [
            // A query may hold a secret of the partner's.
            ['Endpoint', host + pathname],
            ['Failing since', instantText(about.since)],
            ...(status === null ? [] : [['Latest answer', `HTTP ${status}`] as const]),
            ...(reason === null ? [] : [['Reason', reason.replaceAll('_', ' ')] as const]),
          ],
        },
        { is: 'text', isQuiet: true, text: whyTold },
      ],
    },
  }
}

/** Nothing to tell once the certificate was revoked. */
export const certificateEnding: LetterMaker<'certificate_ending'> = async ({ reads, now }, { about }) => {
  const certificate = await reads.row<{
    subjectDn: string
    serialNumber: string
    notAfter: string
    partnerName: string
  }>(sql`
    select subject_dn, serial_number, not_after, partner.name as partner_name
    from partner_certificate join partner using (partner_id)
    where certificate_id = ${about.certificateId} and revoked_on is null and not_after > ${now}`)
  if (!certificate) return undefined
  const { subjectDn, serialNumber, notAfter, partnerName } = certificate
  const days = Math.ceil((Date.parse(notAfter) - now.getTime()) / 86_400_000)
  const within = days === 1 ? 'within a day' : `in ${days} days`
  return {
    letter: {
      subject: `A client certificate of ${partnerName} ends ${within}`,
      preheader: `It ends on ${instantText(notAfter)}.`,
      title: `Your client certificate ends ${within}`,
      blocks: [
        {
          is: 'text',
          text: 'After that moment, requests with it are refused. Have a new certificate registered and use it before; two may be valid at the same time. If you use another one already, there is nothing to do.',
        },
        {
          is: 'facts',
          rows: [
            ['Ends on', instantText(notAfter)],
            ['Subject', subjectDn],
            ['Serial number', serialNumber],
          ],
        },
        { is: 'text', isQuiet: true, text: whyTold },
      ],
    },
  }
}

export const quotaNearlyUsed: LetterMaker<'quota_nearly_used'> = async ({ reads }, { partnerId, about }) => {
  const partner = await reads.row<{ name: string; tier: string }>(sql`
    select name, tier from partner where partner_id = ${partnerId}`)
  if (!partner) return undefined
  const quota = about.quota.toLocaleString('en')
  return {
    letter: {
      subject: `${partner.name} has used ${about.percent}% of today’s requests`,
      preheader: `The quota is ${quota} requests a day.`,
      title: 'Your daily quota is nearly used',
      blocks: [
        {
          is: 'text',
          text: `Your applications have used ${about.percent}% of the requests of this day. When all are used, requests are refused with 429 until midnight UTC.`,
        },
        {
          is: 'facts',
          rows: [
            ['Partner', partner.name],
            ['Tier', partner.tier.toLowerCase()],
            ['Requests a day', quota],
            ['Day', `${about.day} (UTC)`],
          ],
        },
        { is: 'text', isQuiet: true, text: whyTold },
      ],
    },
  }
}
