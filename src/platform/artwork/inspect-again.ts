import type { Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { noteStrays } from '../files/stray-objects.ts'
import { lineSubject } from '../lines/change-line.ts'
import { artworkQueued } from './artwork-channels.ts'
import { changeInspection, isUnderWay } from './change-inspection.ts'
import { forgetPictures } from './forget-inspections.ts'
import { rulesOfSource } from './queue-inspections.ts'

/**
 * Queues a print file once more, with its product's rules of today. New rules and new engines change no result by
 * themselves, so that nothing that people saw changes under them: staff ask for it. The new result replaces the former;
 * waivers hold on.
 */
export function inspectAgain(tx: Transaction, change: Change, inspectionId: string) {
  return changeInspection(tx, change, inspectionId, async (inspection, line) => {
    if (isUnderWay(inspection)) return { refused: 'inspection_not_done' }
    const pictures = await forgetPictures(tx, sqlText`inspection_id = ${inspectionId}`)
    await Promise.all([
      noteStrays(tx, pictures),
      tx.rows(sql`
        update artwork_inspection
        set (profile, artwork_types, profile_key) = (
            select ${rulesOfSource}
            from order_line
            join product using (product_number)
            join product source on source.product_number = coalesce(product.master_number, product.product_number)
            where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}
          ),
          status = 'queued', queued_on = now(), failures = 0, engine_version = null, sha256 = null, size_bytes = null, media_type = null,
          findings = '[]', pages = '[]', inspected_on = null
        where inspection_id = ${inspectionId}`),
    ])
    tx.hint(artworkQueued)
    const detail = { statusBefore: inspection.status }
    return { done: {}, audit: { action: 'artwork.inspected_again', subject: lineSubject(line), detail } }
  })
}
