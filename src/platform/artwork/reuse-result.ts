import { createHash } from 'node:crypto'
import { sql } from '../../database/sql.ts'
import type { PictureKind } from '../../artwork/reports.ts'
import type { Finding, PageBoxes } from '../../vocabulary/artwork.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { InspectionStatus } from '../../vocabulary/statuses.ts'
import type { Stores } from '../files/stores.ts'
import type { InspectionClaim } from './claim-inspections.ts'
import { clearPictures, keepPicture, type Result } from './record-inspection.ts'

/**
 * Equal bytes inspected by equal rules and the same engine have the same result, so a file that was inspected before is
 * not inspected again. Findings and pictures are copied, so that each file can be removed with what belongs to it.
 * @returns undefined if no such file is known
 */
export async function reuseResult(
  stores: Stores,
  claim: InspectionClaim,
  engineVersion: string,
): Promise<{ result: Result; sha256: string } | undefined> {
  const { reads } = stores.database
  // artwork_inspection_reusable
  const alike = await reads.rows<{ inspectionId: string; sha256: string }>(sql`
    select inspection_id, sha256 from artwork_inspection
    where profile_key = ${claim.profileKey} and size_bytes = ${claim.sizeBytes} and engine_version = ${engineVersion}
      and sha256 is not null
    order by inspected_on desc limit 100`)
  if (alike.length === 0) return undefined
  const sha256 = await contentHash(stores.objectStore, claim.objectKey)
  const former = alike.find((each) => each.sha256 === sha256)
  const found = former && (await readResult(stores, former.inspectionId))
  if (!found || sha256 === undefined) return undefined
  for (const { objectKey: formerKey, ...picture } of found.pictures) {
    const isKept = await keepPicture(
      stores,
      claim,
      picture,
      async (objectKey) => (await stores.objectStore.settle(formerKey, objectKey)) !== undefined,
    )
    if (isKept) continue
    // The former file is being removed, so this one is inspected itself.
    await stores.database.transaction((tx) => clearPictures(tx, claim))
    return undefined
  }
  return { result: found.result, sha256 }
}

async function contentHash(objectStore: ObjectStore, objectKey: string): Promise<string | undefined> {
  const bytes = await objectStore.read(objectKey)
  if (!bytes) return undefined
  const hash = createHash('sha256')
  for await (const piece of bytes) hash.update(piece as Buffer)
  return hash.digest('hex')
}

type FormerRow = { status: InspectionStatus; mediaType: string | null; findings: Finding[]; pages: PageBoxes[] }
type FormerPicture = { page: number; of: PictureKind; objectKey: string; width: number; height: number }

async function readResult({ database }: Stores, inspectionId: string) {
  const [row, pictures] = await Promise.all([
    database.reads.row<FormerRow>(sql`
      select status, media_type, findings, pages from artwork_inspection where inspection_id = ${inspectionId}`),
    database.reads.rows<FormerPicture>(sql`
      select page, kind as of, object_key, width, height from artwork_picture
      where inspection_id = ${inspectionId}
      order by page, width`),
  ])
  if (!row) return undefined
  const { status, mediaType, findings, pages } = row
  return { result: { isReadable: status !== 'unreadable', mediaType, findings, pages }, pictures }
}
