import { setTimeout as pause } from 'node:timers/promises'
import { recordAudit } from '../../platform/audit/audit.ts'
import { linkToObject } from '../../platform/files/link-to-object.ts'
import { type Erasure, erasePerson, finishErasures, listErasures, reapplyErasures } from '../../privacy/erase-person.ts'
import { exportPerson, filesOf } from '../../privacy/export-person.ts'
import { findPerson, ordersMax } from '../../privacy/find-person.ts'
import { sql } from '../../database/sql.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { privacy } from './contract.ts'

const linkSeconds = 3_600

/** The answer waits no longer for files to be removed: it has to come in time, however slow the store is. */
const finishMilliseconds = 1_500

export const privacyHandlers: StaffHandlers<typeof privacy> = {
  exportPerson: async ({ environment, body, change, now, refuse }) => {
    const { database, objectStore } = environment
    const named = await findPerson(database.longReads, body)
    if ('refused' in named) throw refuse(named.refused)
    const { found } = named
    if (found.orders.length > ordersMax) throw refuse('too_many_to_erase')
    const records = await exportPerson(database.longReads, environment.keys('person-key'), found)
    const keys = await filesOf(database.longReads, found)
    const files = await Promise.all(
      keys.map(async (objectKey) => {
        const link = await linkToObject(objectStore, objectKey, now, { lifetimeSeconds: linkSeconds })
        return { objectKey, link }
      }),
    )
    await database.transaction((tx) =>
      recordAudit(tx, change, {
        action: 'person.exported',
        // An e-mail address must not stay in the audit log.
        subject: { kind: 'person_export', id: body.kind === 'RECIPIENT' ? body.kind : `${body.kind}/${body.id}` },
        siteId: null,
        detail: { records: records.length, orders: found.orders.length, files: files.length },
      }),
    )
    return { status: 200, body: { exportedOn: now.toISOString(), records, files } }
  },
  erasePerson: async (call) => {
    const { environment, body, refuse, now } = call
    const { confirm, ...person } = body
    if (confirm !== body.id) throw refuse('confirmation_not_usable')
    const erasureKeys = environment.keys('erasure')
    // In a database from a backup, the ledger may have the next number already. The eraser tells what is damaged.
    await reapplyErasures({ ...environment, erasureKeys, now, damaged: () => undefined })
    const erased = await makeChange(call, (tx, change) => erasePerson(tx, change, erasureKeys, person))
    // The erasure itself is done. This goes on after the answer; the eraser takes up what fails here, and logs it.
    const finishing = finishErasures({ ...environment, of: erased.erasureId }).catch(() => undefined)
    await Promise.race([finishing, pause(finishMilliseconds, undefined, { ref: false })])
    return { status: 200, body: await readErasure(environment, erased) }
  },
  listErasures: async ({ environment, query, after, page }) => {
    const found = await listErasures(environment.database.longReads, {
      after: after && [String(after[0]), String(after[1])],
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ erasedOn, erasureId }) => [erasedOn, erasureId])
    return { status: 200, body: { erasures: rows, nextCursor } }
  },
}

async function readErasure({ database }: StaffEnvironment, erased: Erasure): Promise<Erasure> {
  const now = await database.statements.row<Pick<Erasure, 'finishedOn'>>(sql`
    select finished_on from erasure where erasure_id = ${erased.erasureId}`)
  return { ...erased, finishedOn: now!.finishedOn }
}
