import type { Handler, Picture } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { linkToObject } from '../../platform/files/link-to-object.ts'
import { smallObject } from '../../platform/files/small-object.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import type { ProofStatus } from '../../vocabulary/statuses.ts'
import type { proofs } from './contract.ts'

type FileRow = {
  name: string
  /** null while the file is archived */
  objectKey: string | null
  active: boolean
  createdOn: string
}

type Row = { proofStatus: ProofStatus | null; renditionKey: string | null } & (FileRow | { name: null })

const filesMax = 200

/**
 * The line and its files in one read, oldest revision first: a row with null columns stands for a line without files.
 * A link that cannot be made right now is null and its file stays listed (PRF-10). Served by order_line_item_number_unique and the
 * primary key of proof_file.
 */
export function getProof(database: Database, store: ObjectStore, realClock: Clock): Handler<typeof proofs.getProof> {
  async function link(key: string | null, answer: { contentType: string; downloadName?: string }) {
    return key === null ? null : linkToObject(store, key, realClock(), answer)
  }

  /** What a person sees at `visualUrl`. */
  function visual(key: string | null): Picture {
    return async () => {
      const bytes = key === null ? undefined : await smallObject(store, key)
      return bytes && { mediaType: 'image/png', bytes }
    }
  }

  return async ({ siteIds, path, refuse }) => {
    const rows = await database.reads.rows<Row>(sql`
      select line.proof_status, (
          select current.rendition_key from proof_file current
          where current.order_number = line.order_number and current.line_number = line.line_number
            and current.active and current.consumer_visible and current.archived_on is null
        ) as rendition_key, file.name, file.object_key, file.active, file.created_on
      from visible_order_line line
      left join lateral (
        select revision, name, active, created_on, case when archived_on is null then object_key end as object_key
        from proof_file
        where proof_file.order_number = line.order_number and proof_file.line_number = line.line_number and consumer_visible
        order by revision
        limit ${filesMax}
      ) as file on true
      where line.order_number = ${path.orderNumber} and line.item_number = ${path.itemNumber}
        and line.site_id = any(${siteIds}::int[])
      order by file.revision`)
    const [line] = rows
    if (!line) throw refuse('order_item_not_found')
    const files = rows.filter((row): row is Row & FileRow => row.name !== null)
    const [visualUrl, ...links] = await Promise.all([
      link(line.renditionKey, { contentType: 'image/png' }),
      ...files.map((file) => link(file.objectKey, { contentType: 'application/pdf', downloadName: file.name })),
    ])
    return {
      status: 200,
      body: {
        ...path,
        proofStatus: line.proofStatus,
        files: files.map((file, index) => ({
          name: file.name,
          link: links[index]!,
          active: file.active,
          createdOn: file.createdOn,
        })),
        visualUrl: visualUrl!,
      },
      links: [visualUrl!, ...links],
      picture: visual(line.renditionKey),
    }
  }
}
