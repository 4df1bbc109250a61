import type { Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { isExactDecimal } from '../../vocabulary/exact-decimal.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { weightUnits, type WeightUnit } from '../../vocabulary/product-kinds.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { FieldProblem } from './product-definition.ts'
import { hasPublishedId } from './published-id.ts'

/** The variants of STOCK products as staff keep them. How many lie on the shelf is counted in `stock-counts.ts`. */

export type StockedVariantFields = {
  /** null on a share's variant = its master's */
  sku: string | null
  attribute1Choice: string | null
  attribute2Choice: string | null
  attribute3Choice: string | null
  location: string | null
  /** of one piece, in weightUnit; exact decimal */
  weight: string | null
  weightUnit: WeightUnit | null
  /** of a share: always its master's */
  backorderable: boolean
  active: boolean
}

export type StockedVariant = StockedVariantFields & {
  variantId: number
  /** of a share's variant: the one its pieces are counted at */
  masterVariantId: number | null
  /** null = not tracked, or counted at the master's; below zero = owed to back orders */
  stockQuantity: number | null
}

/** By id. */
export function stockedVariants(queries: Queries, productId: ProductId): Promise<StockedVariant[]> {
  // variant_by_product
  return queries.rows<StockedVariant>(sql`
    select variant_id, master_variant_id, sku,
      attribute1_choice as "attribute1Choice", attribute2_choice as "attribute2Choice",
      attribute3_choice as "attribute3Choice", location, weight, weight_unit,
      stock_quantity, backorderable, active
    from variant
    where product_number = (select product.product_number from product where ${hasPublishedId(productId)})
    order by variant_id`)
}

export function variantProblem(variant: Partial<StockedVariantFields>): FieldProblem | undefined {
  for (const field of ['sku', 'attribute1Choice', 'attribute2Choice', 'attribute3Choice', 'location'] as const) {
    const text = variant[field]
    if (text !== undefined && text !== null && (text.trim() === '' || text.length > 255)) {
      return { field, detail: `${field} has up to 255 characters and is not blank.` }
    }
  }
  const { weight = null, weightUnit = null } = variant
  if (weight !== null && !isExactDecimal(weight, 6)) {
    return { field: 'weight', detail: 'weight is a decimal with up to six decimals.' }
  }
  if (weightUnit !== null && !weightUnits.includes(weightUnit)) {
    return { field: 'weightUnit', detail: `weightUnit is one of ${weightUnits.join(', ')}.` }
  }
  return undefined
}

const plainVariant: StockedVariantFields = {
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

export type VariantRefused =
  | { refused: 'variant_not_usable'; field: string; detail: string }
  | { refused: 'product_not_found' | 'not_a_stock_product' | 'variants_of_master' }

/** Adds a variant, without tracked stock, to a STOCK product a site owns, and one over it to each of its shares. */
export async function createVariant(
  tx: Transaction,
  productId: ProductId,
  fields: Partial<StockedVariantFields>,
  change: Change,
): Promise<{ variantId: number } | VariantRefused> {
  const product = await tx.row<{ productNumber: number; siteId: number; serviceType: string }>(sql`
    select product_number, site_id, service_type from product where ${hasPublishedId(productId)}
    for no key update`)
  if (!product) return { refused: 'product_not_found' }
  if (product.serviceType !== 'STOCK') return { refused: 'not_a_stock_product' }
  if (productId.kind === 'SLS') return { refused: 'variants_of_master' }
  const wrong = variantProblem(fields)
  if (wrong) return { refused: 'variant_not_usable', ...wrong }
  const next = { ...plainVariant, ...fields }
  const created = await tx.row<{ variantId: number }>(sql`
    insert into variant (site_id, product_number, sku, attribute1_choice, attribute2_choice, attribute3_choice, location,
      weight, weight_unit, backorderable, active, created_on, updated_on)
    values (${product.siteId}, ${product.productNumber}, ${next.sku}, ${next.attribute1Choice},
      ${next.attribute2Choice}, ${next.attribute3Choice}, ${next.location}, ${next.weight}, ${next.weightUnit},
      ${next.backorderable}, ${next.active}, ${change.now}, ${change.now})
    returning variant_id`)
  const variantId = created!.variantId
  await Promise.all([
    tx.rows(sql`
      insert into variant (site_id, product_number, master_variant_id, attribute1_choice, attribute2_choice,
        attribute3_choice, created_on, updated_on)
      select site_id, product_number, ${variantId}, ${next.attribute1Choice}, ${next.attribute2Choice},
        ${next.attribute3Choice}, ${change.now}, ${change.now}
      from product where master_number = ${product.productNumber}
      order by product_number`),
    recordAudit(tx, change, {
      action: 'variant.created',
      subject: { kind: 'variant', id: variantId },
      siteId: product.siteId,
      detail: { productNumber: product.productNumber, ...next },
    }),
  ])
  return { variantId }
}

/** Changes the given fields of a variant. */
export async function editVariant(
  tx: Transaction,
  productId: ProductId,
  variantId: number,
  wish: Partial<StockedVariantFields>,
  change: Change,
): Promise<
  | { variantId: number }
  | { refused: 'variant_not_usable'; field: string; detail: string }
  | { refused: 'product_not_found' | 'variant_not_found' | 'counted_at_master' | 'pieces_owed' }
> {
  const product = await tx.row<{ siteId: number }>(sql`
    select site_id from product where ${hasPublishedId(productId)} for key share`)
  if (!product) return { refused: 'product_not_found' }
  await tx.rows(sql`select variant_id from variant where variant_id = ${variantId} for no key update`)
  const current = (await stockedVariants(tx, productId)).find((each) => each.variantId === variantId)
  if (!current) return { refused: 'variant_not_found' }
  const wrong = variantProblem(wish)
  if (wrong) return { refused: 'variant_not_usable', ...wrong }
  if (wish.backorderable === true && current.masterVariantId !== null) return { refused: 'counted_at_master' }
  if (wish.backorderable === false && (current.stockQuantity ?? 0) < 0) return { refused: 'pieces_owed' }
  const { variantId: _, masterVariantId: _1, stockQuantity: _2, ...before } = current
  const next = { ...before, ...wish }
  await Promise.all([
    tx.rows(sql`
      update variant
      set attribute1_choice = ${next.attribute1Choice}, attribute2_choice = ${next.attribute2Choice},
        attribute3_choice = ${next.attribute3Choice}, location = ${next.location}, weight = ${next.weight},
        weight_unit = ${next.weightUnit}, backorderable = ${next.backorderable}, active = ${next.active},
        updated_on = ${change.now}
      where variant_id = ${variantId}`),
    // Search listens to this column alone.
    ...(next.sku === before.sku
      ? []
      : [tx.rows(sql`update variant set sku = ${next.sku} where variant_id = ${variantId}`)]),
    recordAudit(tx, change, {
      action: 'variant.updated',
      subject: { kind: 'variant', id: variantId },
      siteId: product.siteId,
      detail: { before, after: next },
    }),
  ])
  return { variantId }
}
