import type { Client } from 'pg'
import type { ObjectStore } from '../outside/object-store/object-store.ts'

/** A stored file that a row names. Size and MD5 are null where the row does not know them. */
export type NamedFile = { kind: FileKind; of: string; key: string; sizeBytes: number | null; md5: string | null }

export type FileKind =
  | 'print file'
  | 'proof'
  | 'picture of a print file'
  | 'artwork check'
  | 'label'
  | 'product image'
  | 'logo'
  | 'entry of the ledger of erasures'

/** All files that rows name and that must be there, in an order that stays. What was erased is not among them. */
export async function readNamedFiles(client: Client): Promise<NamedFile[]> {
  const { rows } = await client.query<NamedFile>(`
    select kind, "of", key, size_bytes::float8 as "sizeBytes", md5 from (
      select 'print file' as kind, 'order ' || order_number || ' line ' || line_number as "of",
        object_key as key, size_bytes, md5 from print_file
      union all
      select 'proof', 'order ' || order_number || ' line ' || line_number || ' revision ' || revision, key, null, null
        from proof_file cross join lateral (values (object_key), (rendition_key)) as each (key)
      union all
      select 'picture of a print file', 'inspection ' || inspection_id || ' page ' || page, object_key, null, null
        from artwork_picture
      union all
      select 'artwork check', 'check ' || check_id, object_key, size_bytes, null from artwork_check
      union all
      select 'label', 'shipment ' || shipment_number, object_key, null, null from shipment_label
      union all
      select 'product image', 'product ' || product_number, image_path, null, null from product_image
        where image_path like 'product-images/%'
      union all
      select 'logo', 'site ' || site_id, brand_logo, null, null from site
      union all
      select 'logo', 'partner ' || partner_id, brand_logo, null, null from partner
    ) as named
    where key is not null and key not like 'erased/%'
    order by kind, "of", key`)
  return rows
}

/** Files that may be there: what was uploaded and not yet attached. */
export async function readUploads(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(`
    select object_key as key from artwork_reservation where attached_on is null
    union select upload_key from artwork_check`)
  return rows.map(({ key }) => key)
}

/** Why a file that a row names is not as the row says; undefined = it is. */
type Fault = 'missing' | 'damaged' | 'another file'

export type Faulty = NamedFile & { fault: Fault }

/**
 * Looks every named file up in the store.
 * @param madeWhenAsked tells keys whose files are made when somebody first asks for them
 * @throws Outage
 */
export async function reconcile(
  named: readonly NamedFile[],
  store: Pick<ObjectStore, 'head'>,
  madeWhenAsked: (key: string) => boolean,
): Promise<{ checked: number; madeWhenAsked: number; faulty: Faulty[] }> {
  const faulty: Faulty[] = []
  let later = 0
  const waiting = named.values()
  const look = async (): Promise<void> => {
    for (const file of waiting) {
      const stored = await store.head(file.key)
      if (stored === undefined && madeWhenAsked(file.key)) later++
      else if (stored === undefined) faulty.push({ ...file, fault: 'missing' })
      else if (file.sizeBytes !== null && file.sizeBytes !== stored.sizeBytes)
        faulty.push({ ...file, fault: 'another file' })
      else if (file.md5 !== null && file.md5 !== stored.md5) faulty.push({ ...file, fault: 'another file' })
    }
  }
  await Promise.all(Array.from({ length: looksAtOnce }, look))
  const place = new Map(named.map((file, index) => [file.key, index]))
  faulty.sort((one, other) => place.get(one.key)! - place.get(other.key)!)
  return { checked: named.length, madeWhenAsked: later, faulty }
}

const looksAtOnce = 8
