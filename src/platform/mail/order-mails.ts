import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { hoursToTry } from './letters/mail-kinds.ts'
import { mailQueued } from './queue-mails.ts'

/*
 * The mails that changes of a placed order send. The statement that writes a mail also asks whether it is wanted: by the
 * site's settings, and by an address. Not async, so that their statements travel with those of the change.
 */

/** Tells the order's ship-notification address, if it has one, that a shipment has left. */
export function queueShipmentMail(tx: Transaction, now: Date, orderNumber: number, shipmentNumber: number) {
  tx.hint(mailQueued)
  return tx.rows(sql`
    insert into mail (mail_id, kind, recipient, site_id, partner_id, order_number, about, gives_up_on, created_on)
    select ${randomUUID()}::uuid, 'shipment_shipped', ship_notification_email, site_id, partner_id, order_number,
      json_build_object('shipmentNumber', ${shipmentNumber}::bigint),
      now() + make_interval(hours => ${hoursToTry('shipment_shipped')}), ${now}
    from orders join site using (site_id)
    where order_number = ${orderNumber} and ship_notification_email <> ''
      and (mails_shipment_shipped = 'ALL_ORDERS' or mails_shipment_shipped = 'OWN_ORDERS' and partner_id is null)`)
}

/** Asks the user for whom the order was placed to look at the newest revision of a line's proof. */
export function queueProofMail(tx: Transaction, now: Date, orderNumber: number, lineNumber: number, revision: number) {
  tx.hint(mailQueued)
  return tx.rows(sql`
    insert into mail (mail_id, kind, recipient, site_id, partner_id, order_number, about, gives_up_on, created_on)
    select ${randomUUID()}::uuid, 'proof_waiting', buyer.email, orders.site_id, partner_id, order_number,
      json_build_object('lineNumber', ${lineNumber}::int, 'revision', ${revision}::int),
      now() + make_interval(hours => ${hoursToTry('proof_waiting')}), ${now}
    from orders join site using (site_id) join site_user buyer using (user_id)
    where order_number = ${orderNumber} and buyer.active and buyer.email <> ''
      and (mails_proof_waiting = 'ALL_ORDERS' or mails_proof_waiting = 'OWN_ORDERS' and partner_id is null)`)
}
