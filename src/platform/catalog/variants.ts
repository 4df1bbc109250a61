import type { Queries, Transaction } from '../../database/database.ts'
import { columnList, insertRows, updateRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { isExactDecimal } from '../../vocabulary/exact-decimal.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { weightUnits, type WeightUnit } from '../../vocabulary/product-kinds.ts'
import { nameFault } from '../../vocabulary/text.ts'
import { recordAudit } from '../audit/audit.ts'
import type { FieldProblem } from './product-definition.ts'
import { hasPublishedId } from './published-id.ts'

/** The variants of STOCK products. `stock-counts.ts` counts their stock. */

/** What partners may change of a variant; null clears. */
export type PartnerVariantFields = {
  attribute1Choice: string | null
  attribute2Choice: string | null
  attribute3Choice: string | null
  location: string | null
  /** of one piece, in weightUnit; exact decimal */
  weight: string | null
}

export type VariantFields = PartnerVariantFields & {
  /** null on a share's variant = its master's */
  sku: string | null
  weightUnit: WeightUnit | null
  /** of a share: always its master's */
  backorderable: boolean
  active: boolean
}

export type Variant = VariantFields & {
  variantId: number
  /** of a share's variant: the master's variant that has the stock count */
  masterVariantId: number | null
  /** null = not tracked, or counted at the master's; below zero = owed to backorders */
  stockQuantity: number | null
}

const startingVariant: VariantFields = {
  sku: null,
  attribute1Choice: null,
  attribute2Choice: null,
  attribute3Choice: null,
  location: null,
  weight: null,
  weightUnit: null,
  backorderable: false,
  active: true,
}

const variantFields = Object.keys(startingVariant) as readonly (keyof VariantFields)[]

/** By id. */
export function variantsOf(queries: Queries, productId: ProductId): Promise<Variant[]> {
  // Served by variant_by_product.
  return queries.rows<Variant>(sql`
    select variant_id, master_variant_id, stock_quantity, ${columnList(variantFields)}
    from variant
    where product_number = (select product.product_number from product where ${hasPublishedId(productId)})
    order by variant_id`)
}

function variantProblem(variant: Partial<VariantFields>): FieldProblem | undefined {
  for (const field of ['sku', 'attribute1Choice', 'attribute2Choice', 'attribute3Choice', 'location'] as const) {
    const text = variant[field]
    const unnamed = text === undefined || text === null ? undefined : nameFault(field, text, 255)
    if (unnamed) return { field, detail: unnamed }
  }
  const { weight = null, weightUnit = null } = variant
  if (weight !== null && !isExactDecimal(weight, 6)) {
    return { field: 'weight', detail: 'The field weight must be a decimal with at most six decimals.' }
  }
  if (weightUnit !== null && !weightUnits.includes(weightUnit)) {
    return { field: 'weightUnit', detail: `The field weightUnit must be one of ${weightUnits.join(', ')}.` }
  }
  return undefined
}

type NotUsable = { refused: 'variant_not_usable'; field: string; detail: string }

type Created =
  | Done<{ variantId: number }>
  | NotUsable
  | { refused: 'product_not_found' | 'not_a_stock_product' | 'variants_of_master' }

/** Adds a variant, without tracked stock, to a STOCK product that a site owns, and one to each of its shares. */
export async function createVariant(
  tx: Transaction,
  change: Change,
  productId: ProductId,
  fields: Partial<VariantFields>,
): Promise<Created> {
  const product = await tx.row<{ productNumber: number; siteId: number; serviceType: string }>(sql`
    select product_number, site_id, service_type from product where ${hasPublishedId(productId)}
    for no key update`)
  if (!product) return { refused: 'product_not_found' }
  const { productNumber, siteId } = product
  if (product.serviceType !== 'STOCK') return { refused: 'not_a_stock_product' }
  if (productId.kind === 'SLS') return { refused: 'variants_of_master' }
  const wrong = variantProblem(fields)
  if (wrong) return { refused: 'variant_not_usable', ...wrong }
  const next = { ...startingVariant, ...fields }
  const dates = { createdOn: change.now, updatedOn: change.now }
  const [[created], shares] = await Promise.all([
    insertRows<{ variantId: number }>(tx, 'variant', [{ ...next, siteId, productNumber, ...dates }], ['variantId']),
    tx.rows<{ productNumber: number; siteId: number }>(sql`
      select product_number, site_id from product where master_number = ${productNumber} order by product_number`),
  ])
  const { variantId } = created!
  const { attribute1Choice, attribute2Choice, attribute3Choice } = next
  await Promise.all([
    insertRows(
      tx,
      'variant',
      shares.map((share) => ({
        ...share,
        masterVariantId: variantId,
        attribute1Choice,
        attribute2Choice,
        attribute3Choice,
        ...dates,
      })),
    ),
    recordAudit(tx, change, {
      action: 'variant.created',
      subject: { kind: 'variant', id: variantId },
      siteId,
      detail: { productNumber, ...next },
    }),
  ])
  return { done: { variantId } }
}

type NotFound = { refused: 'product_not_found' | 'variant_not_found' }
type ChangeRefused = NotUsable | { refused: 'counted_at_master' | 'pieces_owed' }

/** Changes the given fields of a variant, by the rules of staff. */
export function updateVariant(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  productId: ProductId,
  variantId: number,
  wish: Partial<VariantFields>,
): Promise<Done | NotFound | ChangeRefused> {
  return changeVariant<ChangeRefused>(tx, change, siteIds, productId, variantId, (variant) => {
    const wrong = variantProblem(wish)
    if (wrong) return { refused: 'variant_not_usable', ...wrong }
    if (wish.backorderable === true && variant.masterVariantId !== null) return { refused: 'counted_at_master' }
    if (wish.backorderable === false && (variant.stockQuantity ?? 0) < 0) return { refused: 'pieces_owed' }
    return { done: wish }
  })
}

/**
 * Changes the given fields of a variant, by the rules of partners: their calls have no unit, so a weight is in the
 * variant's unit, else in its master's, else in ounces.
 */
export function updatePartnerVariant(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  productId: ProductId,
  variantId: number,
  wish: Partial<PartnerVariantFields>,
): Promise<Done | NotFound> {
  return changeVariant<never>(tx, change, siteIds, productId, variantId, (variant) => {
    const { weight, weightUnit, masterWeightUnit } = { ...variant, ...wish }
    return { done: weight === null ? wish : { ...wish, weightUnit: weightUnit ?? masterWeightUnit ?? 'OZ' } }
  })
}

type Locked = Variant & { masterWeightUnit: WeightUnit | null }

/**
 * The one write path of a variant's fields: locks the variant of a product on one of the sites, judges the change, and
 * writes it if it is allowed. A share's variant is its own row, never its master's. A missing variant, a variant of
 * another product and any variant of a print-on-demand product are refused alike (CAT-29).
 */
async function changeVariant<Refusal extends { refused: string }>(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  productId: ProductId,
  variantId: number,
  judge: (variant: Locked) => Done<Partial<VariantFields>> | Refusal,
): Promise<Done | NotFound | Refusal> {
  // Served by product's primary key.
  const product = await tx.row<{ productNumber: number; siteId: number; serviceType: string }>(sql`
    select product_number, site_id, service_type from product
    where ${hasPublishedId(productId)} and site_id = any(${siteIds}::int[])`)
  if (!product) return { refused: 'product_not_found' }
  const { productNumber, siteId } = product
  // Served by variant's primary key.
  const variant =
    product.serviceType === 'STOCK'
      ? await tx.row<Locked>(sql`
          select variant.variant_id, variant.master_variant_id, variant.stock_quantity,
            ${columnList(variantFields, 'variant')}, master.weight_unit as master_weight_unit
          from variant
          left join variant master on master.variant_id = variant.master_variant_id
          where variant.variant_id = ${variantId} and variant.product_number = ${productNumber}
            and variant.site_id = ${siteId}
          for no key update of variant`)
      : undefined
  if (!variant) return { refused: 'variant_not_found' }
  const judged = judge(variant)
  if ('refused' in judged) return judged
  const { variantId: _, masterVariantId: _1, stockQuantity: _2, masterWeightUnit: _3, ...before } = variant
  const { sku, ...next } = { ...before, ...judged.done }
  await Promise.all([
    updateRows(tx, 'variant', 'variantId', [{ ...next, variantId, updatedOn: change.now }]),
    // Every statement that sets this column updates search.
    ...(sku === before.sku ? [] : [updateRows(tx, 'variant', 'variantId', [{ variantId, sku }])]),
    recordAudit(tx, change, {
      action: 'variant.updated',
      subject: { kind: 'variant', id: variantId },
      siteId,
      detail: { before, after: { sku, ...next } },
    }),
  ])
  return { done: {} }
}
