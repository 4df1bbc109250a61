import { isDeepStrictEqual } from 'node:util'
import type { Queries, Transaction } from '../../database/database.ts'
import { columnList, insertRows, updateRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { isExactDecimal, withKeptDecimals } from '../../vocabulary/exact-decimal.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { weightUnits, type WeightUnit } from '../../vocabulary/product-kinds.ts'
import { foldForUniqueness, nameFault } from '../../vocabulary/text.ts'
import { recordAudit } from '../audit/audit.ts'
import type { FieldProblem } from './product-definition.ts'
import { hasPublishedId } from './published-id.ts'

/**
 * The variants of STOCK products, by one set of rules for partners, staff and imports. `stock-verbs.ts` changes their
 * stock.
 */

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
  /** staff are told when the stock is at this level or below; null = never; of a share: always null */
  lowStockLevel: number | null
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
  lowStockLevel: null,
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

const choiceFields = ['attribute1Choice', 'attribute2Choice', 'attribute3Choice'] as const

type Choices = Pick<VariantFields, (typeof choiceFields)[number]>
type Present = Choices & { variantId: number; active: boolean }

/**
 * The fault of a variant's choices beside those of the product's other variants. A product without attributes has
 * variants without choices. Inactive variants may share their choices.
 */
function choicesProblem(
  before: (Choices & { active: boolean }) | undefined,
  next: Choices & { active: boolean },
  attributeNames: readonly string[],
  others: readonly Present[],
): FieldProblem | undefined {
  const isChosen = choiceFields.some((field) => next[field] !== (before?.[field] ?? null))
  const stray = choiceFields
    .slice(attributeNames.length)
    .find((field) => next[field] !== null && next[field] !== before?.[field])
  if (stray) {
    const names = attributeNames.length === 0 ? 'no attributes' : `the attributes ${attributeNames.join(', ')} only`
    return { field: stray, detail: `The field ${stray} must be null: the product has ${names}.` }
  }
  const isNew = before === undefined || isChosen || !before.active
  if (!isNew || !next.active || attributeNames.length === 0) return undefined
  const key = choicesKey(next)
  const twin = others.find((each) => each.active && choicesKey(each) === key)
  if (!twin) return undefined
  return {
    field: choiceFields[0],
    detail: `The choices are those of variant ${twin.variantId}. Each active variant needs choices of its own.`,
  }
}

function choicesKey(choices: Choices): string {
  return JSON.stringify(choiceFields.map((field) => choices[field] && foldForUniqueness(choices[field])))
}

/**
 * The product's attributes, those of its master if it is a share, locked so that they stay; and its variants. Its row
 * must be locked before, by whoever changes its variants.
 */
async function surroundings(
  tx: Transaction,
  productNumber: number,
): Promise<{ attributeNames: string[]; present: Present[] }> {
  // Served by product's primary key and variant_by_product.
  const [source, present] = await Promise.all([
    tx.row<{ attributeNames: string[] }>(sql`
      select source.attribute_names
      from product join product source on source.product_number = coalesce(product.master_number, product.product_number)
      where product.product_number = ${productNumber}
      for share of source`),
    tx.rows<Present>(sql`
      select own.variant_id, ${columnList(choiceFields, 'own')}, own.active and counted.active as active
      from variant own join variant counted on counted.variant_id = coalesce(own.master_variant_id, own.variant_id)
      where own.product_number = ${productNumber}
      order by own.variant_id`),
  ])
  return { attributeNames: source!.attributeNames, present }
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
  const next = { ...startingVariant, ...fields }
  const { attributeNames, present } = await surroundings(tx, productNumber)
  const wrong = variantProblem(fields) ?? choicesProblem(undefined, next, attributeNames, present)
  if (wrong) return { refused: 'variant_not_usable', ...wrong }
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

/** Changes the given fields of a variant, as staff may. */
export function updateVariant(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  productId: ProductId,
  variantId: number,
  wish: Partial<VariantFields>,
): Promise<Done | NotFound | ChangeRefused> {
  return changeVariant<Exclude<ChangeRefused, NotUsable>>(tx, change, siteIds, productId, variantId, (variant) => {
    if (variant.masterVariantId !== null && (wish.backorderable === true || typeof wish.lowStockLevel === 'number')) {
      return { refused: 'counted_at_master' }
    }
    if (wish.backorderable === false && (variant.stockQuantity ?? 0) < 0) return { refused: 'pieces_owed' }
    return { done: wish }
  })
}

/**
 * Changes what partners may of a variant. Their calls have no unit, so a weight is in the variant's unit, else in its
 * master's, else in ounces.
 */
export function updatePartnerVariant(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  productId: ProductId,
  variantId: number,
  wish: Partial<PartnerVariantFields>,
): Promise<Done | NotFound | NotUsable> {
  return changeVariant<never>(tx, change, siteIds, productId, variantId, (variant) => {
    const { weight, weightUnit, masterWeightUnit } = { ...variant, ...wish }
    return { done: weight === null ? wish : { ...wish, weightUnit: weightUnit ?? masterWeightUnit ?? 'OZ' } }
  })
}

type Locked = Variant & { masterWeightUnit: WeightUnit | null }

/**
 * The one write path of a variant's fields: locks the product on one of the sites and the variant, judges the change, and
 * writes it if it is allowed and changes something. A share's variant is its own row, never its master's. A missing
 * variant, a variant of another product and any variant of a print-on-demand product are refused alike (CAT-29).
 */
async function changeVariant<Refusal extends { refused: string }>(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  productId: ProductId,
  variantId: number,
  judge: (variant: Locked) => Done<Partial<VariantFields>> | Refusal,
): Promise<Done | NotFound | NotUsable | Refusal> {
  // Served by product's primary key.
  const product = await tx.row<{ productNumber: number; siteId: number; serviceType: string }>(sql`
    select product_number, site_id, service_type from product
    where ${hasPublishedId(productId)} and site_id = any(${siteIds}::int[])
    for no key update`)
  if (!product) return { refused: 'product_not_found' }
  const { productNumber, siteId } = product
  if (product.serviceType !== 'STOCK') return { refused: 'variant_not_found' }
  // Served by variant's primary key.
  const [variant, { attributeNames, present }] = await Promise.all([
    tx.row<Locked>(sql`
      select variant.variant_id, variant.master_variant_id, variant.stock_quantity,
        ${columnList(variantFields, 'variant')}, master.weight_unit as master_weight_unit
      from variant
      left join variant master on master.variant_id = variant.master_variant_id
      where variant.variant_id = ${variantId} and variant.product_number = ${productNumber}
        and variant.site_id = ${siteId}
      for no key update of variant`),
    surroundings(tx, productNumber),
  ])
  if (!variant) return { refused: 'variant_not_found' }
  const judged = judge(variant)
  if ('refused' in judged) return judged
  const { variantId: _, masterVariantId: _1, stockQuantity: _2, masterWeightUnit: _3, ...before } = variant
  const after = { ...before, ...withKeptDecimals(before, judged.done, ['weight']) }
  const others = present.filter((each) => each.variantId !== variantId)
  const wrong = variantProblem(judged.done) ?? choicesProblem(before, after, attributeNames, others)
  if (wrong) return { refused: 'variant_not_usable', ...wrong }
  if (isDeepStrictEqual(before, after)) return { done: {} }
  const { sku, ...next } = after
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
