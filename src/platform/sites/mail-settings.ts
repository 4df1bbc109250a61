import { isDeepStrictEqual } from 'node:util'
import type { Queries, Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { recordAudit } from '../audit/audit.ts'

/** Whose orders send a mail: nobody's, those that no partner submitted, or all. */
export const mailedOrders = ['NONE', 'OWN_ORDERS', 'ALL_ORDERS'] as const

type MailedOrders = (typeof mailedOrders)[number]

/** Which mails a site's orders send. */
export type SiteMails = {
  orderConfirmation: MailedOrders
  proofWaiting: MailedOrders
  shipmentShipped: MailedOrders
}

const columns = sqlText`mails_order_confirmation as order_confirmation, mails_proof_waiting as proof_waiting,
  mails_shipment_shipped as shipment_shipped`

export function readSiteMails(queries: Queries, siteId: number): Promise<SiteMails | undefined> {
  return queries.row(sql`select ${columns} from site where site_id = ${siteId}`)
}

/** Mails that are in the outbox already are sent. */
export async function setSiteMails(
  tx: Transaction,
  change: Change,
  siteId: number,
  wish: SiteMails,
): Promise<Done | Refused<'site_not_found'>> {
  const before = await tx.row<SiteMails>(sql`select ${columns} from site where site_id = ${siteId} for no key update`)
  if (!before) return { refused: 'site_not_found' }
  if (isDeepStrictEqual({ ...before }, { ...wish })) return { done: {} }
  await Promise.all([
    tx.rows(sql`
      update site set mails_order_confirmation = ${wish.orderConfirmation}, mails_proof_waiting = ${wish.proofWaiting},
        mails_shipment_shipped = ${wish.shipmentShipped}, updated_on = ${change.now}
      where site_id = ${siteId}`),
    recordAudit(tx, change, {
      action: 'site.mails_set',
      subject: { kind: 'site', id: siteId },
      siteId,
      detail: { before, after: wish },
    }),
  ])
  return { done: {} }
}
