import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { Picture } from '../../artwork/reports.ts'
import type { Finding, PageBoxes } from '../../vocabulary/artwork.ts'
import type { Stores } from '../files/stores.ts'
import { claimStrays, dropStrays, noteStrays } from '../files/stray-objects.ts'
import { artworkInspected } from './artwork-channels.ts'
import type { InspectionClaim } from './claim-inspections.ts'
import { forgetPictures } from './forget-inspections.ts'
import { endedStatus, judged } from './inspection-status.ts'
import { readWaivers } from './read-artwork.ts'

/** What an inspector writes down. Every write asks whether its claim still holds. */

/** Another inspector has taken over, or the file is gone. */
export class LeaseLost extends Error {}

/** What is known about a file. */
export type Result = {
  /** the file could be looked into */
  isReadable: boolean
  mediaType: string | null
  findings: readonly Finding[]
  pages: readonly PageBoxes[]
}

const holds = ({ inspectionId, claims }: InspectionClaim) =>
  sqlText`inspection_id = ${inspectionId} and claims = ${claims} and status = 'inspecting'`

async function fenced(written: Promise<unknown>): Promise<void> {
  if (!(await written)) throw new LeaseLost('another inspector has taken over')
}

/** Locks the row, so that the claim holds until the transaction ends. @throws LeaseLost */
export async function assertHeld(tx: Transaction, claim: InspectionClaim): Promise<void> {
  await fenced(tx.row(sql`select inspection_id from artwork_inspection where ${holds(claim)} for no key update`))
}

/** Removes the pictures that an earlier claim left. */
export async function clearPictures(tx: Transaction, claim: InspectionClaim): Promise<void> {
  await assertHeld(tx, claim)
  await noteStrays(tx, await forgetPictures(tx, sqlText`inspection_id = ${claim.inspectionId}`))
}

export async function recordFindings(tx: Transaction, claim: InspectionClaim, result: Result): Promise<void> {
  await fenced(
    tx.row(sql`
      update artwork_inspection
      set findings = ${JSON.stringify(result.findings)}::jsonb, pages = ${JSON.stringify(result.pages)}::jsonb,
        media_type = ${result.mediaType}
      where ${holds(claim)}
      returning inspection_id`),
  )
}

type Sized = Pick<Picture, 'page' | 'of' | 'width' | 'height'>

/**
 * Keeps a picture. It is stored before the transaction that records it.
 * @param store stores it under this key; answers false if there is nothing to store
 * @returns false if there was nothing to store
 */
export async function keepPicture(
  { database, objectStore }: Stores,
  claim: InspectionClaim,
  { page, of, width, height }: Sized,
  store: (objectKey: string) => Promise<boolean>,
): Promise<boolean> {
  const objectKey = `artwork-pictures/${claim.inspectionId}/${randomUUID()}.png`
  await noteStrays(database.statements, [objectKey])
  if (!(await store(objectKey))) return false
  try {
    await database.transaction(async (tx) => {
      await Promise.all([
        fenced(
          tx.row(sql`
            insert into artwork_picture (inspection_id, page, kind, object_key, width, height)
            select inspection_id, ${page}::int, ${of}, ${objectKey}, ${width}::int, ${height}::int
            from artwork_inspection where ${holds(claim)}
            for no key update
            returning inspection_id`),
        ),
        claimStrays(tx, [objectKey]),
      ])
    })
  } catch (error) {
    if (error instanceof LeaseLost) await dropStrays(objectStore, [objectKey])
    throw error
  }
  return true
}

/** @param reusable the content by which the result is used again, and the engine that found it */
export async function endInspection(
  tx: Transaction,
  claim: InspectionClaim,
  result: Result,
  reusable: { sha256: string; engineVersion: string } | undefined,
  now: Date,
): Promise<void> {
  // Waiving waits for this lock, or its waiver is read here.
  await assertHeld(tx, claim)
  const waivers = claim.printFileId === null ? [] : await readWaivers(tx, claim.printFileId)
  await recordFindings(tx, claim, result)
  await tx.rows(sql`
    update artwork_inspection
    set status = ${endedStatus(result.isReadable, judged(result.findings, waivers))}, inspected_on = ${now},
      leased_until = null, failures = 0, sha256 = ${reusable?.sha256 ?? null},
      size_bytes = ${claim.sizeBytes}, engine_version = ${reusable?.engineVersion ?? null}
    where inspection_id = ${claim.inspectionId}`)
  if (claim.printFileId !== null) tx.hint(artworkInspected)
}
