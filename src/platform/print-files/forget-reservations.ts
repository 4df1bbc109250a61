import type { Database } from '../../database/database.ts'
import { batchMax, inBatches } from '../../database/in-batches.ts'
import { sql } from '../../database/sql.ts'
import { noteStrays } from '../files/stray-objects.ts'

/** Removes unused reservations made before an instant. Their uploads, if any, become strays. */
export async function forgetReservations(
  { transaction }: Pick<Database, 'transaction'>,
  before: Date,
  ending?: AbortSignal,
): Promise<number> {
  return inBatches(
    () =>
      transaction(async (tx) => {
        // artwork_reservation_unused
        const gone = await tx.rows<{ objectKey: string }>(sql`
          delete from artwork_reservation where reservation_name in (
            select reservation_name from artwork_reservation
            where attached_on is null and reserved_on < ${before}
            order by reserved_on
            limit ${batchMax}
            for update skip locked
          )
          returning object_key`)
        await noteStrays(
          tx,
          gone.map((reservation) => reservation.objectKey),
        )
        return gone
      }),
    ending,
  )
}
