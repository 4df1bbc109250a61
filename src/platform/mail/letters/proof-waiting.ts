import { sql } from '../../../database/sql.ts'
import { smallObject } from '../../files/small-object.ts'
import type { LetterMaker } from './letter-maker.ts'
import { dayText, greeting } from './words.ts'

/** The link lives as long as the strictest store lets a signed link live. */
const linkDays = 7

type Proof = {
  orderNumber: number
  productName: string
  jobName: string | null
  quantity: number
  name: string
  objectKey: string
  renditionKey: string
  timeZone: string
  firstName: string | null
}

/** Nothing to tell once the proof is decided, replaced or archived. */
export const proofWaiting: LetterMaker<'proof_waiting'> = async (tools, { orderNumber, about }) => {
  const { lineNumber, revision } = about
  // proof_file's primary key
  const proof = await tools.reads.row<Proof>(sql`
    select line.order_number, line.product_name, line.job_name, line.quantity, file.name, file.object_key,
      file.rendition_key, site.time_zone, buyer.first_name
    from proof_file file
    join visible_order_line line using (order_number, line_number)
    join orders using (order_number)
    join site on site.site_id = orders.site_id
    left join site_user buyer using (user_id)
    where file.order_number = ${orderNumber} and file.line_number = ${lineNumber} and file.revision = ${revision}
      and file.active and file.archived_on is null and line.proof_status = 'PENDING_REVIEW' and line.cancelled_on is null`)
  if (!proof) return undefined
  const { objectStore, now } = tools
  const [url, picture] = await Promise.all([
    objectStore.presignGet(proof.objectKey, {
      lifetimeSeconds: linkDays * 86_400,
      now,
      contentType: 'application/pdf',
      downloadName: proof.name,
    }),
    smallObject(objectStore, proof.renditionKey),
  ])
  const job = proof.jobName ?? proof.productName
  return {
    letter: {
      subject: `Order ${proof.orderNumber}: please look at the proof of ${job}`,
      preheader: 'We print as soon as you approve it.',
      title: 'Your proof is ready',
      blocks: [
        { is: 'text', text: greeting(proof.firstName) },
        {
          is: 'text',
          text: 'This is how your job will be printed. Please look at every word, colour and edge: we print as soon as you approve it, and what is approved is printed as it is.',
        },
        {
          is: 'facts',
          rows: [
            ['Order', String(proof.orderNumber)],
            ['Product', proof.productName],
            ...(proof.jobName === null ? [] : [['Job', proof.jobName] as const]),
            ['Quantity', String(proof.quantity)],
            ['Proof', `revision ${revision}`],
          ],
        },
        ...(picture ? [{ is: 'picture', cid: 'proof', says: `The proof of ${job}` } as const] : []),
        { is: 'button', label: 'Open the proof as PDF', url },
        { is: 'text', text: 'To approve it or to ask for changes, go to your order.' },
        {
          is: 'text',
          isQuiet: true,
          text: `Whoever has this link can see the proof. It works until ${dayText(new Date(now.getTime() + linkDays * 86_400_000), proof.timeZone)}.`,
        },
      ],
    },
    ...(picture && {
      pictures: [{ cid: 'proof', fileName: 'proof.png', contentType: 'image/png', content: picture }],
    }),
  }
}
