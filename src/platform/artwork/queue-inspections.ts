import type { Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import { artworkQueued } from './artwork-channels.ts'

/**
 * The rules of a product, as the columns `profile`, `artwork_types` and `profile_key`. Equal rules have the same key.
 * For queries with `source`, the row that has the product's definition.
 */
export const rulesOfSource = sqlText`
  source.artwork_profile, source.artwork_types,
  encode(sha256(convert_to(source.artwork_profile::text || source.artwork_types::text, 'UTF8')), 'hex')`

/** Takes the turn of files of orders without a partner. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** Queues the print files of orders that are not queued yet, in the transaction that attaches them. */
export async function queueInspections(tx: Transaction, orderNumbers: readonly number[]): Promise<void> {
  if (orderNumbers.length === 0) return
  tx.hint(artworkQueued)
  // print_file_by_line
  await tx.rows(sql`
    insert into artwork_inspection (print_file_id, site_id, turn_of, profile, artwork_types, profile_key)
    select file.print_file_id, file.site_id, coalesce(orders.partner_id, ${nobody}::uuid), ${rulesOfSource}
    from print_file file
    join orders using (order_number)
    join order_line using (order_number, line_number)
    join product using (product_number)
    join product source on source.product_number = coalesce(product.master_number, product.product_number)
    where file.order_number = any(${orderNumbers}::bigint[])
    order by file.print_file_id
    on conflict (print_file_id) do nothing`)
}
