import type { Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import { definitionProblem, type FieldProblem, type ProductDefinition } from './product-definition.ts'
import { displayTexts, type ProductFields } from './products.ts'

/** What every write of products by staff asks, of one product or of many at once. */

/** What staff change of a product: its definition where the site owns it, whether it is active, and what partners may. */
export type ProductEdit = Partial<ProductDefinition & ProductFields & { active: boolean }>

export type NotUsable =
  | ({ refused: 'product_not_usable' } & FieldProblem)
  | { refused: 'limits_crossed' | 'code_taken' | 'fulfilment_center_unknown' }

export type Whole = ProductDefinition & Omit<ProductFields, 'overrideDisplay'> & { active: boolean }

const textLengths = { description: 20_000, metaDescription: 2000, metaKeywords: 2000 }
const quantityMax = 2_147_483_647

/** What is wrong with a product as it would be, apart from what others have to do with it. */
export function wholeProblem(
  product: Whole,
  of: Parameters<typeof definitionProblem>[1],
): Exclude<NotUsable, { refused: 'code_taken' | 'fulfilment_center_unknown' }> | undefined {
  const unusable = definitionProblem(product, of)
  if (unusable) return { refused: 'product_not_usable', ...unusable }
  for (const field of displayTexts) {
    if ((product[field]?.length ?? 0) > textLengths[field]) {
      return { refused: 'product_not_usable', field, detail: `${field} has at most ${textLengths[field]} characters.` }
    }
  }
  for (const field of ['minQuantity', 'maxQuantity'] as const) {
    const limit = product[field] ?? 1
    if (!Number.isInteger(limit) || limit < 1 || limit > quantityMax) {
      return { refused: 'product_not_usable', field, detail: `${field} is from 1 to ${quantityMax}.` }
    }
  }
  const { minQuantity, maxQuantity } = product
  return minQuantity !== null && maxQuantity !== null && maxQuantity < minQuantity
    ? { refused: 'limits_crossed' }
    : undefined
}

/** The codes and centers that writes name, as the database knows them: two round trips for however many products. */
export type KnownNames = {
  /** Says so once, and from then on yes: what is given within one write is given too. */
  isTaken: (siteId: number, code: string) => boolean
  isCenter: (fulfilmentCenterId: number) => boolean
}

const codesLock = 7_305_006

/**
 * Whoever gives codes on sites holds the sites' codes first, and products after them: of two that give the same one comes
 * second. The sites' rows stay free for everything else.
 */
export async function holdCodes(
  tx: Transaction,
  of: { siteId: number } | { products: readonly string[] },
): Promise<void> {
  const siteIds =
    'siteId' in of
      ? sqlText`select ${of.siteId}::int as site_id`
      : sqlText`select distinct site_id from product where product_number = any(${of.products}::bigint[]) order by 1`
  await tx.rows(sql`select pg_advisory_xact_lock(${codesLock}::int, site_id) from (${siteIds}) as site`)
}

/** The sites' codes are held. */
export async function knownNames(
  tx: Transaction,
  codes: readonly { siteId: number; code: string }[],
): Promise<KnownNames> {
  const siteIds = codes.map((each) => each.siteId)
  const [bearers, centers] = await Promise.all([
    // product_by_code
    tx.rows<{ siteId: number; code: string }>(sql`
      select site_id, code from product
      where kind = 'SLO'
        and (site_id, code) in (select * from unnest(${siteIds}::int[], ${codes.map((each) => each.code)}::text[]))`),
    tx.rows<{ id: number }>(sql`select fulfilment_center_id as id from fulfilment_center for key share`),
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

/** Rows of one statement: a statement stays short, and search is told of all of them at once. */
const chunkSize = 500

export function chunksOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, index) =>
    items.slice(index * chunkSize, (index + 1) * chunkSize),
  )
}
