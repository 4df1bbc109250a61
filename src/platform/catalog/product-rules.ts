import type { Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import { definitionProblem, type FieldProblem, type ProductDefinition } from './product-definition.ts'
import { limitsCross, type ProductSettings, settingsProblem, type StoredSettings } from './product-settings.ts'

/** The rules every write of products obeys, of one product or of many at once. */

/** What may be changed of a product: its definition where the site owns it, and its settings. */
export type ProductWish = Partial<ProductDefinition & ProductSettings & { active: boolean }>

export type NotUsable =
  | ({ refused: 'product_not_usable' } & FieldProblem)
  | { refused: 'limits_crossed' | 'code_taken' | 'fulfilment_center_unknown' }

/**
 * The first fault of a product as it would be after the change, apart from faults that involve other records.
 * @param definedBy the facts to check its definition with; undefined = the definition does not change
 */
export function wholeProblem(
  product: ProductDefinition & StoredSettings,
  definedBy: Parameters<typeof definitionProblem>[1] | undefined,
): NotUsable | undefined {
  const unusable = (definedBy && definitionProblem(product, definedBy)) ?? settingsProblem(product)
  if (unusable) return { refused: 'product_not_usable', ...unusable }
  return limitsCross(product) ? { refused: 'limits_crossed' } : undefined
}

/** What the database knows of the codes and fulfilment centers that products name. */
export type KnownNames = {
  /** Answers false once for a free code and true from then on: a code that one product of a write gets is taken. */
  isTaken: (siteId: number, code: string) => boolean
  isCenter: (fulfilmentCenterId: number) => boolean
}

const codesLock = 7_305_006

/**
 * A transaction that assigns codes locks the sites' codes first and products after them, so that of two that assign the
 * same code one comes second. The sites' rows stay unlocked.
 */
export async function lockCodes(
  tx: Transaction,
  of: { siteId: number } | { products: readonly string[] },
): Promise<void> {
  const siteIds =
    'siteId' in of
      ? sqlText`select ${of.siteId}::int as site_id`
      : sqlText`select distinct site_id from product where product_number = any(${of.products}::bigint[]) order by 1`
  await tx.rows(sql`select pg_advisory_xact_lock(${codesLock}::int, site_id) from (${siteIds}) as site`)
}

/** At most two statements for any number of products. Locks the codes of the sites. */
export async function knownNames(
  tx: Transaction,
  products: readonly { siteId: number; code?: string; fulfilmentCenterId?: number | null }[],
): Promise<KnownNames> {
  const codes = products.flatMap(({ siteId, code }) => (code === undefined ? [] : [{ siteId, code }]))
  const namesCenter = products.some(({ fulfilmentCenterId = null }) => fulfilmentCenterId !== null)
  const [bearers, centers] = await Promise.all([
    codes.length > 0 ? bearersOf(tx, codes) : [],
    namesCenter
      ? tx.rows<{ id: number }>(sql`select fulfilment_center_id as id from fulfilment_center for key share`)
      : [],
  ])
  const taken = new Set(bearers.map((each) => JSON.stringify([each.siteId, each.code])))
  const known = new Set(centers.map(({ id }) => id))
  return {
    isTaken: (siteId, code) => {
      const key = JSON.stringify([siteId, code])
      if (taken.has(key)) return true
      taken.add(key)
      return false
    },
    isCenter: (id) => known.has(id),
  }
}

type Code = { siteId: number; code: string }

function bearersOf(tx: Transaction, codes: readonly Code[]): Promise<Code[]> {
  const siteIds = codes.map((each) => each.siteId)
  // Served by product_by_code.
  return tx.rows<Code>(sql`
    select site_id, code from product
    where kind = 'SLO'
      and (site_id, code) in (select * from unnest(${siteIds}::int[], ${codes.map((each) => each.code)}::text[]))`)
}

/** Rows of one statement, so that statements stay short and search is updated for a whole chunk at once. */
const chunkSize = 500

export function chunksOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, index) =>
    items.slice(index * chunkSize, (index + 1) * chunkSize),
  )
}
